"""What became of a thing somebody wanted remembered. A closed set; callers match all of it."""

from __future__ import annotations

from dataclasses import dataclass

from nightgarden.domain.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A reason for a verdict: an id to name it by, and a sentence for people."""

    id: str
    sentence: str
    overridable: bool = True  # may a person lift it with `--allow ID`?


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """Where in a text a rule applies: `text[start:end]`."""

    rule: Rule
    start: int
    end: int
    what: str = ""  # e.g. "AWS access key"; never the secret itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A new memory was stored."""

    memory: Memory
    rule: Rule | None = None

    @property
    def id(self) -> str:
        return self.memory.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforced:
    """It was known already; the known memory became stronger."""

    memory: Memory
    rule: Rule

    @property
    def id(self) -> str:
        return self.memory.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """A new memory was stored and replaces older ones that it contradicts."""

    memory: Memory
    replaced_ids: tuple[str, ...]
    rule: Rule

    @property
    def id(self) -> str:
        return self.memory.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """A new memory was stored, and may contradict others: the user should look."""

    memory: Memory
    conflicting_ids: tuple[str, ...]
    rule: Rule

    @property
    def id(self) -> str:
        return self.memory.id


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing was stored, and the rule says why."""

    rule: Rule
    findings: tuple[Finding, ...] = ()
    further: tuple[Rule, ...] = ()  # what would stand against it once `rule` was lifted

    @property
    def id(self) -> None:
        return None

    @property
    def to_lift(self) -> tuple[Rule, ...]:
        """All rules that a person would have to lift; empty when one of them cannot be."""
        rules = (self.rule, *self.further)
        return rules if all(rule.overridable for rule in rules) else ()


Verdict = Saved | Reinforced | Superseded | Flagged | Refused
