"""Purged is gone: from every byte the program keeps, and for good."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden import Garden, Message, Saved, Session, Settings, Superseded
from nightgarden.domain.documents import ABSENT, Put
from nightgarden.errors import NeedsRepair
from nightgarden.settings import EmbeddingSettings, GardenSettings
from nightgarden.surfaces import client
from tests.cli.command import run
from tests.conftest import Open

WORD = "zanzibarite"  # a word that nothing else holds
SECRET_PLACE = f"The spare key of the vault lies under the {WORD} stone"
AT = datetime(2026, 11, 1, 9, tzinfo=UTC)


def files_holding(home: Path, *needles: str) -> list[str]:
    """Every file below the home that holds one of the words, in any case and in UTF-8 or UTF-16."""
    codes = [needle.lower().encode(code) for needle in needles for code in ("utf-8", "utf-16-le")]
    paths = [path for path in home.rglob("*") if path.is_file()]
    return [path.name for path in paths if any(code in path.read_bytes().lower() for code in codes)]


async def exported(garden: Garden, form: str = "jsonl") -> str:
    return "\n".join([piece async for piece in garden.export(form)])


async def test_a_purged_memory_is_gone_from_text_graph_journal_export_log_and_backups(
    open_garden: Open, home: Path
) -> None:
    async with open_garden() as garden:
        verdict = await garden.remember(SECRET_PLACE, tags=["vault"], context_snippet=f"asked about {WORD}")
        other = await garden.remember("The vault is opened on Mondays")
        assert isinstance(verdict, Saved)
        assert isinstance(other, Saved)
        await garden.link(verdict.id, other.id)
        await garden.update(verdict.id, content=f"{SECRET_PLACE} in the garden")
        await garden.files.backup()
        await garden.forget(verdict.id, reason=f"the {WORD} stone was moved")
        await garden.files.backup()
        assert len(files_holding(home, WORD)) >= 3
        assert await garden.purge(verdict.id, "nobody") == [verdict.id]
        assert files_holding(home, WORD) == []
        for form in ("jsonl", "markdown"):
            assert WORD not in await exported(garden, form)
        entries = await garden.history(verdict.id)
        assert entries
        assert all((entry.before, entry.after, entry.reason) == (None, None, "purged") for entry in entries)
        assert await garden.related(other.id) == []
        assert all(check.ok for check in await garden.doctor())
    assert files_holding(home, WORD) == []


async def test_what_replaced_it_or_was_replaced_by_it_does_not_quote_it(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        old = await garden.remember("We test with Mochalot")
        new = await garden.remember("Vitestify replaced Mochalot")
        assert isinstance(old, Saved)
        assert isinstance(new, Superseded)
        await garden.purge(new.id)
        assert files_holding(home, "Vitestify") == []
        assert (await garden.get(old.id)).superseded_by == new.id  # the id alone says nothing
        await garden.restore(old.id)
        await garden.purge(old.id)
        assert files_holding(home, "Mochalot") == []


async def test_a_purged_session_takes_its_messages_and_passages_with_it(open_garden: Open, home: Path) -> None:
    session = Session(id="s1", title="keys", messages=(Message(id="m1", role="user", text=SECRET_PLACE, at=AT),))
    async with open_garden() as garden:
        await garden.sessions.add(session)
        await garden.purge("s1")
        assert files_holding(home, WORD) == []
        assert (await garden.sessions.add(session)).new_messages == 0
        assert (await garden.recall(WORD)).results == ()


async def test_a_purged_passage_is_struck_from_its_message_too(open_garden: Open, home: Path) -> None:
    text = f"Good morning. {'We talked about the roses. ' * 60}\n\n{SECRET_PLACE}"
    session = Session(id="s1", messages=(Message(id="m1", role="user", text=text, at=AT),))
    async with open_garden() as garden:
        await garden.sessions.add(session)
        (found,) = [r for r in (await garden.recall(WORD)).results if WORD in r.content]
        await garden.purge(found.id)
        assert files_holding(home, WORD) == []
        kept = (await garden.sessions.get("s1")).messages[0].text
        assert kept.startswith("Good morning.")
        await garden.sessions.add(session)
        assert WORD not in await exported(garden)


async def test_an_import_does_not_bring_it_back_but_its_user_may_say_it_again(
    open_garden: Open, home: Path, tmp_path: Path
) -> None:
    foreign = tmp_path / "MEMORY.md"
    foreign.write_text(f"# Notes\n\n- {SECRET_PLACE}\n- Ada prefers tea in the morning\n", encoding="utf-8")
    async with open_garden() as garden:
        verdict = await garden.remember(SECRET_PLACE)
        assert isinstance(verdict, Saved)
        saved = {}
        for form in ("jsonl", "markdown"):
            saved[form] = tmp_path / f"export.{form}"
            pieces = [piece async for piece in garden.export(form)]
            saved[form].write_text(("\n" if form == "jsonl" else "").join(pieces), encoding="utf-8")
        await garden.purge(verdict.id)
        for path in saved.values():
            done = await garden.import_(path, trust=True)
            assert (done.added, done.problems) == ({}, [])
            assert done.purged == 2  # the memory and its journal entry
        done = await garden.import_(foreign)
        assert done.added == {"saved": 1}
        assert "purged earlier" in done.refused[0]
        assert files_holding(home, WORD) == []
        assert isinstance(await garden.remember(SECRET_PLACE), Saved)


async def test_a_tombstone_travels_with_an_export(open_garden: Open, tmp_path: Path) -> None:
    async with open_garden() as garden:
        verdict = await garden.remember(SECRET_PLACE)
        full = tmp_path / "before.jsonl"
        full.write_text(await exported(garden), encoding="utf-8")
        await garden.purge(str(verdict.id))
        bare = tmp_path / "after.jsonl"
        bare.write_text(await exported(garden), encoding="utf-8")
    async with open_garden(tmp_path / "other.db") as other:
        await other.import_(bare, trust=True)
        assert (await other.import_(full, trust=True)).purged
        assert (await other.stats()).counts.memories == {}


async def test_copies_beside_the_garden_are_purged_and_one_that_cannot_be_read_is_named(
    open_garden: Open, home: Path
) -> None:
    async with open_garden() as garden:
        verdict = await garden.remember(SECRET_PLACE)
        backup = await garden.files.backup()
        (home / "garden.db.before-0009").write_bytes(backup.read_bytes())
        damaged = home / "backups" / "garden-20200101T000000000000.db"
        damaged.write_bytes(b"no database at all")
        with pytest.raises(NeedsRepair, match=damaged.name):
            await garden.purge(str(verdict.id))
        assert files_holding(home, WORD) == []


async def test_vectors_go_too_and_a_saved_index_does_not_bring_them_back(open_garden: Open, home: Path) -> None:
    settings = Settings(embedding=EmbeddingSettings(model="minilm"), garden=GardenSettings(machine_id="here"))
    async with open_garden(settings=settings) as garden:
        verdict = await garden.remember(SECRET_PLACE)
        (home / "garden.db.some-model.vectors").write_bytes(b"an index that was saved")
        await garden.settle()
        assert sum((await garden.stats()).counts.vectors.values()) == 1
        await garden.purge(str(verdict.id))
        assert sum((await garden.stats()).counts.vectors.values()) == 0
        assert (await garden.recall("where is the spare key?")).results == ()
        assert not list(home.glob("*.vectors"))


async def test_documents_that_quote_it_are_rid_of_it_in_the_file_and_in_copies_of_every_age(
    open_garden: Open, home: Path
) -> None:
    old = home / "garden.db.before-0004"
    async with open_garden() as garden:
        verdict = await garden.remember(SECRET_PLACE)
        assert isinstance(verdict, Saved)
        log = {"calls": [{"name": "remember", "arguments": {"content": SECRET_PLACE}}], "note": "All is well."}
        await garden.store.put_documents(
            [
                Put(kind="cycle", key="c1", value=log, expected=ABSENT),
                Put(kind="thought", key="t1", value={"memory_id": verdict.id, "text": f"a {WORD}?"}, expected=ABSENT),
            ],
            at=AT,
        )
        await garden.files.backup()
        await garden.store.copy_to(old)  # type: ignore[attr-defined]
        with closing(sqlite3.connect(old, isolation_level=None)) as db:
            db.execute("DROP TABLE document")
            db.execute("DELETE FROM migration WHERE number = 4")
        assert len(files_holding(home, WORD)) >= 3
        await garden.purge(verdict.id)
        assert files_holding(home, WORD) == []
        assert [each.kind for each in await garden.store.list_documents("cycle")] == ["cycle"]
        assert await garden.store.list_documents("thought") == []
        assert all(check.ok for check in await garden.doctor())


def left_by_hooks(home: Path, *said: str) -> str:
    """Events as hooks, earlier versions of them and a killed one leave them; the name of the one that says nothing."""

    def leave(data: dict[str, str]) -> Path:
        event = {"client": "claude-code", "event": "Stop", "data": data, "spooled": True}
        return Path(client.spool("hook", event, directory=str(home), home=str(home)))

    for text in said:
        leave({"session_id": "s8", "last_assistant_message": text})
        leave({"session_id": "s8", "reason": text})
    kept = leave({"session_id": "s8", "cwd": str(home), "reason": "logout"})
    aside = home / "spool" / "rejected"
    aside.mkdir(exist_ok=True)
    for place in (aside / "1-1.json", aside / "1-1.why", kept.with_name(".2-1.json"), kept.with_name("3-1.json")):
        place.write_text("{" + json.dumps(said), "utf-8")
    return kept.name


async def test_a_purge_reaches_events_that_wait_for_the_daemon_or_were_put_aside(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        memory_id = str((await garden.remember(SECRET_PLACE)).id)
    kept = left_by_hooks(home, SECRET_PLACE)
    assert run(home, "purge", memory_id, "--yes").code == 0
    assert files_holding(home, WORD) == []
    assert [path.name for path in (home / "spool").iterdir()] == [kept]


async def test_a_purged_session_is_not_read_again_because_an_event_of_it_waits(open_garden: Open, home: Path) -> None:
    said = (Message(id="m1", role="user", text=SECRET_PLACE, at=AT),)
    async with open_garden() as garden:
        await garden.sessions.add(Session(id="s8", messages=said))
    left_by_hooks(home)
    assert run(home, "purge", "s8", "--yes").code == 0
    assert list((home / "spool").iterdir()) == []


async def test_a_purged_person_is_gone_from_events_too(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        await garden.remember("Zuleika reviews every change of the billing service")
    left_by_hooks(home, "Zuleika said that the roses need water")
    assert run(home, "purge", "--person", "Zuleika", "--yes").code == 0
    assert files_holding(home, "zuleika") == []


async def test_events_are_reached_by_a_purge_that_a_crash_broke_off(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        memory_id = str((await garden.remember(SECRET_PLACE)).id)
        await garden.store.purge([memory_id], at=AT)  # as if it were killed right after
    left_by_hooks(home, SECRET_PLACE)
    async with open_garden():
        assert files_holding(home, WORD) == []


async def test_its_line_in_a_notebook_goes_at_once_and_edits_beside_it_are_kept(home: Path, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()
    memory_id = run(home, "remember", SECRET_PLACE, "--pinned", "--json", cwd=project).json["id"]
    run(home, "remember", "The vault is opened on Mondays", "--category", "fact", cwd=project)
    assert run(home, "notebook", "sync", cwd=project).code == 0
    pages = project / ".nightgarden" / "memory"
    assert len(files_holding(pages, WORD)) == 2  # the index and a page
    facts = pages / "facts.md"
    facts.write_text(facts.read_text() + "- The vault has a green door\n")
    (pages / "edited-12345678-facts.md").write_text(facts.read_text())
    assert run(home, "purge", memory_id, "--yes", cwd=tmp_path).code == 0  # from elsewhere
    assert files_holding(tmp_path, WORD) == []
    assert "Mondays" in facts.read_text()
    report = run(home, "notebook", "sync", "--json", cwd=project).json
    assert (len(report["imported"]), report["archived"], report["refused"]) == (1, [], [])
    assert "green door" in facts.read_text()


async def test_a_notebook_is_reached_by_a_purge_that_a_crash_broke_off(open_garden: Open, tmp_path: Path) -> None:
    async with open_garden() as garden:
        verdict = await garden.remember(SECRET_PLACE)
        assert isinstance(verdict, Saved)
        await garden.learn.notebook.sync()
        pages = garden.learn.notebook.folder
        assert files_holding(pages, WORD)
        await garden.store.purge([verdict.id], at=AT)  # as if it were killed right after
    async with open_garden() as garden:
        assert files_holding(pages, WORD) == []
        assert (await garden.learn.notebook.status()).edited == ()


async def test_a_notebook_that_cannot_be_rid_of_it_is_named(open_garden: Open, home: Path) -> None:
    async with open_garden() as garden:
        verdict = await garden.remember(SECRET_PLACE)
        await garden.learn.notebook.sync()
        page = garden.learn.notebook.folder / "facts.md"
        page.write_bytes(b"\xff")
        with pytest.raises(NeedsRepair, match=page.name):
            await garden.purge(str(verdict.id))
        page.unlink()
        assert all(check.ok for check in await garden.doctor())
