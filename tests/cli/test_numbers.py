"""Rows on a terminal have numbers, and the next command takes one in the place of an id."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path

import pytest

from nightgarden import Flagged, Garden
from nightgarden.domain.doubt import Doubt, DoubtKind
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.surfaces.cli.numbered import GOOD_FOR_SECONDS
from tests.cli.command import on_terminal, run

FIRST, SECOND = "The staging database runs on port 5433", "Releases are cut on Tuesdays"


@pytest.fixture
def told(home: Path, project: Path) -> None:
    for text in (FIRST, SECOND):
        assert run(home, "remember", text, cwd=project).code == 0


def test_a_number_of_the_last_list_does_what_its_id_would_and_says_first_what_it_stands_for(told, home, project):
    listed = on_terminal(home, project, "list").splitlines()
    assert [line.split()[0] for line in listed[:3]] == ["#", "1", "2"]
    assert FIRST in listed[2]
    shown = on_terminal(home, project, "show", "2")
    assert shown.splitlines()[0].startswith("2 is ")
    assert shown.splitlines()[0].endswith(FIRST)
    for words in (("history", "2"), ("edit", "2", "--tag", "db"), ("tag", "2", "ci"), ("pin", "2"), ("related", "1")):
        assert "there is no memory" not in on_terminal(home, project, "list") + on_terminal(home, project, *words)
    on_terminal(home, project, "recall", "when are releases cut?")
    gone = on_terminal(home, project, "forget", "1")
    assert gone.splitlines()[0].endswith(SECOND)
    assert "archived" in gone.splitlines()[1]
    assert "undone" in on_terminal(home, project, "undo")
    entry = on_terminal(home, project, "history").splitlines()[0].split()
    assert entry[0] == "1."
    assert f"1 is {entry[1]}" in on_terminal(home, project, "undo", "1")


def test_a_number_is_refused_where_it_could_mean_something_else(told, home, project):
    on_terminal(home, project, "list")
    assert "there is no 7 in the last list, which had 2 rows" in on_terminal(home, project, "forget", "7")
    assert "is the id of a memory" in on_terminal(home, project, "undo", "1")
    (kept,) = (home / "lists").iterdir()
    assert FIRST not in kept.read_text()
    assert kept.stat().st_mode & 0o077 == 0
    old = kept.stat().st_mtime - GOOD_FOR_SECONDS - 60
    os.utime(kept, (old, old))
    assert "too old to go by" in on_terminal(home, project, "forget", "1")
    assert len(run(home, "list", "--json", cwd=project).json["memories"]) == 2


def test_what_goes_into_a_pipe_has_no_numbers_and_does_not_become_the_last_list(told, home, project):
    assert run(home, "list", cwd=project).out.splitlines()[0].split()[0] == "id"
    assert "there is no memory" in run(home, "forget", "1", cwd=project).err


def test_two_memories_that_doubt_each_other_are_one_question_and_one_answer(home, project):
    async def doubt_each_other() -> None:
        async with Garden.open(directory=project) as garden:
            await garden.remember("Never deploy on Fridays")
            verdict = await garden.remember("We deploy on Fridays")
            assert isinstance(verdict, Flagged)
            newer = verdict.memory
            (older,) = [memory for memory in await garden.list() if memory.id != newer.id]
            doubt = Doubt(kind=DoubtKind.CONTRADICTS, against=(newer.id,), rule="negation")
            origin = Origin(actor="tend", operation=Operation.RESOLVE, reason="may contradict")
            await garden.store.apply([Change(older, replace(older, doubts=(doubt,)))], origin, at=garden.now())

    asyncio.run(doubt_each_other())
    asked = on_terminal(home, project, "flagged", typed=b"b\n")
    assert asked.count("oth are right") == 1
    assert "1 memory to decide on" in asked
    assert run(home, "flagged", "--json", cwd=project).json == {"flagged": []}
    assert run(home, "undo", cwd=project).code == 0
    assert len(run(home, "flagged", "--json", cwd=project).json["flagged"]) == 1
