"""What may be worth doing in a project, read from its files, its history and the garden: opportunities with evidence.

Looks only: runs no code of the project, and leaves out what is ignored or secret. What failed in a session is told by
the session, not tried here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from nightgarden.ambient.context import Context
from nightgarden.ambient.projects import Project
from nightgarden.ambient.prompt import Opportunity
from nightgarden.domain.memory import Memory
from nightgarden.domain.session import Session
from nightgarden.garden import Garden
from nightgarden.plain_files import read_plain, walk_files
from nightgarden.safety.secret_files import is_secret

TOLD_MAX = 8
FILES_MAX = 2000
NAMES_MAX = 100_000  # looked at to find them
FILE_BYTES_MAX = 200_000
_SKIPPED = frozenset({"node_modules", "__pycache__", "dist", "build", "target", "vendor"})
_TODO = re.compile(r"\b(TODO|FIXME)\b[:( ]{0,2}(.{0,120})")
_LINK = re.compile(r"\]\(([A-Za-z0-9_./-]{1,200})\)")
_FAILED = re.compile(r"\b(\d{1,6}) failed\b|\bFAILED\b")
_SUFFIXES = frozenset({".py", ".js", ".ts", ".tsx", ".go", ".rs", ".java", ".rb", ".c", ".cc", ".h", ".sh", ".md"})
# What is worth most to whom it would surprise: a failing test that a session left behind, then broken promises of the
# documents, then what somebody noted to do. Taste; a rejection of the user weighs more than all of it.
_WEIGHTS = {"failing tests": 1.0, "left undone": 0.8, "stale docs": 0.6, "gap": 0.4, "todo": 0.3}
_REJECTED_TIMES = 0.1


async def scout(garden: Garden, context: Context, projects: Sequence[Project]) -> tuple[Opportunity, ...]:
    """The best few, the best first."""
    found: list[Opportunity] = []
    for project in projects:
        sessions = [session for session in context.sessions if session.scope == project.scope]
        found += await _left_behind(garden, project, sessions)
        found += await asyncio.to_thread(_in_files, project)
    found += [
        _made("gap", "all", f"nobody knows: {gap.snippet[:100]}", f"asked {gap.seen_count} times")
        for gap in context.gaps
    ]
    return rank(found, context.feedback)


def rank(found: Iterable[Opportunity], feedback: Sequence[Memory]) -> tuple[Opportunity, ...]:
    """The best first; kinds that the user rejected go last. Pure."""
    rejected = " ".join(memory.content.lower() for memory in feedback if "rejected" in memory.content.lower())

    def score(each: Opportunity) -> float:
        return each.score * (_REJECTED_TIMES if each.kind in rejected else 1.0)

    return tuple(sorted(found, key=lambda each: (-score(each), each.project, each.what))[:TOLD_MAX])


async def _left_behind(garden: Garden, project: Project, sessions: Sequence[Session]) -> list[Opportunity]:
    """Tests that failed when a session ended, and what it left undone."""
    found = []
    for session in sessions[:5]:
        whole = await garden.sessions.get(session.id)
        runs = [message for message in whole.messages if message.role == "tool" and _FAILED.search(message.text)]
        if runs and runs[-1].failed:
            evidence = f"session {session.id[:20]} ended so: {' '.join(runs[-1].text.split())[-120:]}"
            found.append(_made("failing tests", project.name, "the tests fail", evidence))
    handoffs = await garden.list(scope=(project.scope,), category="handoff", limit=3)
    found += [_made("left undone", project.name, memory.content[:120], "a session left it") for memory in handoffs]
    return found


def _in_files(project: Project) -> list[Opportunity]:
    return list(_seen_in_files(project))


def _seen_in_files(project: Project) -> Iterator[Opportunity]:
    for path in islice(_files(project.root), FILES_MAX):
        try:
            text = read_plain(path, bytes_max=FILE_BYTES_MAX).decode("utf-8", "replace")
        except (OSError, ValueError):
            continue
        name = str(path.relative_to(project.root))
        if path.suffix == ".md":
            broken = [link for link in _LINK.findall(text) if not (path.parent / link).exists()]
            if broken:
                yield _made("stale docs", project.name, f"{name} links to what is not there", f"{broken[0]}")
        elif match := _TODO.search(text):
            line = text.count("\n", 0, match.start()) + 1
            yield _made("todo", project.name, f"{match[1]} in {name}: {match[2].strip()}", f"line {line}")


def _files(root: Path) -> Iterator[Path]:
    def enter(folder: Path) -> bool:
        return not folder.name.startswith(".") and folder.name not in _SKIPPED

    for path in islice(walk_files(root, enter), NAMES_MAX):
        if path.suffix in _SUFFIXES and not is_secret(str(path)):
            yield path


def _made(kind: str, project: str, what: str, evidence: str) -> Opportunity:
    return Opportunity(kind=kind, project=project, what=what, evidence=evidence, score=_WEIGHTS[kind])
