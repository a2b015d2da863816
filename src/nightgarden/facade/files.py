"""Files in and out of a garden: exports, imports, backups. The `garden.files` part of the public API."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from nightgarden.domain.gate import Gate
from nightgarden.domain.ports import Check, Clock, Store
from nightgarden.domain.purging import COPIES, LOCK, UNFINISHED
from nightgarden.domain.verdict import Refused, Verdict
from nightgarden.errors import BadImport, BadInput, GardenBusy, NeedsRepair, NotFound, StoreUnavailable
from nightgarden.remember.importers import FORMATS, Foreign, detect, read_foreign
from nightgarden.remember.refuse import ALLOWABLE
from nightgarden.settings import Settings
from nightgarden.store import private
from nightgarden.store.backup import prune_backups, purge_in_backups
from nightgarden.store.copies import (
    UNFINISHED as HALF,
)
from nightgarden.store.copies import (
    backup_name,
    backups_folder,
    list_backups,
    side_copies,
    unfinished_backups,
)
from nightgarden.store.engine_of_address import open_store
from nightgarden.store.exchange.admit import Terms
from nightgarden.store.exchange.json_lines import export_lines, import_lines, is_export
from nightgarden.store.exchange.markdown import export_markdown, is_markdown_export, read_blocks
from nightgarden.store.exchange.move import Moved, move
from nightgarden.store.spool_purge import purge_in_spool
from nightgarden.store.sqlite import SqliteStore

EXPORT_FORMS = ("jsonl", "markdown")


@dataclass(slots=True, kw_only=True)
class Imported:
    """What an import did."""

    form: str
    added: dict[str, int] = field(default_factory=dict)  # by type of record, or by verdict
    known: int = 0
    purged: int = 0  # erased here earlier, and so not brought back
    refused: list[str] = field(default_factory=list)
    left_out: dict[str, int] = field(default_factory=dict)  # by type: what only a trusted file brings
    problems: list[str] = field(default_factory=list)


class Files:
    """Exports, imports and backups of one garden."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock,
        home: Path,
        *,
        changed: Callable[[], None],
        remember: Callable[[Foreign, bool, frozenset[str], str | None], Awaitable[Verdict]],
        purge_pages: Callable[[Sequence[str]], Awaitable[list[Path]]],
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._home = home
        self._changed = changed
        self._remember = remember
        self._purge_pages = purge_pages

    def copies(self) -> list[Path]:
        """Every copy of the garden that the program made and knows of."""
        if not isinstance(self._store, SqliteStore):
            return []
        return [*list_backups(self._store.path), *side_copies(self._store.path)]

    async def purge(self, ids: Sequence[str]) -> list[str]:
        """Erases everywhere: in the store, its free pages and logs, every copy, notebooks and what hooks left on disk.
        Returns the ids that existed, now or before an earlier purge. Each step is noted in the store until it is done,
        so that one which a crash broke off is finished when the garden is opened next. Does not reach the log and
        backups of a PostgreSQL server."""
        async with self._store.exclusive(LOCK):
            gone = set(await self._store.purge(ids, at=self._clock.now())) | await self._store.tombstones(ids)
            await self._note_copies(gone)
            unreadable = await self._finish_purge()
        if unreadable:
            names = ", ".join(map(str, unreadable))
            raise NeedsRepair(
                f"erased here, but {names} cannot be read and may still hold it: delete what you can spare"
            )
        return [each for each in dict.fromkeys(ids) if each in gone]

    async def finish_purge(self) -> None:
        """Goes on with a purge that was broken off. One that is under way is left to who does it."""
        if await self._store.get_state(UNFINISHED) or await self._store.get_state(COPIES):
            with suppress(GardenBusy, StoreUnavailable):  # a full disk keeps nobody from reading; `doctor` tells of it
                async with self._store.exclusive(LOCK):
                    await self._finish_purge()

    async def check_purge(self) -> Check:
        """Whether what was purged is gone from everywhere. What could not be done before is tried again."""
        waiting = {*(await self._store.get_state(UNFINISHED) or ()), *(await self._store.get_state(COPIES) or ())}
        if not waiting:
            return Check(name="purge", ok=True, detail="no purge is unfinished", in_file=False)
        try:
            async with self._store.exclusive(LOCK):
                left = self.copies() if self._store.read_only else await self._finish_purge()
        except GardenBusy:
            return Check(name="purge", ok=True, detail="a purge is being finished by another process", in_file=False)
        except StoreUnavailable as error:
            words = f"what was purged ({len(waiting)}) may still stand in free pages of the file: {error}"
            return Check(name="purge", ok=False, detail=words, in_file=False)
        if not left:
            return Check(name="purge", ok=True, detail="an unfinished purge was finished", repaired=True, in_file=False)
        names = ", ".join(map(str, left))
        words = f"what was purged ({len(waiting)}) may still stand in {names}; delete what you can spare"
        return Check(name="purge", ok=False, detail=words, in_file=False)

    async def _note_copies(self, ids: Iterable[str]) -> None:
        if noted := sorted({*(await self._store.get_state(COPIES) or ()), *ids}):
            await self._store.put_state(COPIES, noted)

    async def _finish_purge(self) -> list[Path]:
        """Returns the files that could not be rid of it; as long as there are any, they are tried again."""
        if pending := await self._store.get_state(UNFINISHED):
            await self._note_copies(pending)
            await self._store.scrub()
            await self._store.put_state(UNFINISHED, None)
        ids = await self._store.get_state(COPIES)
        if not ids:
            return []
        self._drop_unfinished()
        unreadable = await asyncio.to_thread(purge_in_backups, self.copies(), ids, at=self._clock.now())
        unreadable += await asyncio.to_thread(purge_in_spool, self._home, ids)
        unreadable += await self._purge_pages(ids)
        if not unreadable:
            await self._store.put_state(COPIES, None)
        return unreadable

    def _drop_unfinished(self) -> None:
        """Backups that were broken off go. For a holder of the lock: nobody else writes one then."""
        if isinstance(self._store, SqliteStore):
            for path in unfinished_backups(self._store.path):
                path.unlink(missing_ok=True)

    def export(self, form: str = "jsonl") -> AsyncIterator[str]:
        """The whole garden as text, a piece at a time."""
        if form not in EXPORT_FORMS:
            raise BadInput(f"unknown format {form!r}; use one of {', '.join(EXPORT_FORMS)}")
        return export_lines(self._store) if form == "jsonl" else export_markdown(self._store)

    async def import_(
        self,
        path: Path,
        *,
        form: str | None = None,
        trust: bool = False,
        allow: Iterable[str] = (),
        cycle: str | None = None,
    ) -> Imported:
        """Takes in one of our exports, or another tool's memories, through the rules of `remember`. Without `trust` the
        file is outside text, whatever it says of itself."""
        allowed = frozenset(allow)
        if not path.exists():
            raise NotFound(f"there is no file {path}")
        form = form or await asyncio.to_thread(self._detect, path)
        if form in ("jsonl", "markdown"):
            return await self._import_own(path, form, allowed, trust=trust, cycle=cycle)
        if form not in FORMATS:
            raise BadInput(f"unknown format {form!r}; use one of {', '.join((*EXPORT_FORMS, *FORMATS))}")
        found, problems = await asyncio.to_thread(read_foreign, path, form)
        imported = Imported(form=form, problems=problems)
        for each in found:
            verdict = await self._remember(each, trust, allowed, cycle)
            name = type(verdict).__name__.lower()
            if isinstance(verdict, Refused):
                imported.refused.append(f"{each.source}: {verdict.rule.sentence}")
            else:
                imported.added[name] = imported.added.get(name, 0) + 1
        return imported

    def _detect(self, path: Path) -> str:
        if path.is_file():
            head = _head(path)
            if head and is_export(head[0]):
                return "jsonl"
            if is_markdown_export(head):
                return "markdown"
        form = detect(path)
        if form is None:
            raise BadImport(f"{path}: not a format that is known; say which with --format {', '.join(FORMATS)}")
        return form

    async def _import_own(
        self, path: Path, form: str, allowed: frozenset[str], *, trust: bool, cycle: str | None
    ) -> Imported:
        personal_allowed = frozenset(self._settings.remember.personal_allowed)
        gate = Gate(tainted=not trust, allowed=allowed & ALLOWABLE, personal_allowed=personal_allowed)
        terms = Terms(gate=gate, trusted=trust, at=self._clock.now(), cycle=cycle)
        with path.open(encoding="utf-8-sig", errors="replace", newline="\n") as file:
            lines: Iterable[tuple[int, str]] = enumerate(file, start=1)
            taken = await import_lines(self._store, lines if form == "jsonl" else read_blocks(lines), terms)
        self._changed()
        return Imported(
            form=form,
            added=taken.added,
            known=taken.known,
            purged=taken.purged,
            refused=taken.refused,
            left_out=taken.left_out,
            problems=taken.problems,
        )

    async def copy_to(self, address: str, progress: Callable[[int], None]) -> tuple[str, Moved]:
        """Copies the whole garden into an empty one at an address or path, and compares the two. Returns the address
        that it has now, and what was copied. Raises NeedsRepair when they differ."""
        target = await open_store(address)
        try:
            return target.url, await move(self._store, target, progress)
        finally:
            await target.close()

    async def backup(self, target: Path | None = None) -> Path:
        """A consistent copy; by default in the backups folder, where the oldest beyond a number go."""
        if not isinstance(self._store, SqliteStore):
            raise BadInput(
                "a PostgreSQL garden is backed up with pg_dump, or copied to a file with "
                "`nightgarden migrate-store --to FILE`"
            )
        garden = self._store.path
        place = target or backups_folder(garden) / backup_name(garden, self._clock.now())
        if place.exists():
            raise BadInput(f"{place} exists already; choose another name")
        private.make_folder(place.parent)
        half = place.with_name(place.name + HALF)  # has its name only when it is whole
        async with self._store.exclusive(LOCK):
            self._drop_unfinished()
            try:
                await self._store.copy_to(half)
                half.replace(place)
            finally:
                half.unlink(missing_ok=True)
            if target is None:
                prune_backups(garden, keep=self._settings.garden.backups_kept)
        return place


def _head(path: Path) -> list[str]:
    try:
        with path.open(encoding="utf-8-sig") as file:
            return [file.readline(10_000) for _ in range(2)]
    except UnicodeDecodeError:
        return []
