"""What people read: it fits the terminal, names things by their text, takes short ids, and says how to go back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from nightgarden.surfaces.cli.commands.models import OnceEach
from nightgarden.surfaces.cli.main import main
from nightgarden.surfaces.cli.parser import COMMANDS, GROUPS, START
from nightgarden.surfaces.cli.screen import count, wrap
from nightgarden.surfaces.reference import command_parsers
from tests.cli.command import on_terminal

OLD, NEW = "The staging database runs on port 5433", "The staging database was moved from port 5433 to 5440"
LONG = "Releases are cut on the first Tuesday of the month by whoever is on call, " * 3 + "never by the intern"
PYTHON = re.compile(r"None|\bTrue\b|\bFalse\b|\[']|\['|\{'")


@pytest.fixture
def say(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    """Runs a command in this process and gives what it printed."""
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    monkeypatch.setenv("NIGHTGARDEN_DIRECT", "1")
    monkeypatch.chdir(project)

    def run(*words: str, code: int = 0) -> str:
        capsys.readouterr()
        got = main(list(words))
        printed = capsys.readouterr()
        assert got == code, printed.err
        return printed.out if code == 0 else printed.err

    return run


def test_the_overview_begins_with_what_to_do_first_and_has_every_command_once(say, capsys):
    shown = say()
    assert main(["--help"]) == 0
    assert shown == capsys.readouterr().out
    assert shown.index("Start here:") < shown.index(START[0][0]) < shown.index(GROUPS[0][0])
    names = re.findall(r"^  ([a-z-]+)  +\S", shown.split(f"{GROUPS[0][0]}:")[1], re.MULTILINE)
    assert names == [name for name, _, _ in COMMANDS]
    assert len(set(names)) == len(names)
    assert max(len(line) for line in shown.splitlines()) <= 90


def test_a_short_id_is_enough_for_every_command_that_takes_one(say):
    one, two = (json.loads(say("remember", text, "--json"))["id"] for text in (OLD, "Ada drinks tea in the morning"))
    assert json.loads(say("show", one[-8:], "--json"))["id"] == one
    assert json.loads(say("show", one[:20], "--json"))["id"] == one
    assert one[-8:] in say("list")
    assert one not in say("list")
    for words in (
        ["edit", one[-6:], "--pin"],
        ["forget", one[-8:]],
        ["restore", one[-8:]],
        ["feedback", one[-8:], "--helpful"],
        ["tag", one[-8:], "infra"],
        ["link", one[-8:], two[-8:]],
        ["related", one[-8:]],
        ["history", one[-8:]],
        ["tend", "explain", one[-8:]],
        ["list", "--after", two[-8:]],
        ["purge", two[-8:], "--yes"],
    ):
        say(*words)
    entry = json.loads(say("history", one, "--json"))["entries"][-1]["id"]
    say("undo", entry[-8:])
    task = json.loads(say("schedule", "add", "look at the build", "--in", "5", "--json"))["id"]
    say("schedule", "done", task[-8:])


def test_a_part_that_fits_several_ids_is_refused_with_their_texts(say):
    first = json.loads(say("remember", OLD, "--json"))["id"]
    say("remember", "Ada drinks tea in the morning")
    said = say("show", first[:4], code=2)
    assert "matches 2 ids" in said
    assert OLD in said
    assert "Ada drinks tea" in said


def test_a_verdict_shows_the_old_and_the_new_text_and_how_to_go_back(say):
    old = json.loads(say("remember", OLD, "--json"))["id"]
    shown = say("remember", NEW)
    assert f"old: {OLD}" in shown
    assert f"new: {NEW}" in shown
    back = re.search(r"if both are true: nightgarden (.+)", shown)
    assert back is not None
    say(*back[1].split())
    assert {old[-8:]} < set(re.findall(r"^\w{8}", say("list"), re.MULTILINE))


def test_history_names_what_replaced_what_by_text(say):
    old = json.loads(say("remember", OLD, "--json"))["id"]
    new = json.loads(say("remember", NEW, "--json"))["id"]
    assert f"replaces “{OLD}”" in say("history", new)
    assert f"replaced by “{NEW}”" in say("history", old)
    everything = say("history")
    assert old not in everything
    assert PYTHON.search(everything) is None


def test_people_are_shown_no_python(say):
    id = json.loads(say("remember", OLD, "--tag", "db", "--file", "a.py", "--json"))["id"]
    say("edit", id, "--pin")
    assert "tier: active → pinned" in say("history")
    for words in (["show", id], ["history", id], ["recall", "staging port", "--explain"], ["tend", "explain", id]):
        assert PYTHON.search(say(*words)) is None, words


def test_restoring_what_was_replaced_says_that_both_count_and_how_to_choose(say):
    old = json.loads(say("remember", "The staging database runs on port 5433", "--json"))["id"]
    new = json.loads(say("remember", "The staging database was moved from port 5433 to 5440", "--json"))["id"]
    said = say("restore", old)
    assert "5440" in said
    assert f"nightgarden forget {new[-8:]}" in said
    say("forget", old)
    say("forget", new)
    assert "both count" not in say("restore", old)


def test_recall_says_when_nothing_fits_and_marks_what_is_doubtful(say):
    say("remember", "We deploy on Fridays")
    say("remember", "We deploy on Mondays", "--provenance", "inferred", "--confidence", "0.4")
    assert say("recall", "zzzqqq").startswith("nothing found")
    assert "doubtful: " in say("recall", "when do we deploy", "--all")
    assert "(doubtful)" in say("list")


def test_a_long_memory_can_be_read_and_tables_fit_a_terminal(say, home: Path, project: Path):
    say("remember", LONG)
    say("remember", "Ada drinks tea in the morning", "--scope", "global")
    found = on_terminal(home, project, "recall", "who cuts releases")
    assert "never by the intern" in " ".join(found.split())
    for words in (["list"], ["recall", "releases"], ["stats"], ["gaps"], ["schedule", "list"]):
        shown = on_terminal(home, project, *words)
        wide = [line for line in shown.splitlines() if len(line) > 80 and str(home) not in line]
        assert wide == [], words


def test_text_wraps_by_cells_and_leaves_long_words_whole():
    assert wrap("one two three", 7) == ["one two", "three"]
    assert wrap("a\n\nb", 10) == ["a", "", "b"]
    assert wrap("/a/very/long/path", 5) == ["/a/very/long/path"]
    assert wrap("漢字漢字", 4) == ["漢字", "漢字"]


def test_errors_are_json_where_json_was_asked_for(say):
    error = json.loads(say("show", "nobody", "--json", code=2))["error"]
    assert (error["kind"], error["exit_code"]) == ("NotFound", 2)
    assert "nobody" in error["message"]


def test_a_refusal_ends_with_one_whichever_command_met_it(say):
    id = json.loads(say("remember", OLD, "--json"))["id"]
    secret = "The deploy key is AKIAIOSFODNN7EXAMPLQ"
    say("remember", secret, code=1)
    say("edit", id, "--content", secret, code=1)
    say("schedule", "add", secret, "--in", "5", code=1)


def test_purge_shows_the_text_and_takes_no_for_an_answer(say, home: Path, project: Path):
    id = json.loads(say("remember", OLD, "--json"))["id"]
    shown = on_terminal(home, project, "purge", id[-8:], typed=b"n\n")
    assert OLD in shown
    assert "nothing was purged" in shown
    assert "usage" not in shown
    say("show", id)


def test_a_wrong_argument_is_answered_in_a_line(say):
    assert len(say("remember", "x", "--importance", "huge", code=2).splitlines()) == 1


def test_an_unknown_option_points_to_the_help_of_its_command_and_help_is_a_command(say):
    assert "see `nightgarden recall --help`" in say("recall", "--bogus", code=2)
    assert say("help") == say("--help")


def test_figures_name_places_and_outcomes_as_people_do(say, project: Path):
    say("remember", OLD)
    say("turn", "which port does staging use?", "--session-id", "s1")
    shown = say("stats")
    assert "this project 1 of" in shown
    assert "project:" not in shown
    assert "no_backend" not in shown
    assert say("sessions", "list") == "0 sessions\n"
    assert "jsonl" not in say("sessions", "allow", "codex")


def test_a_day_means_all_of_it_when_looking_back(say):
    say("remember", OLD)
    for day in ("today", re.findall(r"\d{4}-\d\d-\d\d", say("list"))[0]):
        assert OLD in say("recall", "staging port", "--as-of", day)
    assert OLD not in say("recall", "staging port", "--as-of", "yesterday")


def test_a_download_says_each_step_once(capsys: pytest.CaptureFixture[str]):
    from nightgarden.models.catalog import FETCHED
    from nightgarden.models.fetch import FetchStep

    tell = OnceEach()
    for model in FETCHED:
        for done in range(5):
            tell(FetchStep(action="unpacking", model=model, bytes_done=done))
    assert len(capsys.readouterr().err.splitlines()) == len(FETCHED)


def test_numbers_of_things_read_as_people_write_them() -> None:
    assert [count(2, thing) for thing in ("memory", "day", "key", "task")] == [
        "2 memories",
        "2 days",
        "2 keys",
        "2 tasks",
    ]
    assert count(1, "day") == "1 day"


def test_the_help_of_every_command_fits_80_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name, parser in command_parsers().items():
        wide = [line for line in parser.format_help().splitlines() if len(line) > 80]
        assert not wide, name
