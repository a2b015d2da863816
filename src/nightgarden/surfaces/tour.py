"""`make run`: the main job on bundled sample sessions, in a throw-away garden. Shows before and after.

With a terminal it then serves the dashboard until Ctrl-C; without one it ends.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from nightgarden.domain.verdict import Refused
from nightgarden.errors import DaemonAway, DaemonSlow, Unreachable
from nightgarden.garden import Garden
from nightgarden.machine import programs
from nightgarden.samples import PASTED_SECRET, sample_sessions
from nightgarden.surfaces import client
from nightgarden.surfaces.cli.screen import count, cut, paint, width
from nightgarden.surfaces.daemon.folder import DaemonFolder

if TYPE_CHECKING:
    from subprocess import Popen

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
            code = asyncio.run(_tour(Path(folder)))
            if code == 0 and sys.stdin.isatty() and sys.stdout.isatty():
                _serve(Path(folder))
            return code
        except KeyboardInterrupt:
            return 0


def _serve(folder: Path) -> None:
    """The dashboard on the throw-away garden, until Ctrl-C."""
    env = os.environ | {"NIGHTGARDEN_HOME": str(folder)}
    with programs.start(programs.own_words("serve"), env=env, cwd=folder) as daemon:
        try:
            address = _wait_for(folder, daemon)
            _title("The dashboard")
            print(f"  {address}\n  Ctrl-C ends it and throws the garden away.")
            daemon.wait()
        finally:
            daemon.terminate()


def _wait_for(folder: Path, daemon: Popen[bytes]) -> str:
    until = time.monotonic() + 30.0
    while daemon.poll() is None and time.monotonic() < until:
        with suppress(DaemonAway, DaemonSlow):
            found = client.ask("status", home=str(folder), timeout_ms=1000)
            return f"{found['http']}/#token={DaemonFolder(folder).token()}"
        time.sleep(0.1)
    raise Unreachable("the dashboard did not start; see `nightgarden logs`")


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
                shown = "…" if isinstance(verdict, Refused) else cut(draft.content, max(40, width() - 15))
                print(f"    {paint(f'{name:<10}', colour)} {shown}")
                if verdict.rule:
                    print(paint(f"               {verdict.rule.sentence}", "dim"))
        await garden.settle()
        await _ask(garden)
        await _tend(garden)
        return await _check(garden, folder)


async def _tend(garden: Garden) -> None:
    _title("Tending, which happens when you are idle")
    before, links = len(await garden.list(limit=None)), (await garden.stats()).counts.edges
    report = await garden.tend(full=True)
    after, more = len(await garden.list(limit=None)), (await garden.stats()).counts.edges
    for name, outcome in report.operations.items():
        if outcome.changes:
            print(f"  {name}: {outcome.words()}")
    print(f"  before: {count(before, 'memory')} and {count(links, 'link')}; after: {after} and {more}")
    print(paint("  in a garden of your own, `nightgarden undo` takes all of it back", "dim"))


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
