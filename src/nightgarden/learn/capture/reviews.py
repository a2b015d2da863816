"""Comments and checks in what GitHub tells of a pull request. Pure.

Reads what `gh pr view --json` and `gh api` print and what a webhook sends. Raises BadInput for what is none of these,
with the reason; a payload that holds something else besides is read as far as it is understood.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nightgarden.domain.time import read_moment
from nightgarden.errors import BadInput

PAYLOAD_CHARS_MAX = 4_000_000
COMMENTS_MAX = 2_000
_FAILED = ("failure", "timed_out", "startup_failure", "error")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """What somebody said in a review."""

    key: str  # the same each time it is told
    author: str
    body: str
    bot: bool = False
    path: str = ""
    changes_requested: bool = False
    at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCheck:
    """A check that did not pass."""

    key: str
    name: str
    summary: str = ""
    at: datetime | None = None


def read_payload(text: str) -> tuple[list[Comment], list[FailedCheck]]:
    """The comments and the failed checks. Raises BadInput."""
    if len(text) > PAYLOAD_CHARS_MAX:
        raise BadInput(f"the payload has more than {PAYLOAD_CHARS_MAX:,} characters; ask for fewer comments at a time")
    start = text.lstrip()[:1]
    if start == "<":
        raise BadInput("the payload is an HTML page, not JSON; was the address asked for without a login?")
    if not start:
        raise BadInput("the payload is empty; give what `gh pr view N --json reviews,comments` prints")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the payload is not valid JSON ({_short(error)}); it may have been cut off") from None
    comments, checks = list(_comments(data)), list(_checks(data))
    if not comments and not checks and not _is_review(data):
        raise BadInput("there are no comments, reviews or checks in the payload; see `nightgarden capture pr --help`")
    return comments[:COMMENTS_MAX], checks[:COMMENTS_MAX]


def _is_review(data: Any) -> bool:
    """Whether it is a payload that merely has nothing in it."""
    if isinstance(data, list):
        return not data
    return isinstance(data, dict) and any(
        name in data for name in ("reviews", "comments", "statusCheckRollup", "pull_request", "check_run", "issue")
    )


def _comments(data: Any) -> Iterator[Comment]:
    if isinstance(data, list):
        for each in data:
            yield from _one(each, "")
    elif isinstance(data, Mapping):
        about = _about(data)
        for name in ("comments", "reviews", "latestReviews", "reviewThreads"):
            for each in _list(data.get(name)):
                inner = _list(each.get("comments")) if isinstance(each, Mapping) and name == "reviewThreads" else [each]
                for comment in inner:
                    yield from _one(comment, about)
        for name in ("comment", "review"):
            yield from _one(data.get(name), about)


def _one(data: Any, about: str) -> Iterator[Comment]:
    if not isinstance(data, Mapping):
        return
    body, person = data.get("body"), data.get("user") or data.get("author")
    if not isinstance(body, str) or not body.strip():
        return
    who = person if isinstance(person, Mapping) else {}
    name = str(who.get("login") or who.get("name") or (person if isinstance(person, str) else ""))
    key = str(data.get("node_id") or data.get("id") or data.get("html_url") or data.get("url") or f"{about}:{body}")
    yield Comment(
        key=key,
        author=name,
        body=body,
        bot=str(who.get("type", "")).lower() == "bot" or who.get("is_bot") is True,
        path=data["path"] if isinstance(data.get("path"), str) else "",
        changes_requested=str(data.get("state", "")).lower() == "changes_requested",
        at=_moment(
            data.get("submitted_at") or data.get("submittedAt") or data.get("created_at") or data.get("createdAt")
        ),
    )


def _checks(data: Any) -> Iterator[FailedCheck]:
    if not isinstance(data, Mapping):
        return
    about = _about(data)
    for each in (*_list(data.get("statusCheckRollup")), *_list(data.get("check_runs")), data.get("check_run")):
        if not isinstance(each, Mapping):
            continue
        name = each.get("name") or each.get("context")
        state = str(each.get("conclusion") or each.get("state") or "").lower()
        if not isinstance(name, str) or not name or state not in _FAILED:
            continue
        told = each.get("output")
        output: Mapping[str, Any] = told if isinstance(told, Mapping) else {}
        summary = output.get("title") or output.get("summary") or each.get("description") or ""
        run = each.get("id") or each.get("detailsUrl") or each.get("details_url") or each.get("completedAt") or ""
        yield FailedCheck(
            key=f"{about}:{name}:{run}",
            name=name,
            summary=summary if isinstance(summary, str) else "",
            at=_moment(each.get("completed_at") or each.get("completedAt")),
        )


def _about(data: Mapping[str, Any]) -> str:
    """Which pull request it is."""
    pull = data.get("pull_request")
    inner: Mapping[str, Any] = pull if isinstance(pull, Mapping) else data
    return str(inner.get("html_url") or inner.get("url") or inner.get("number") or "")


def _list(value: Any) -> list[Any]:
    if isinstance(value, Mapping):  # of GraphQL
        value = value.get("nodes")
    return value if isinstance(value, list) else []


def _moment(value: Any) -> datetime | None:
    try:
        return read_moment(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _short(error: BaseException) -> str:
    return str(error)[:80] or type(error).__name__
