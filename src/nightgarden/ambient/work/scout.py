"""What may be worth doing in a project, read from its files, its history and the garden: opportunities with evidence.

Looks only: runs no code of the project, and leaves out what is ignored or secret. What failed in a session is told by
the session, not tried here.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice

from nightgarden.ambient.code_files import files_below
from nightgarden.ambient.context import CycleContext
from nightgarden.ambient.cycle_prompt import Opportunity
from nightgarden.ambient.projects import AmbientProject
from nightgarden.domain.session import Session
from nightgarden.garden import Garden
from nightgarden.learn.commit_history import read_history
from nightgarden.machine.plain_files import read_plain

TOLD_MAX = 8
FILES_MAX = 2000
FILE_BYTES_MAX = 200_000
COMMITS_LOOKED = 20
_TODO = re.compile(r"\b(TODO|FIXME)\b[:( ]{0,2}(.{0,120})")
_LINK = re.compile(r"\]\(([A-Za-z0-9_./-]{1,200})\)")
_UNFINISHED = re.compile(r"(?i)\b(?:wip|tmp|temporary|hack)\b|\A(?:fixup|squash)!")
_FAILED = re.compile(r"\b(\d{1,6}) failed\b|\bFAILED\b")
_SUFFIXES = frozenset({".py", ".js", ".ts", ".tsx", ".go", ".rs", ".java", ".rb", ".c", ".cc", ".h", ".sh", ".md"})
# What is worth most to whom it would surprise: a failing test that a session left behind, then broken promises of the
# documents, then what a commit says is not finished, then what somebody noted to do. Taste; a rejection of the user
# weighs more than all of it.
WEIGHTS = {
    "failing tests": 1.0,
    "left undone": 0.8,
    "stale docs": 0.6,
    "unfinished commit": 0.5,
    "gap": 0.4,
    "todo": 0.3,
}
_REJECTED_TIMES = 0.1


async def scout(
    garden: Garden, context: CycleContext, projects: Sequence[AmbientProject], rejected: Collection[tuple[str, str]]
) -> tuple[Opportunity, ...]:
    """The best few, the best first. `rejected`: by project and kind, what the user did not want."""
    found: list[Opportunity] = []
    for project in projects:
        sessions = [session for session in context.sessions if session.scope == project.scope]
        found += await _left_behind(garden, project, sessions)
        found += await asyncio.to_thread(_on_disk, project)
    found += [
        _made("gap", "all", f"nobody knows: {gap.snippet[:100]}", f"asked {gap.seen_count} times")
        for gap in context.gaps
    ]
    return rank(found, rejected)


def rank(found: Iterable[Opportunity], rejected: Collection[tuple[str, str]]) -> tuple[Opportunity, ...]:
    """The best first; kinds that the user rejected in a project go last there. Pure."""

    def score(each: Opportunity) -> float:
        return each.score * (_REJECTED_TIMES if (each.project, each.kind) in rejected else 1.0)

    return tuple(sorted(found, key=lambda each: (-score(each), each.project, each.what))[:TOLD_MAX])


async def _left_behind(garden: Garden, project: AmbientProject, sessions: Sequence[Session]) -> list[Opportunity]:
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


def _on_disk(project: AmbientProject) -> list[Opportunity]:
    return [*_seen_in_history(project), *_seen_in_files(project)]


def _seen_in_history(project: AmbientProject) -> Iterator[Opportunity]:
    for commit in read_history(project.root)[:COMMITS_LOOKED]:
        if _UNFINISHED.search(commit.subject):
            evidence = f"commit {commit.id[:12]} of {commit.committed_at:%Y-%m-%d}"
            yield _made("unfinished commit", project.name, commit.subject[:120], evidence)


def _seen_in_files(project: AmbientProject) -> Iterator[Opportunity]:
    code = (path for path in files_below(project.root, project.root) if path.suffix in _SUFFIXES)
    for path in islice(code, FILES_MAX):
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


def _made(kind: str, project: str, what: str, evidence: str) -> Opportunity:
    return Opportunity(kind=kind, project=project, what=what, evidence=evidence, score=WEIGHTS[kind])
