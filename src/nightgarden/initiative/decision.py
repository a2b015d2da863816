"""What the model decided about a thought: post it now, hold it, drop it. Pure: reads the model's last words.

The answer is one JSON object. What cannot be read, names a channel that is not eligible or says nothing is no decision:
a pending thought stays as it was.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from nightgarden.initiative.thoughts import MEDIA_PROMPT_CHARS_MAX, TEXT_CHARS_MAX, MediaKind, MediaPlan

REASON_CHARS_MAX = 300
_OBJECT = re.compile(r"\{")
ANSWER_FORM = """{"action": "post_now" | "hold" | "drop",
 "channel_id": "one of the channels above",
 "text": "what you would say, as you would say it",
 "reply_to_message_id": "" | "id of a message above",
 "media_directive": "none" | "image" | "video" | "gif",
 "media_prompt": "",
 "reason": "one short sentence"}"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Say:
    """Something to say: at once (`now`) or later."""

    now: bool
    channel: str
    text: str
    reply_to: str
    media: MediaPlan | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Drop:
    """Nothing to say."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUsable:
    """The answer is no decision; the reason says why."""

    reason: str


Decision = Say | Drop | NotUsable


def read_decision(answer: str, *, channels: Collection[str], messages: Collection[str]) -> Decision:
    """`channels` are the eligible ones, `messages` the ids that the model was shown."""
    if answer.strip().strip("`").strip() in ("[SKIP]", "SKIP"):
        return Drop(reason="skipped")
    record = _last_object(answer)
    if record is None:
        return NotUsable(reason="the answer holds no JSON object")
    action, reason = record.get("action"), _text(record.get("reason"), REASON_CHARS_MAX)
    if action == "drop":
        return Drop(reason=reason or "nothing worth saying")
    if action not in ("post_now", "hold"):
        return NotUsable(reason=f"unknown action {str(action)[:40]!r}")
    channel = _text(record.get("channel_id"), 300)
    if channel not in channels:
        return NotUsable(reason=f"channel {channel[:60]!r} is not eligible")
    text = _text(record.get("text"), TEXT_CHARS_MAX)
    if not text:
        return NotUsable(reason="there is no text")
    reply_to = _text(record.get("reply_to_message_id"), 300)
    return Say(
        now=action == "post_now",
        channel=channel,
        text=text,
        reply_to=reply_to if reply_to in messages else "",
        media=_media(record),
        reason=reason,
    )


def _media(record: dict[str, Any]) -> MediaPlan | None:
    kind, prompt = record.get("media_directive"), _text(record.get("media_prompt"), MEDIA_PROMPT_CHARS_MAX)
    if not prompt or kind not in list(MediaKind):
        return None
    return MediaPlan(kind=MediaKind(str(kind)), prompt=prompt)


def _text(value: Any, chars_max: int) -> str:
    return value.strip()[:chars_max] if isinstance(value, str) else ""


def _last_object(answer: str) -> dict[str, Any] | None:
    """The last whole JSON object of the text; models like to talk before it. Tries a bounded number of places."""
    decoder = json.JSONDecoder()
    found, end = None, 0
    for match in list(_OBJECT.finditer(answer[:20_000]))[:200]:
        if match.start() < end:
            continue
        try:
            value, end = decoder.raw_decode(answer, match.start())
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found = value
    return found
