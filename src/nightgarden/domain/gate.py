"""The gate before everything that is stored: what no string of a value may hold, whoever wrote it, in any field.

Pure. Looks for secrets, personal data, text that we injected ourselves and, in values that outside text shaped, orders.
It takes a value apart by itself, so that a field added later is looked at without being named here. What makes a good
statement (length, worth, what the code says better) is asked of its text alone, elsewhere. A secret that is cut into
pieces over several fields is not seen.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace

from nightgarden.domain.personal import PERSONAL_DATA, find_personal
from nightgarden.domain.redact import scrub
from nightgarden.domain.secrets import SECRET, find_secrets
from nightgarden.domain.taint import (
    INSTRUCTION_LIKE,
    OWN_INJECTION,
    contains_injected,
    instruction_like,
    strip_injected,
)
from nightgarden.domain.verdict import Finding, Refused

# Ids that programs make: a long number in one is nobody's telephone.
_MADE = frozenset(
    "id session_id message_id message_range message_ids machine_id superseded_by owner source target key"
    " subject_id cycle member_ids closed_by extracted_through mind_through parent_id cursor scope directory".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """What a person lifted, and whether outside text shaped what is to be stored."""

    tainted: bool = False
    allowed: frozenset[str] = frozenset()  # ids of rules
    personal_allowed: frozenset[str] = frozenset()

    def refuse(self, value: object) -> Refused | None:
        """The first rule that stands against any string of a value: a record, a dataclass, a list of either."""
        for name, text in strings_of(value):
            if refused := self._refuse_one(name, text):
                return refused
        return None

    def _refuse_one(self, name: str, text: str) -> Refused | None:
        if contains_injected(text):
            return Refused(rule=OWN_INJECTION, findings=_within(name, (_whole(text),)))
        if SECRET.id not in self.allowed and (found := find_secrets(text)):
            return Refused(rule=SECRET, findings=_within(name, found))
        if name in _MADE:
            return None
        if PERSONAL_DATA.id not in self.allowed and (found := find_personal(text, self.personal_allowed)):
            return Refused(rule=PERSONAL_DATA, findings=_within(name, found))
        if self.tainted and INSTRUCTION_LIKE.id not in self.allowed and (found := instruction_like(text)):
            return Refused(rule=INSTRUCTION_LIKE, findings=_within(name, found))
        return None


def strings_of(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """Every string inside a value, with the name of the field it stands in."""
    if isinstance(value, str):
        if value:
            yield name, value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from strings_of(each, str(key))
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from strings_of(each, name)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from strings_of(getattr(value, field.name), field.name)


def scrubbed(text: str) -> str:
    """A quotation as it may be kept beside a statement: without secrets and without what we injected."""
    return scrub(strip_injected(text), find_secrets)


def safe_id(text: str) -> str:
    """An id that a client or a file made, as it may be kept: one with a secret in it becomes another, always the same.
    Ids lead from one record to the next, so they are neither refused nor blacked out."""
    if not find_secrets(text):
        return text
    return f"redacted-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:24]}"


def _whole(text: str) -> Finding:
    return Finding(rule=OWN_INJECTION, start=0, end=len(text), what="our own mark")


def _within(name: str, found: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """The findings with the field they are in, for people."""
    place = f" in {name.replace('_', ' ')}" if name else ""
    return tuple(replace(finding, what=f"{finding.what or finding.rule.id}{place}") for finding in found)
