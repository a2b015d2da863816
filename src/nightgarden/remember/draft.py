"""A memory somebody proposes, before the write pipeline has judged it. Knows nothing of scope, ids or the store."""

from __future__ import annotations

from dataclasses import dataclass, field

from nightgarden.domain.memory import Category, Importance, Procedure, Provenance, Temporal

CONTENT_CHARS_MAX = 400  # one fact per memory, with its reason; a statement longer than this holds more than one
SNIPPET_CHARS_MAX = 240  # enough to see what was being discussed


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What the write pipeline takes: a statement, where it came from, and how sure its reader was."""

    content: str
    category: Category
    provenance: Provenance = Provenance.USER_STATED
    confidence: float = 1.0
    confidence_reason: str = ""
    importance: Importance = Importance.MEDIUM
    message_range: tuple[str, str] | None = None  # ids of the first and last message it was read from
    context_snippet: str = ""
    tags: tuple[str, ...] = ()
    trigger_patterns: tuple[str, ...] = ()
    procedure: Procedure | None = None
    temporal: Temporal = field(default_factory=Temporal)
    tainted: bool = False  # did outside text shape it?
    personal: bool = False  # about the user as a person, so it holds everywhere
    news: float | None = None  # how much it was told as a change, if the classifier read it
    tentative: bool = False  # too weak to be kept for itself, but it may be news of something known
