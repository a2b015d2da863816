"""What a crash breaks off is finished by the next command, or said by it: purge, restore, repair, migration, backup."""

from __future__ import annotations

import json
import sqlite3
import stat
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from nightgarden import Garden, Message, Saved, Session
from nightgarden.domain.ports import EmbeddingModel
from nightgarden.domain.purging import COPIES, UNFINISHED
from nightgarden.errors import CorruptGarden, NeedsRepair, NewerGarden, StoreUnavailable
from nightgarden.store.copies import list_backups
from nightgarden.store.engine_of_address import open_store
from nightgarden.store.exchange.move import move
from nightgarden.store.sqlite import SqliteStore, swap
from tests.cli.command import run
from tests.conftest import Open
from tests.test_purge import SECRET_PLACE, WORD, files_holding

AT = datetime(2026, 11, 1, 9, tzinfo=UTC)


async def saved(garden: Garden, text: str, **more: object) -> str:
    verdict = await garden.remember(text, **more)  # type: ignore[arg-type]
    assert isinstance(verdict, Saved)
    return verdict.id


async def test_a_purge_that_was_broken_off_after_its_commit_is_finished_at_the_next_open(
    open_garden: Open, home: Path
) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, SECRET_PLACE)
        await garden.files.backup()
        await garden.store.purge([memory_id], at=AT)  # as if it were killed right after
    assert files_holding(home, WORD)
    again = run(home, "purge", memory_id, "--yes")
    assert again.code == 0
    assert files_holding(home, WORD) == []
    async with open_garden() as garden:
        assert await garden.store.get_state(UNFINISHED) is None
        assert await garden.store.get_state(COPIES) is None


async def test_a_purge_reaches_what_a_killed_restore_or_backup_left(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, SECRET_PLACE)
        backup = await garden.files.backup()
        for left in (home / "garden.db.incoming", home / "garden.db.rescued", backup.with_name(backup.name + ".part")):
            left.write_bytes(backup.read_bytes())
        await garden.purge(memory_id)
        assert files_holding(home, WORD) == []


async def test_tags_that_only_a_purged_memory_had_go_with_it(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        gone = await saved(garden, SECRET_PLACE, tags=["xylographer", "vault"])
        await saved(garden, "The vault is opened on Mondays", tags=["vault"])
        await garden.tag(gone, add=["ytterbium"])
        await garden.tag(gone, remove=["ytterbium"])
        await garden.purge(gone)
        assert files_holding(home, "xylographer", "ytterbium") == []
        assert [tag.name for tag in await garden.tags()] == ["vault"]


def told() -> Session:
    said = f"Good morning. Remember: we always keep the spare vault key under the {WORD} stone. The roses need water."
    return Session(id="s1", client="sdk", messages=(Message(id="m1", role="user", text=said, at=AT),))


async def told_and_extracted(garden: Garden) -> str:
    await garden.sessions.add(told())
    found = await garden.sessions.extract("s1")
    made = [verdict.memory for _, verdict in found.verdicts if isinstance(verdict, Saved)]
    return next(memory.id for memory in made if WORD in memory.content)


async def passages(garden: Garden, query: str) -> list[str]:
    return [result.content for result in (await garden.recall(query, kinds=("passage",), scope="all")).results]


async def test_what_a_forgotten_memory_came_from_is_hidden_until_it_is_restored(open_garden: Open) -> None:
    async with open_garden() as garden:
        memory_id = await told_and_extracted(garden)
        assert await passages(garden, f"{WORD} stone")
        await garden.forget(memory_id)
        assert await passages(garden, f"{WORD} stone") == []
        assert await garden.turn(f"where is the vault key, under the {WORD} stone?", session_id="s2") is None
        await garden.restore(memory_id)
        assert await passages(garden, f"{WORD} stone")
        await garden.forget(memory_id)
        entry = (await garden.history(memory_id))[-1]
        await garden.undo(entry.id)
        assert await passages(garden, f"{WORD} stone")
        assert all(check.ok for check in await garden.doctor())


async def test_a_purged_memory_takes_its_sentence_out_of_session_and_passage(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        memory_id = await told_and_extracted(garden)
        repeat = Message(
            id="n1", role="user", text=f"As I said: we always keep the spare vault key under the {WORD} stone.", at=AT
        )
        await garden.sessions.add(Session(id="s9", messages=(repeat,)))
        await garden.files.backup()
        await garden.purge(memory_id)
        assert files_holding(home, WORD) == []
        (message,) = (await garden.sessions.get("s1")).messages
        assert message.text.startswith("Good morning. [redacted: purged]")
        assert message.text.endswith("The roses need water.")
        assert await passages(garden, "roses water")
        await garden.sessions.add(told())
        await garden.sessions.extract("s1", again=True)
        assert files_holding(home, WORD) == []
        assert all(check.ok for check in await garden.doctor())


async def test_a_restore_that_was_broken_off_is_gone_on_with(
    open_garden: Open, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_garden() as garden:
        await saved(garden, "The old roses stand by the wall")
        backup = await garden.files.backup()
        await saved(garden, "The lilies grow by the gate")
    data = backup.read_bytes()
    (home / "garden.db.incoming").write_bytes(data)
    (home / "garden.db.swap").write_text(json.dumps({"incoming": "garden.db.incoming", "kept": "garden.db.replaced"}))
    (home / "garden.db").replace(home / "garden.db.replaced")  # killed between the two renames
    listed = run(home, "list", "--json", "--scope", "all")
    assert [memory["content"] for memory in listed.json["memories"]] == ["The old roses stand by the wall"]
    assert not swap.marker_of(home / "garden.db").exists()


@pytest.mark.parametrize("left", ["missing", "empty"])
async def test_a_garden_that_vanished_is_not_begun_anew_while_copies_are_there(
    open_garden: Open, home: Path, left: str
) -> None:
    async with open_garden() as garden:
        await saved(garden, "The old roses stand by the wall")
        await garden.files.backup()
    (home / "garden.db").unlink()
    if left == "empty":
        (home / "garden.db").touch()
    for command in (("list",), ("remember", "Something new"), ("doctor", "--repair")):
        done = run(home, *command)
        assert done.code == 1
        assert "restore-backup latest" in done.err
    assert run(home, "restore-backup", "latest", "--yes").code == 0
    assert "old roses" in run(home, "list", "--scope", "all").out


async def test_an_unfinished_backup_is_never_listed_chosen_or_counted(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await saved(garden, "The old roses stand by the wall")
        first = await garden.files.backup()
        half = first.with_name("garden-20991231T000000000000.db.part")
        half.write_bytes(b"half of a backup")
        assert list_backups(home / "garden.db") == [first]
        await garden.files.backup()
        assert not half.exists()


async def test_a_copy_to_another_store_is_gone_on_with_and_takes_what_changed(
    open_garden: Open, tmp_path: Path
) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, "The old roses stand by the wall")
        target = await open_store(str(tmp_path / "target.db"))
        try:
            async for record in garden.store.dump():
                await target.load([record])
            await target.put_state("moved_from", garden.store.url)  # killed before it was compared
            await garden.update(memory_id, content="The old roses stand by the gate")
            await garden.remember("The lilies stand by the pond")
            moved = await move(garden.store, target)
            assert moved.fingerprints["memory"].count == 2
            assert await target.get_state("moved_from") is None
        finally:
            await target.close()


async def test_writers_during_a_copy_are_told_of_and_its_advice_can_be_followed(
    open_garden: Open, tmp_path: Path
) -> None:
    async with open_garden() as garden:
        await saved(garden, "The old roses stand by the wall")
        target = await open_store(str(tmp_path / "target.db"))
        inner, said = target.load, []

        async def load(records: list[dict[str, object]]) -> None:
            await inner(records)
            said.append(await garden.remember(f"Somebody writes meanwhile, number {len(said)}"))

        try:
            target.load = load  # type: ignore[method-assign,assignment]
            with pytest.raises(NeedsRepair, match="run it again"):
                await move(garden.store, target)
            target.load = inner  # type: ignore[method-assign]
            assert (await move(garden.store, target)).fingerprints["memory"].count == 2
        finally:
            await target.close()


async def test_a_garden_that_a_newer_program_migrated_meanwhile_is_not_written(open_garden: Open) -> None:
    async with open_garden() as garden, open_garden() as newer:
        await garden.remember("The old roses stand by the wall")
        await newer.store._write(lambda db: db.execute("PRAGMA user_version = 9999"))  # type: ignore[attr-defined]
        with pytest.raises(NewerGarden, match="newer nightgarden"):
            await garden.remember("The lilies grow by the gate")
        assert len(await garden.list()) == 1


async def test_vectors_that_meet_a_newer_garden_are_not_written_and_the_store_says_so(
    open_garden: Open, home: Path
) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, "The old roses stand by the wall")
        with closing(sqlite3.connect(home / "garden.db")) as db:
            db.execute("PRAGMA user_version = 9999")
        model = EmbeddingModel(id="tiny@1", name="tiny", dimension=4, pooling="mean")
        assert not garden.store.outdated
        with pytest.raises(NewerGarden):
            await garden.store.put_vectors(model, [memory_id], np.zeros((1, 4), dtype=np.float32))
        assert garden.store.outdated


async def test_the_doctor_names_copies_that_a_purge_could_not_reach(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, SECRET_PLACE)
        backup = await garden.files.backup()
        sound = backup.read_bytes()
        backup.write_bytes(b"no database" + sound)
        with pytest.raises(NeedsRepair, match=backup.name):
            await garden.purge(memory_id)
    async with open_garden() as garden:
        (check,) = [check for check in await garden.doctor() if check.name == "purge"]
        assert (check.ok, str(backup) in check.detail, "delete what you can spare" in check.detail) == (
            False,
            True,
            True,
        )
    told = run(home, "doctor", "--repair", cwd=home)
    assert (told.code, str(backup) in told.out, "rescue" in told.out) == (1, True, False)
    backup.unlink()
    async with open_garden() as garden:
        (check,) = [check for check in await garden.doctor() if check.name == "purge"]
        assert (check.ok, check.detail) == (True, "no purge is unfinished")


async def test_a_purge_that_cannot_be_finished_now_keeps_nobody_from_reading(
    open_garden: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, SECRET_PLACE)
        await saved(garden, "The old roses stand by the wall")
        await garden.store.purge([memory_id], at=AT)  # killed before the file was rewritten

    async def full(self: SqliteStore) -> None:
        raise StoreUnavailable("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr(SqliteStore, "scrub", full)
        async with open_garden() as garden:
            assert len(await garden.list(scope="all")) == 1
            (check,) = [check for check in await garden.doctor() if check.name == "purge"]
            assert (check.ok, "the disk is full" in check.detail) == (False, True)
    async with open_garden() as garden:
        assert all(check.ok for check in await garden.doctor())
        assert await garden.store.get_state(UNFINISHED) is None


async def test_everything_is_for_its_owners_eyes_alone(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await saved(garden, SECRET_PLACE)
        await garden.files.backup()
    run(home, "export", "-o", str(home / "out.jsonl"))
    for path in (home / "garden.db", *(home / "backups").iterdir()):
        path.chmod(0o644)  # as an older program left them
    run(home, "list")
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (home, *home.rglob("*"))}
    assert {path.name: oct(mode) for path, mode in modes.items() if mode & 0o077} == {}


async def test_the_journal_is_in_the_order_of_what_happened_when_the_clock_is_set_back(
    home: Path, project: Path
) -> None:
    class Clock:
        moment = AT

        def now(self) -> datetime:
            self.moment += timedelta(seconds=1)
            return self.moment

    clock = Clock()
    async with Garden.open(home / "garden.db", directory=project, clock=clock) as garden:
        memory_id = await saved(garden, "The old roses stand by the wall")
    clock.moment = AT - timedelta(days=30)
    async with Garden.open(home / "garden.db", directory=project, clock=clock) as garden:
        await garden.tag(memory_id, add=["roses"])
        await garden.forget(memory_id)
        reasons = [entry.reason for entry in await garden.history(memory_id)]
        assert reasons[-2:] == ["tagged", "forgotten"]


async def test_a_missing_history_is_found_and_begun_by_the_doctor(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        memory_id = await saved(garden, "The old roses stand by the wall")
        await garden.store._write(lambda db: db.execute("DELETE FROM journal"))  # type: ignore[attr-defined]
        assert [check.name for check in await garden.doctor() if not check.ok] == ["journal"]
        assert all(check.ok for check in await garden.doctor(repair=True))
        assert [entry.actor for entry in await garden.history(memory_id)] == ["doctor"]


async def test_a_marker_that_cannot_be_read_is_said(open_garden: Open, home: Path) -> None:
    (home / "garden.db.swap").write_text("half a mar")
    with pytest.raises(CorruptGarden, match=r"garden\.db\.swap cannot be read"):
        async with open_garden():
            pass


async def test_passages_past_their_age_are_archived_and_come_back_when_the_cycle_is_undone(
    open_garden: Open, home: Path
) -> None:
    async with open_garden() as garden:
        long_ago = Message(id="m1", role="user", text="The lilac by the pond is white", at=AT - timedelta(days=500))
        await garden.sessions.add(Session(id="s1", messages=(long_ago,)))
        assert await passages(garden, "lilac pond")
        report = await garden.tend("sweep")
        assert await passages(garden, "lilac pond") == []
        await garden.undo(report.cycle)
        assert await passages(garden, "lilac pond") == ["The lilac by the pond is white"]
        assert all(check.ok for check in await garden.doctor())
