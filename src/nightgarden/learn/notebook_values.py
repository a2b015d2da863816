"""The notebook as text: an index and one page a topic, made of a project's promoted memories, and what a person changed
in them. Pure.

The same memories give the same text, whatever the day: entries stand in the order they were made, and which of too many
are shown does not follow how they are believed at the moment. Every entry ends in a mark with the id of its memory.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from nightgarden.domain.memory import Category, Importance, Memory, Status
from nightgarden.recall.line import clean

FOLDER = ".nightgarden/memory"
INDEX = "MEMORY.md"
TOPICS: dict[str, tuple[Category, ...]] = {
    "conventions": (Category.CONVENTION,),
    "gotchas": (Category.GOTCHA, Category.NEGATIVE, Category.CORRECTION),
    "decisions": (Category.DECISION,),
    "preferences": (Category.PREFERENCE,),
    "patterns": (Category.PATTERN,),
    "procedures": (Category.PROCEDURE,),
    "facts": (Category.FACT, Category.ENTITY),
}
PAGES = (INDEX, *(f"{topic}.md" for topic in TOPICS))
PINNED_SHOWN = 6  # in the index; taken over from an earlier system of this kind
PER_TOPIC_SHOWN = 2
PAGE_CHARS_MAX = 12_000
PAGE_BYTES_MAX = 400_000  # of a page that is read, which people may have made longer
INDEX_CHARS_MAX = 6_000
ENTRY_CHARS_MAX = 600
VERSIONS_KNOWN = 50  # of each page: what a checkout of an older state brings back is no edit
_NOTE = (
    "<!-- Written by nightgarden from what is remembered of this project. Edit a line, or add one: it becomes your own "
    "statement, and the page is written anew. -->"
)
_ENTRY = re.compile(r"^[-*] (.*?)[ \t]*(?:<!-- ([0-9A-Za-z-]{8,64}) -->)?[ \t]*$")
_ORDER = {Importance.HIGH: 0, Importance.MEDIUM: 1, Importance.LOW: 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageState:
    """A page as it was last written: its entries by id, and digests of it and of earlier versions, newest first."""

    entries: Mapping[str, str] = field(default_factory=dict)
    digests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookState:
    """What is known of a project's notebook."""

    root: str = ""
    machine: str = ""
    pages: Mapping[str, PageState] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One file of the notebook."""

    name: str
    text: str
    entries: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edits:
    """What a person did to a page."""

    changed: tuple[tuple[str, str], ...] = ()  # id, new text
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()  # ids

    def __bool__(self) -> bool:
        return bool(self.changed or self.added or self.removed)


def shown_in_notebook(memory: Memory) -> bool:
    """Promoted, and nobody's doubt: agents read the pages as part of the project."""
    return (
        memory.live
        and memory.status is Status.PROMOTED
        and not memory.tainted
        and not memory.flagged
        and not memory.temporal.session_only
        and any(memory.category in categories for categories in TOPICS.values())
    )


def write_pages(memories: Iterable[Memory], project: str) -> list[Page]:
    """All pages, the index first."""
    kept = [memory for memory in memories if shown_in_notebook(memory)]
    by_topic = {topic: [m for m in kept if m.category in categories] for topic, categories in TOPICS.items()}
    topics = [_topic_page(topic, members) for topic, members in by_topic.items()]
    return [_index_page(kept, by_topic, project), *topics]


def _index_page(kept: Sequence[Memory], by_topic: Mapping[str, Sequence[Memory]], project: str) -> Page:
    lines = [f"# What is remembered of {clean(project)}", "", _NOTE, ""]
    pinned = chosen([memory for memory in kept if memory.pinned], PINNED_SHOWN, INDEX_CHARS_MAX // 2)
    shown = list(pinned)
    if pinned:
        lines += ["## Pinned", "", *map(entry_line, pinned), ""]
    for topic, members in by_topic.items():
        if members:
            known = {memory.id for memory in shown}
            room = max(0, INDEX_CHARS_MAX - sum(map(len, lines)))
            few = chosen([memory for memory in members if memory.id not in known], PER_TOPIC_SHOWN, room)
            shown += few
            lines += [f"## [{topic.capitalize()}]({topic}.md) ({len(members)})", "", *map(entry_line, few)]
            lines += [""] if few else []
    if not kept:
        lines += ["Nothing yet.", ""]
    return Page(name=INDEX, text="\n".join(lines), entries={memory.id: entry_text(memory) for memory in shown})


def _topic_page(topic: str, members: Sequence[Memory]) -> Page:
    shown = chosen(members, len(members), PAGE_CHARS_MAX)
    left = len(members) - len(shown)
    lines = [f"# {topic.capitalize()}", "", _NOTE, "", *map(entry_line, shown)]
    lines += [f"_{left} more: `nightgarden list` shows them._"] if left else []
    lines += ["Nothing yet."] if not members else []
    text = "\n".join([*lines, ""])
    return Page(name=f"{topic}.md", text=text, entries={memory.id: entry_text(memory) for memory in shown})


def chosen(members: Sequence[Memory], count: int, room: int) -> list[Memory]:
    """The weightiest that fit, in the order they were made."""
    kept = []
    for memory in sorted(members, key=lambda m: (not m.pinned, _ORDER[m.importance], m.id))[:count]:
        room -= len(entry_line(memory)) + 1
        if room < 0:
            break
        kept.append(memory)
    return sorted(kept, key=lambda memory: memory.id)


def entry_text(memory: Memory) -> str:
    """A memory as one line."""
    text = memory.content
    if memory.procedure is not None and memory.procedure.steps:
        text += " " + " ".join(f"{number}. {step}" for number, step in enumerate(memory.procedure.steps, start=1))
    line = clean(text).replace("<!--", "‹!--").replace("-->", "--›")
    return line if len(line) <= ENTRY_CHARS_MAX else line[: ENTRY_CHARS_MAX - 1].rstrip() + "…"


def entry_line(memory: Memory) -> str:
    return f"- {entry_text(memory)} <!-- {memory.id} -->"


def digest_of(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def page_state(page: Page, before: PageState | None) -> PageState:
    """What is kept of a page that was written."""
    known = before.digests if before is not None else ()
    digests = dict.fromkeys((digest_of(page.text), *known))
    return PageState(entries=page.entries, digests=tuple(digests)[:VERSIONS_KNOWN])


def edits_in(text: str, written: PageState | None) -> Edits:
    """What a person changed in a page since it was written; nothing when it is a version that we wrote ourselves."""
    if written is not None and digest_of(text) in written.digests:
        return Edits()
    known = written.entries if written is not None else {}
    found: dict[str, str] = {}
    added: list[str] = []
    for said, id in _entries(text):
        if id is not None and id not in found:
            found[id] = said
        elif said:
            added.append(said)
    changed = tuple((id, said) for id, said in found.items() if said and said != known.get(id) and id in known)
    removed = tuple(id for id in known if not found.get(id))
    return Edits(changed=changed, added=tuple(dict.fromkeys(added)), removed=removed)


def without_entries(text: str, ids: Container[str]) -> str:
    """A page without the lines of these memories; all else as it was, line ends included."""
    lines = text.splitlines(keepends=True)
    return "".join(line for line in lines if (match := _ENTRY.match(line.rstrip())) is None or match[2] not in ids)


def said_in(text: str) -> list[str]:
    """What the entries of a page say, without their marks."""
    return [said for said, _ in _entries(text) if said]


def _entries(text: str) -> Iterator[tuple[str, str | None]]:
    for line in _own_lines(text):
        match = _ENTRY.match(line)
        yield (match[1].strip(), match[2]) if match else (line.strip(), None)


def _own_lines(text: str) -> list[str]:
    """Lines that say something: not headings, nor what we write around the entries."""
    kept = []
    for line in text.splitlines():
        plain = line.strip()
        ours = plain.startswith(("#", "<!--", "<<<<<<<", "=======", ">>>>>>>")) or plain == "Nothing yet."
        if plain and not ours and not (plain.startswith("_") and plain.endswith("shows them._")):
            kept.append(line)
    return kept
