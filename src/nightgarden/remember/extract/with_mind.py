"""Extraction with a mind's help. The deterministic result always stands; a mind can only add to it.

What a mind returns is checked against the schema and against the transcript: a memory needs evidence in the user's own
words. Anything else about the reply that is off makes it a counted failure and nothing more. Does not check whether the
content follows from its evidence; the write pipeline's rules apply to it as to everything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from nightgarden.domain.classify import Classifier
from nightgarden.domain.memory import Category, Provenance
from nightgarden.domain.mind import Mind, read_reply
from nightgarden.domain.session import Message
from nightgarden.domain.text import jaccard, squash, words
from nightgarden.errors import ModelUnavailable
from nightgarden.remember.draft import CONTENT_CHARS_MAX, Draft
from nightgarden.remember.extract.clause_reading import holds_secret
from nightgarden.remember.extract.extraction import SAME_JACCARD, read_session
from nightgarden.remember.extract.mind_prompt import (
    CATEGORIES,
    MEMORIES_MAX,
    SCHEMA,
    build_prompt,
    echoes_example,
    is_evidenced,
)
from nightgarden.remember.extract.own_words import holds_outside_text
from nightgarden.remember.extract.retraction import TakenBack
from nightgarden.remember.shape import shaped

MIND_CONFIDENCE = 0.6  # candidates written by an agent
SAME_EVIDENCE_JACCARD = 0.5  # a rewording of what the deterministic reader took from the same message; taste
_KEYS = {"category", "content", "message_id", "evidence"}


@dataclass(frozen=True, slots=True, kw_only=True)
class MindResult:
    """All drafts, and what went wrong on the mind's side."""

    drafts: tuple[Draft, ...]
    added: tuple[Draft, ...] = ()  # those of them that only the mind found
    taken_back: tuple[TakenBack, ...] = ()  # by the user, in their own words
    failure: str = ""  # why the mind's reply was not used; empty when it was
    rejected: int = 0  # memories in a usable reply that had no evidence, echoed an example, or held a secret


async def extract_with_mind(
    messages: Sequence[Message], mind: Mind, *, known: Sequence[str] = (), classifier: Classifier | None = None
) -> MindResult:
    """The deterministic drafts, followed by what the mind found besides."""
    read = await asyncio.to_thread(read_session, messages, known=known, classifier=classifier)
    drafts, taken_back = list(read.drafts), read.taken_back
    try:
        reply = await mind.complete(build_prompt(messages, known), SCHEMA)
    except (ModelUnavailable, TimeoutError) as error:
        return MindResult(drafts=tuple(drafts), taken_back=taken_back, failure=str(error) or type(error).__name__)
    items = parse_reply(reply)
    if items is None:
        failure = "the reply was not the JSON that was asked for"
        return MindResult(drafts=tuple(drafts), taken_back=taken_back, failure=failure)
    by_id = {message.id: message for message in messages}
    rejected, without = 0, len(drafts)
    for item in items:
        draft = _draft_from(item, by_id)
        if draft is None:
            rejected += 1
        elif not _is_known(draft, drafts, known):
            drafts.append(draft)
    added = tuple(drafts[without:])
    return MindResult(drafts=tuple(drafts), added=added, taken_back=taken_back, rejected=rejected)


def parse_reply(reply: str) -> list[dict[str, str]] | None:
    """The memories of a reply that follows the schema, else None. A reply that talks around its JSON does not."""
    parsed = read_reply(reply)
    if not isinstance(parsed, dict) or set(parsed) != {"memories"} or not isinstance(parsed["memories"], list):
        return None
    items = parsed["memories"]
    return items if len(items) <= MEMORIES_MAX and all(_is_item(item) for item in items) else None


def _is_item(item: object) -> bool:
    return (
        isinstance(item, dict)
        and set(item) == _KEYS
        and all(isinstance(value, str) for value in item.values())
        and item["category"] in CATEGORIES
        and 8 <= len(item["content"]) <= CONTENT_CHARS_MAX
        and len(item["evidence"]) >= 8
    )


def _draft_from(item: dict[str, str], by_id: dict[str, Message]) -> Draft | None:
    message = by_id.get(item["message_id"])
    content = squash(item["content"])
    if (
        message is None
        or echoes_example(content)
        or holds_secret(content)
        or not is_evidenced(item["evidence"], message)
    ):
        return None
    return shaped(
        Draft(
            content=content,
            category=Category(item["category"]),
            provenance=Provenance.EXTRACTED,
            confidence=MIND_CONFIDENCE,
            confidence_reason="a mind read it out of the user's words",
            message_range=(message.id, message.id),
            context_snippet=squash(item["evidence"]),
            tainted=holds_outside_text(message.text),
        )
    )


def _is_known(draft: Draft, drafts: Sequence[Draft], known: Sequence[str]) -> bool:
    bag = words(draft.content)
    if any(jaccard(bag, words(text)) >= SAME_JACCARD for text in known):
        return True
    return any(
        jaccard(bag, words(other.content))
        >= (SAME_EVIDENCE_JACCARD if other.message_range == draft.message_range else SAME_JACCARD)
        for other in drafts
    )
