"""From a note that passed the rules to the memory it would become. Pure.

Status, tier and confidence follow from the origin: what a person says is promoted at once; what an agent
observed starts as a candidate and is promoted by being seen, used or confirmed again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from nightgarden.domain.belief import OUTSIDE_CONFIDENCE_MAX, TAINTED_TRUST, TRUST
from nightgarden.domain.memory import (
    USER_SAID,
    Category,
    Importance,
    Memory,
    Procedure,
    Provenance,
    Reinforcement,
    Scope,
    ScopeKind,
    Status,
    Temporal,
    Tier,
)
from nightgarden.domain.text import dedupe_key, tag_names
from nightgarden.domain.trigger_expression import Unreadable, expression_of
from nightgarden.domain.verdict import Refused, Rule
from nightgarden.errors import BadInput
from nightgarden.remember.compare.entities import Entity, EntityKind, find_entities
from nightgarden.remember.note import Note
from nightgarden.remember.shape import steps_of, temporal_of, trigger_patterns

STRICT = frozenset({Category.CONVENTION, Category.PATTERN, Category.GOTCHA, Category.DECISION})
NEVER_FROM_OUTSIDE = frozenset({Category.NEGATIVE, Category.PROCEDURE})  # these tell an agent what to do
OUTSIDE_RANK = Rule(
    id="outside-rank",
    sentence="text from outside is kept as a fact: it is not pinned, and becomes no procedure and no prohibition",
    overridable=False,
)
STRICT_RULE = Rule(
    id="strict-mode",
    sentence="strict mode takes only conventions, patterns, gotchas and decisions of high importance",
    overridable=False,
)
_START_CONFIDENCE: dict[Provenance, float] = {
    Provenance.USER_STATED: 1.0,
    Provenance.USER_CORRECTED: 1.0,
    Provenance.PROMOTED: 1.0,
    Provenance.CONSOLIDATED: 0.9,
    Provenance.IMPORTED: 0.8,
    Provenance.EXTRACTED: 0.7,
    Provenance.CAPTURED: 0.65,
    Provenance.OBSERVED: 0.6,
    Provenance.INFERRED: 0.5,
}
PROMOTED_AT_ONCE = 0.7  # confidence from which a memory need not prove itself first: more than an agent observes
PROMOTED_WHEN_SEEN_AGAIN = 0.6
TAGS_MAX = 12  # with those that the text suggests
GIVEN_TAGS_MAX = 100  # more than anybody reads; a list this long is a mistake
TAG_CHARS_MAX = 100
_BLEND = 0.25  # how far a further observation moves confidence towards certainty


def build(
    note: Note, content: str, *, category: Category, memory_id: str, now: datetime, machine_id: str
) -> Memory | Refused:
    """The memory as it would be stored, or why strict mode does not take it."""
    if note.tainted and category in NEVER_FROM_OUTSIDE:
        category = Category.FACT
    if note.strict and (category not in STRICT or note.importance is not Importance.HIGH):
        return Refused(rule=STRICT_RULE)
    entities = find_entities(content)
    sure = (note.strict or note.pinned) and not note.tainted
    confidence = note.confidence if note.confidence is not None else _START_CONFIDENCE[note.provenance]
    confidence = 1.0 if sure else min(1.0, max(0.0, confidence))
    promoted = sure or (confidence >= PROMOTED_AT_ONCE and not note.tainted)
    temporal = note.temporal or temporal_of(content)
    return Memory(
        id=memory_id,
        content=content,
        category=category,
        scope=_scope(note, temporal),
        tags=_tags(note, entities),
        tier=Tier.PINNED if note.pinned and not note.tainted else (Tier.ACTIVE if promoted else Tier.FADING),
        status=Status.PROMOTED if promoted else Status.CANDIDATE,
        provenance=note.provenance,
        session_id=note.session_id,
        message_range=note.message_range,
        file_paths=_paths(note, entities),
        context_snippet=note.context_snippet,
        confidence_reason=note.confidence_reason or f"by origin: {note.provenance.value.replace('_', ' ')}",
        tainted=note.tainted,
        machine_id=machine_id,
        created_at=note.created_at,
        updated_at=now,
        confirmed_at=note.created_at,
        confidence=confidence,
        trust=min(TRUST[note.provenance], TAINTED_TRUST) if note.tainted else TRUST[note.provenance],
        importance=note.importance,
        valid_from=note.valid_from,
        valid_until=note.valid_until,
        trigger_patterns=() if note.tainted else _triggers(note, content, category),
        procedure=None if note.tainted else note.procedure or _procedure(content, category),
        temporal=temporal,
    )


def lowered(note: Note) -> bool:
    """Whether the note asked for more than text from outside gets."""
    asked = note.pinned or note.strict or bool(note.trigger_patterns) or note.category in NEVER_FROM_OUTSIDE
    return note.tainted and (asked or note.procedure is not None)


def _triggers(note: Note, content: str, category: Category) -> tuple[str, ...]:
    return note.trigger_patterns or (trigger_patterns(content) if category is Category.NEGATIVE else ())


def _procedure(content: str, category: Category) -> Procedure | None:
    found = steps_of(content) if category is Category.PROCEDURE else None
    return found.procedure if found else None


def _scope(note: Note, temporal: Temporal) -> Scope:
    """What holds only in its session is kept with the session, when that is known."""
    if temporal.session_only and note.session_id:
        return Scope(ScopeKind.SESSION, note.session_id)
    return note.scope


def given_tags(raw: Iterable[str]) -> tuple[str, ...]:
    """The tags somebody wrote, in their usual form. Raises BadInput when there are too many or one is too long."""
    names = tag_names(raw)
    if len(names) > GIVEN_TAGS_MAX:
        raise BadInput(f"{len(names):,} tags are too many; a memory takes up to {GIVEN_TAGS_MAX}")
    if long := next((name for name in names if len(name) > TAG_CHARS_MAX), None):
        raise BadInput(f"the tag {long[:20]}… is too long; a tag takes up to {TAG_CHARS_MAX} characters")
    return names


def given_triggers(raw: Iterable[str]) -> tuple[str, ...]:
    """The trigger patterns somebody wrote. Raises BadInput for an expression that could never be run."""
    patterns = tuple(raw)
    for pattern in patterns:
        try:
            expression_of(pattern)
        except Unreadable as error:
            raise BadInput(f"the trigger {pattern[:60]!r} cannot be used: {error}; write it as plain words") from None
    return patterns


def _tags(note: Note, entities: tuple[Entity, ...]) -> tuple[str, ...]:
    """The author's tags, and those the text itself suggests: technologies, and languages of the files it names."""
    given = given_tags(note.tags)
    inferred = [entity.value for entity in entities if entity.kind is EntityKind.TECHNOLOGY]
    inferred += [language for path in _paths(note, entities) if (language := _LANGUAGES.get(_suffix(path)))]
    room = max(0, TAGS_MAX - len(given))
    return tuple(sorted({*given, *[tag for tag in tag_names(inferred) if tag not in given][:room]}))


_LANGUAGES = {
    "py": "python", "pyi": "python", "rs": "rust", "go": "go", "ts": "typescript", "tsx": "typescript",
    "js": "javascript", "jsx": "javascript", "mjs": "javascript", "java": "java", "kt": "kotlin", "rb": "ruby",
    "php": "php", "cs": "csharp", "cpp": "cpp", "cc": "cpp", "hpp": "cpp", "c": "c", "h": "c", "swift": "swift",
    "sql": "sql", "sh": "shell", "tf": "terraform", "css": "css", "html": "html", "vue": "vue", "ex": "elixir",
}  # fmt: skip


def _suffix(path: str) -> str:
    return path.rsplit(".", 1)[-1].lower() if "." in path.rsplit("/", 1)[-1] else ""


def _paths(note: Note, entities: tuple[Entity, ...]) -> tuple[str, ...]:
    found = (entity.text.strip("`'\"") for entity in entities if entity.kind is EntityKind.PATH)
    return tuple(dict.fromkeys((*note.file_paths, *found)))


def reinforced(known: Memory, new: Memory, *, now: datetime) -> Memory:
    """The known memory after it was met again: stronger, surer, with a breadcrumb, promoted if it was a candidate."""
    crumb = Reinforcement(
        at=new.created_at,
        session_id=new.session_id,
        message_id=new.message_range[0] if new.message_range else None,
    )
    known = _in_better_words(known, new)
    weight = new.confidence * new.trust
    confidence = min(1.0, known.confidence + (1.0 - known.confidence) * _BLEND * weight)
    outside = known.tainted or new.tainted
    if outside:  # whoever writes it decides how often it is met
        confidence = min(confidence, OUTSIDE_CONFIDENCE_MAX)
    after = replace(
        known,
        strength=known.strength + (not new.tainted),
        observation_count=known.observation_count + (not new.tainted),
        confidence=max(confidence, min(known.confidence, 1.0)),
        reinforcements=(*known.reinforcements, crumb)[-REINFORCEMENTS_MAX:],
        confirmed_at=known.confirmed_at if new.tainted else max(known.confirmed_at or known.created_at, new.created_at),
        tags=_joined_tags(known, new) if outside == known.tainted else known.tags,
        importance=known.importance if new.tainted else max(known.importance, new.importance, key=_WEIGHT),
        tier=known.tier if new.tainted else min(known.tier, new.tier),
        updated_at=now,
    )
    if not outside and after.status is Status.CANDIDATE and after.confidence >= PROMOTED_WHEN_SEEN_AGAIN:
        after = replace(after, status=Status.PROMOTED, tier=min(after.tier, Tier.ACTIVE))
    return after


_WEIGHT = list(Importance).index


def _joined_tags(known: Memory, new: Memory) -> tuple[str, ...]:
    return tuple(sorted({*known.tags, *new.tags}))[: max(TAGS_MAX, len(known.tags))]


def _in_better_words(known: Memory, new: Memory) -> Memory:
    """What an agent or a file said first and the user says now is the user's word from now on. Outside text only when
    it is repeated to the letter, by the user or from a file the user vouches for: its own words are kept."""
    to_the_letter = dedupe_key(known.content) == dedupe_key(new.content)
    vouched = new.provenance in USER_SAID or (new.provenance is Provenance.IMPORTED and to_the_letter and known.tainted)
    if new.tainted or not vouched or (known.tainted and not to_the_letter):
        return known
    if not known.tainted and known.provenance in USER_SAID:
        return known
    return replace(
        known,
        provenance=new.provenance,
        trust=new.trust,
        tainted=False,
        confidence=max(known.confidence, new.confidence),
        confidence_reason=new.confidence_reason,
    )


REINFORCEMENTS_MAX = 50  # breadcrumbs kept; strength goes on counting
