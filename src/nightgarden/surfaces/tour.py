"""`make run`: the main job on bundled sample sessions, in a throw-away garden. Shows before and after.

With a terminal it then serves the dashboard until Ctrl-C; without one it ends.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from nightgarden.domain.verdict import Refused
from nightgarden.garden import Garden
from nightgarden.samples import PASTED_SECRET, sample_sessions
from nightgarden.surfaces.cli.screen import count, cut, paint, width

QUESTIONS = (
    "which port does the API listen on?",
    "what version of PostgreSQL do we run?",
    "may I deploy on Friday?",
    "how should money be stored?",
    "who reviews the payment code?",
    "why was the calendar slow?",
)


def main() -> int:
    """Runs the tour; 0 when everything went as it should."""
    with tempfile.TemporaryDirectory(prefix="nightgarden-") as folder:
        try:
            return asyncio.run(_tour(Path(folder)))
        except KeyboardInterrupt:
            return 0


async def _tour(folder: Path) -> int:
    async with Garden.open(folder / "garden.db", directory=folder) as garden:
        _title("Three weeks of sessions go in")
        for session in sample_sessions():
            await garden.sessions.add(session)
            harvest = await garden.sessions.extract(session.id)
            print(f"  {session.title}: {count(len(session.messages), 'message')} read")
            for draft, verdict in harvest.verdicts:
                name = type(verdict).__name__.lower()
                colour = {"saved": "green", "refused": "red"}.get(name, "yellow")
                why = f"  ({verdict.rule.id})" if verdict.rule else ""
                shown = "…" if isinstance(verdict, Refused) else cut(draft.content, max(40, width() - 36))
                print(f"    {paint(f'{name:<10}', colour)} {shown}{paint(why, 'dim')}")
        await garden.settle()
        await _ask(garden)
        return await _check(garden, folder)


async def _ask(garden: Garden) -> None:
    _title("Recall, with reasons")
    for question in QUESTIONS:
        found = await garden.recall(question, limit=2)
        print(f"  {paint(question, 'bold')}  {paint(f'{found.took_ms:.0f} ms', 'dim')}")
        for result in found.results:
            print(f"    {cut(result.content, max(40, width() - 6))}")
            print(paint(f"      {result.category or 'passage'}: {'; '.join(result.reasons)}", "dim"))


async def _check(garden: Garden, folder: Path) -> int:
    _title("What is there now")
    stats = await garden.stats()
    live = await garden.list(limit=None, scope="all")
    past = await garden.list(limit=None, scope="all", archived=True)
    print(f"  {count(len(live), 'memory')} live, {len(past)} superseded, {count(stats.counts.passages, 'passage')}")
    for memory in past:
        current = await garden.get(memory.superseded_by) if memory.superseded_by else None
        if current:
            print(f"    {paint(memory.content, 'dim')}  →  {current.content}")
    leaked = any(PASTED_SECRET.encode() in path.read_bytes() for path in folder.iterdir() if path.is_file())
    print(f"  the secret that was pasted by mistake is {paint('STORED', 'red') if leaked else 'nowhere in the garden'}")
    return 1 if leaked else 0


def _title(text: str) -> None:
    print(f"\n{paint(text, 'bold', 'cyan')}")


if __name__ == "__main__":
    sys.exit(main())
