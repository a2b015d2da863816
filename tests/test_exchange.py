"""Out and in again: nothing is lost, twice changes nothing, and what cannot be read is said by its place."""

from __future__ import annotations

import asyncio
import json
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nightgarden import Garden, Message, Saved, Session
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster
from nightgarden.domain.journal import Change, Origin
from nightgarden.errors import BadImport, BadInput
from tests.conftest import BY_WORDS, Open

AT = datetime(2026, 11, 1, 9, tzinfo=UTC)
FORMS = ("jsonl", "markdown")
MOMENTS = dict.fromkeys(("created_at", "updated_at"), "2026-01-01T00:00:00Z")
BORDERS = "A rule of ours:\n---\nkey: not a key\n\\---\n  --- \n\n--- \nand the end"


async def exported(garden: Garden, form: str = "jsonl") -> str:
    return "".join([piece if form == "markdown" else piece + "\n" async for piece in garden.export(form)])


async def export_to(garden: Garden, path: Path, form: str) -> Path:
    path.write_text(await exported(garden, form), encoding="utf-8", newline="\n")
    return path


async def plant(garden: Garden) -> None:
    """A garden with something of everything."""
    one = await garden.remember("The staging database runs on port 5433", tags=["db"], file_paths=["src/db.py"])
    two = await garden.remember("The staging database runs on port 5434")
    three = await garden.remember(BORDERS, category="convention", allow=["code-derivable", "too-long"])
    never = await garden.remember("Never run `rm -rf` in the deploy folder 👩🏽‍🚀 שלום")
    assert isinstance(three, Saved), three
    await garden.link(three.id, str(never.id), weight=0.3)
    await garden.forget(str(never.id), reason="")
    await garden.sessions.add(
        Session(
            id="s1",
            title='--- title: "quoted"\nsecond line',
            messages=(
                Message(id="m1", role="user", text="---\r\nwith returns\rand borders\n---\n", at=AT),
                Message(id="m2", role="Ada", text=BORDERS + "\n\n", at=AT + timedelta(minutes=1)),
                Message(id="m3", role="tool", text="", at=AT + timedelta(minutes=2)),
                Message(id="m4", role="user", text="\u2028\u0085\x0b one line or four?", at=AT + timedelta(minutes=3)),
            ),
        )
    )
    cluster = Cluster(id="c1", name="ports", scope=garden.place.scope, member_ids=(), created_at=AT, updated_at=AT)
    await garden.store.apply([Change(None, cluster)], Origin(actor="tend"), at=AT)
    gap = {"id": "g1", "snippet": "", "session_id": None, "seen_count": 2, "created_at": AT, "last_seen_at": AT}
    missed = Gap(scope=garden.place.scope, **gap)  # type: ignore[arg-type]
    await garden.store.apply([Change(None, missed)], Origin(actor="recall"), at=AT)
    await garden.schedule.add("look at the ports", wake_in_minutes=5, relevant_files=["src/db.py"])
    closed = await garden.schedule.add("---\nlook again", wake_in_minutes=5, background="why", scope="global")
    await garden.schedule.done(closed.id)
    purged = await garden.remember("Something to purge soon")
    await garden.purge(str(purged.id))
    assert one.id != two.id


@pytest.mark.parametrize("form", FORMS)
async def test_a_garden_goes_out_and_comes_back_to_the_byte(open_garden: Open, tmp_path: Path, form: str) -> None:
    async with open_garden() as garden:
        await plant(garden)
        path = await export_to(garden, tmp_path / f"out.{form}", form)
        whole = {each: await exported(garden, each) for each in FORMS}
    async with open_garden(tmp_path / "other.db") as other:
        done = await other.import_(path, trust=True)
        assert (done.form, done.problems, done.known) == (form, [], 0)
        for each in FORMS:
            assert await exported(other, each) == whole[each]
        assert all(check.ok for check in await other.doctor())
        again = await other.import_(path, trust=True)
        assert (again.added, again.problems) == ({}, [])
        assert await exported(other) == whole["jsonl"]
        assert (await other.recall("staging port")).results


text = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=80) | st.lists(
    st.sampled_from(["---", "\\---", "--- ", 'type: "memory"', "\r", "", " ", "\\", "a: b", "\t---"]), max_size=6
).map("\n".join)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(text, min_size=1, max_size=5), st.sampled_from(FORMS))
def test_any_text_survives_both_formats(texts: list[str], form: str) -> None:
    async def check(folder: Path) -> None:
        messages = tuple(Message(id=f"m{n}", role="user", text=each, at=AT) for n, each in enumerate(texts))
        async with Garden.open(folder / "a.db", directory=folder, settings=BY_WORDS) as garden:
            await garden.sessions.add(Session(id="s", messages=messages))
            path = await export_to(garden, folder / "out", form)
            whole = await exported(garden)
        async with Garden.open(folder / "b.db", directory=folder, settings=BY_WORDS) as other:
            assert (await other.import_(path, trust=True)).problems == []
            assert await exported(other) == whole

    with tempfile.TemporaryDirectory() as name:
        asyncio.run(check(Path(name)))


async def test_malformed_lines_are_reported_by_number_and_the_good_ones_taken(
    open_garden: Open, tmp_path: Path
) -> None:
    async with open_garden() as garden:
        saved = await garden.remember("The staging database runs on port 5433")
        lines = (await exported(garden)).splitlines()
    record = next(json.loads(line) for line in lines if json.loads(line)["type"] == "memory")
    bad: list[Any] = [
        "{broken",
        "[]",
        '{"no": "type"}',
        '{"type": "memory"}',
        json.dumps(record | {"id": 5}),
        json.dumps(record | {"id": "x1", "content": ["a list"]}),
        json.dumps(record | {"id": "x2", "category": "rumour"}),
        json.dumps(record | {"id": "x3", "created_at": "yesterday"}),
        json.dumps(record | {"id": "x4", "created_at": 5}),
        json.dumps(record | {"id": "x5", "tags": 5}),
        json.dumps(record | {"id": "x6", "scope": "galaxy:x"}),
        '{"type": "edge"}',
        json.dumps({"type": "edge", "source": "a", "target": {}, "kind": "relates_to"} | MOMENTS),
        '{"type": "message", "id": "m", "role": "user", "at": "2026-01-01", "position": "first"}',
        '{"type": "tombstone", "key": 7}',
        '{"type": "wormhole"}',
        '{"type": "nightgarden-export", "version": "2"}',
        "\ufffd\ufffd",
        "[" * 5000,
    ]
    path = tmp_path / "out.jsonl"
    path.write_text("\n".join([lines[0], *bad, "", *lines[1:]]), encoding="utf-8")
    async with open_garden(tmp_path / "other.db") as other:
        done = await other.import_(path, trust=True)
        assert [problem.split(":")[0] for problem in done.problems] == [f"line {n}" for n in range(2, len(bad) + 2)]
        assert done.added == {"memory": 1, "journal": 1}
        assert (await other.get(str(saved.id))).content == record["content"]


async def test_records_whose_other_end_is_missing_are_reported_and_the_rest_taken(
    open_garden: Open, tmp_path: Path
) -> None:
    edge = {"type": "edge", "source": "a", "target": "b", "kind": "relates_to"} | MOMENTS
    async with open_garden() as garden:
        await garden.remember("The staging database runs on port 5433")
        path = tmp_path / "out.jsonl"
        path.write_text(await exported(garden) + json.dumps(edge) + "\n", encoding="utf-8")
    async with open_garden(tmp_path / "other.db") as other:
        done = await other.import_(path, trust=True)
        assert done.added == {"memory": 1, "journal": 1}
        assert len(done.problems) <= 1
        assert all(check.ok for check in await other.doctor())


async def test_two_gardens_that_know_the_same_can_be_joined(open_garden: Open, tmp_path: Path) -> None:
    paths = []
    for name in ("a", "b"):
        async with open_garden(tmp_path / f"{name}.db") as garden:
            await garden.remember("The staging database runs on port 5433")
            await garden.remember(f"Only the garden {name} knows the {name}{name}{name} word")
            paths.append(await export_to(garden, tmp_path / f"{name}.jsonl", "jsonl"))
    async with open_garden() as joined:
        for path in paths:
            done = await joined.import_(path, trust=True)
        assert done.problems == []
        assert len(await joined.list()) == 3
        assert all(check.ok for check in await joined.doctor())


async def test_malformed_markdown_is_reported_by_line(open_garden: Open, tmp_path: Path) -> None:
    async with open_garden() as garden:
        await garden.remember("The staging database runs on port 5433")
        text = await exported(garden, "markdown")
    path = tmp_path / "out.md"
    head, _, rest = text.partition('---\ntype: "memory"')
    broken = '---\ntype: "memory"\nid: "x"\n---\nno times\n---\nplain: yes\n---\n'
    path.write_text(head + broken + '---\ntype: "memory"' + rest, encoding="utf-8")
    async with open_garden(tmp_path / "other.db") as other:
        done = await other.import_(path, trust=True)
        start = head.count("\n") + 1
        assert [problem.split(":")[0] for problem in done.problems] == [f"line {start}", f"line {start + 5}"]
        assert done.added == {"memory": 1, "journal": 1}


async def test_a_claude_code_memory_folder_is_read(garden: Garden, tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    folder.mkdir()
    (folder / "MEMORY.md").write_text(
        "# Memory\n\n- [Build and release](build.md)\n- [Preferences](preferences.md) — how Ada likes things\n\n"
        "## Decisions\n\n- **Postgres** was chosen over MySQL for the billing service\n",
        encoding="utf-8",
    )
    (folder / "build.md").write_text(
        "---\nname: build\ndescription: how we build\ntype: project\n---\n\n# Build\n\n"
        "The night build takes forty minutes on the small runner,\nso start it before lunch.\n\n"
        "## Gotchas\n\n1. The cache must be cleared after a compiler upgrade\n"
        "2. Release tags need a signed commit\n\n```sh\nmake release\n```\n",
        encoding="utf-8",
    )
    (folder / "preferences.md").write_text("## Preferences\n* Ada prefers small pull requests\n", encoding="utf-8")
    (folder / "broken.md").write_bytes(b"\xff\xfe\xff")
    done = await garden.import_(folder)
    assert (done.form, done.added) == ("claude-memory", {"saved": 5})
    assert ["broken.md" in problem for problem in done.problems] == [True]
    kept = {memory.content: memory.category.value for memory in await garden.list()}
    assert kept["Postgres was chosen over MySQL for the billing service"] == "decision"
    assert kept["The cache must be cleared after a compiler upgrade"] == "gotcha"
    assert kept["Ada prefers small pull requests"] == "preference"
    assert "The night build takes forty minutes on the small runner, so start it before lunch." in kept
    assert not [content for content in kept if "how we build" in content or "make release" in content]
    before = await exported(garden)
    again = await garden.import_(folder)
    assert "saved" not in again.added
    assert {m.content for m in await garden.list()} == set(kept)
    assert before != ""


async def test_a_memory_file_alone_is_read(garden: Garden, tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("- The night build takes forty minutes\n- ok\n<!-- note -->\n", encoding="utf-8")
    assert (await garden.import_(path)).added == {"saved": 1}


async def test_an_export_of_mem0_is_read(garden: Garden, tmp_path: Path) -> None:
    path = tmp_path / "mem0.json"
    rows = [
        {"id": "1", "memory": "Ada prefers small pull requests", "hash": "x", "metadata": None, "user_id": "ada",
         "created_at": "2026-03-01T10:00:00.000000-08:00", "updated_at": None, "categories": ["work style"]},
        {"id": "2", "memory": "The night build takes forty minutes", "metadata": {"category": "ci"}},
        {"id": "3", "memory": ""},
        {"id": "4", "memory": "The deploy key is AKIAIOSFODNN7EXAMPLQ"},
        "nonsense",
    ]  # fmt: skip
    path.write_text(json.dumps({"results": rows}), encoding="utf-8")
    done = await garden.import_(path, form="mem0")
    assert (done.added, len(done.refused), len(done.problems)) == ({"saved": 2}, 1, 2)
    assert "AKIA" not in str(done)
    kept = {memory.content: memory for memory in await garden.list()}
    assert kept["Ada prefers small pull requests"].tags == ("work-style",)
    assert kept["Ada prefers small pull requests"].created_at == datetime(2026, 3, 1, 18, tzinfo=UTC)
    path.write_text(json.dumps(rows[:2]), encoding="utf-8")
    assert (await garden.import_(path)).form == "mem0"


async def test_an_export_of_mcp_memory_service_is_read(garden: Garden, tmp_path: Path) -> None:
    path = tmp_path / "export.json"
    rows = [
        {"content": "We decided to use sqlite for the cache", "content_hash": "a", "tags": ["cache", "db"],
         "created_at": 1772359200.5, "memory_type": "decision", "metadata": {}},
        {"content": "The night build takes forty minutes", "content_hash": "b", "tags": "ci,build",
         "created_at_iso": "2026-03-01T10:00:00Z", "memory_type": "note"},
        {"content": None, "content_hash": "c"},
        {"content": "The far future is far away indeed", "content_hash": "d", "created_at": 1e300},
    ]  # fmt: skip
    path.write_text(json.dumps({"export_metadata": {"total_memories": 4}, "memories": rows}), encoding="utf-8")
    done = await garden.import_(path)
    assert (done.form, done.added, len(done.problems)) == ("mcp-memory-service", {"saved": 2}, 2)
    kept = {memory.content: memory for memory in await garden.list()}
    decided = kept["We decided to use sqlite for the cache"]
    assert decided.category.value == "decision"
    assert {"cache", "db"} <= set(decided.tags)
    assert decided.provenance.value == "imported"


async def test_files_of_no_known_kind_are_refused_in_words(garden: Garden, tmp_path: Path) -> None:
    for name, content in (("a.json", b"{}"), ("b.bin", b"\xff\xfe"), ("c.txt", b"just text"), ("d.json", b"[1, 2]")):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(BadImport, match="not a format that is known"):
            await garden.import_(tmp_path / name)
    with pytest.raises(BadInput, match="use one of jsonl, markdown"):
        await garden.import_(tmp_path / "a.json", form="yaml")
    with pytest.raises(BadInput, match="use one of jsonl, markdown"):
        garden.export("xml")
    with pytest.raises(BadImport):
        await garden.import_(tmp_path / "c.txt", form="mem0")
