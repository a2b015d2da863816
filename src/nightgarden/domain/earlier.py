"""Records as earlier versions wrote them, read as what they are now. Pure; for exports and the journal.

Rows of the store itself are brought up to date by migrations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_CONTRADICTS = "may contradict "
_GONE = "no longer found in the code"
_UNWANTED = "an agent asked to forget it"


def read_flag(text: str) -> list[dict[str, Any]]:
    """The doubts that a sentence spoke of. The migrations read it the same way."""
    if not text:
        return []
    doubt: dict[str, Any] = {"kind": "other", "against": [], "rule": "", "detail": text}
    if text.startswith(_CONTRADICTS):
        ids, _, seen = text.removeprefix(_CONTRADICTS).partition(" (")
        doubt |= {"kind": "contradicts", "against": ids.split(", "), "detail": seen.removesuffix(")")}
    elif text.startswith(_GONE):
        doubt |= {"kind": "gone", "detail": text.removeprefix(_GONE).removeprefix(": ")}
    elif text == _UNWANTED:
        doubt |= {"kind": "unwanted", "detail": ""}
    return [doubt]


def memory_record(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A memory's record, or some fields of one, with `doubts` in the place of the sentence `flagged`."""
    flag = record.get("flagged")
    if not isinstance(flag, str):
        return record
    plain = {name: value for name, value in record.items() if name != "flagged"}
    return {"doubts": read_flag(flag)} | plain


def entry_record(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """A journal entry's record, with the sides of a memory brought up to date."""
    if record.get("subject_kind") != "memory":
        return record
    sides = {name: memory_record(record[name]) for name in ("before", "after") if isinstance(record.get(name), Mapping)}
    return {**record, **sides}
