"""Whatever comes in, a command ends with a sentence that says what to do and the right code, never a traceback."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from nightgarden.surfaces.cli.main import main
from tests.cli.command import environment, run

PORT = "The staging database runs on port 5433"
KEY = "AKIAIOSFODNN7EXAMPLQ"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["recal", "x"], "did you mean `recall`?"),
        (["frobnicate"], "`nightgarden --help` lists the commands"),
        (["show"], "required: ID"),
        (["show", "nobody"], "`nightgarden list` shows what there is"),
        (["forget", "nobody"], "there is no memory 'nobody'"),
        (["undo", "nothing"], "`nightgarden history` lists them"),
        (["history", "nobody"], "there is no memory"),
        (["recall", "x", "--limit", "0"], "must be a whole number from 1 to 1000"),
        (["recall", "x", "--as-of", "someday"], "someday"),
        (["remember", "x", "--category", "rumour"], "invalid choice"),
        (["remember", "Some statement to keep", "--scope", "galaxy"], "use global, project"),
        (["edit", "nobody"], "nothing to change"),
        (["purge", "nobody"], "confirm with --yes"),
        (["purge", "nobody", "--yes"], "not found, and so not purged"),
        (["import", "/nonexistent.json"], "there is no file"),
        (["restore-backup"], "say which backup"),
        (["restore-backup", "latest", "--yes"], "there are no backups"),
        (["flagged", "--keep"], "needs the id"),
        (["list", "--garden", "mysql://x"], "use a file path or postgresql://"),
    ],
)
def test_wrong_usage_ends_with_two_and_a_way_out(
    home: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert main([*words, "--garden", str(home / "g.db")] if len(words) > 1 and "--garden" not in words else words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert err.startswith("nightgarden: ")


def test_text_of_every_kind_is_taken_or_refused_in_words(home: Path) -> None:
    for stdin, code in ((b"", 1), (b" \n", 1), (b"\x00\x00", 1), (b"word " * 2_100_000, 1)):
        done = run(home, "remember", "--json", stdin=stdin)
        assert (done.code, done.json["verdict"], done.json["id"]) == (code, "refused", None)
    for stdin, content in (
        (b"The build\x00 server is Rose", "The build server is Rose"),
        (b"The build \xff server is Iris", "The build \ufffd server is Iris"),
        ("השרת של הבדיקות נקרא ורד".encode(), "השרת של הבדיקות נקרא ורד"),
        ("The release emoji is 👩🏽‍🚀".encode(), "The release emoji is 👩🏽‍🚀"),
    ):
        done = run(home, "remember", "-", "--json", stdin=stdin)
        assert (done.code, done.json["memory"]["content"]) == (0, content)
    listed = run(home, "list")
    assert "👩🏽‍🚀" in listed.out


def test_half_characters_on_the_command_line_never_break_it(home: Path) -> None:
    kept = run(home, b"remember", b"The \xff server is called Tulip", b"--tag", b"\xff", b"--json")
    assert (kept.code, kept.json["memory"]["content"]) == (0, "The \ufffd server is called Tulip")
    assert run(home, b"recall", b"\xff tulip", b"--json").code == 0
    for words in (
        [b"show", b"\xff"],
        [b"tag", b"\xff", b"x"],
        [b"undo", b"\xff"],
        [b"recall", b"x", b"--scope", b"agent:\xff"],
    ):
        done = run(home, *words)
        assert done.code in (0, 2), words
    assert run(home, b"import", b"/nonexistent-\xff").code == 2


def test_a_hundred_thousand_tags_are_refused_in_words(home: Path) -> None:
    memory_id = run(home, "remember", PORT, "--json").json["id"]
    done = run(home, "tag", memory_id, *(f"t{n}" for n in range(100_000)))
    assert (done.code, "100,000 tags are too many" in done.err) == (2, True)
    assert run(home, "show", memory_id, "--json").json["tags"] == []


def test_a_secret_is_refused_and_is_nowhere_in_the_files(home: Path) -> None:
    done = run(home, "remember", f"The deploy key is {KEY}")
    assert done.code == 1
    assert "refused (secret)" in done.out
    assert KEY not in done.out + done.err
    shaped = run(home, "remember", f"The deploy key is {KEY}", "--json")
    assert (shaped.code, shaped.json["verdict"], shaped.json["rule"]) == (1, "refused", "secret")
    assert KEY not in shaped.out
    assert [path for path in home.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()] == []


def test_a_wrong_address_or_password_is_said_without_the_password(home: Path) -> None:
    done = run(home, "stats", "--garden", "postgresql://me:hunter2secret@127.0.0.1:1/none")
    assert done.code == 1
    assert "127.0.0.1" in done.err
    assert "hunter2secret" not in done.err + done.out


def test_bad_settings_are_named_with_file_and_key(home: Path) -> None:
    (home / "config.toml").write_text("[recall]\nlimit = 0\n")
    done = run(home, "recall", "x")
    assert (done.code, str(home / "config.toml") in done.err, "recall.limit" in done.err) == (2, True, True)
    (home / "config.toml").unlink()
    done = run(home, "recall", "x", env={"NIGHTGARDEN_RECALL_LIMIT": "many"})
    assert (done.code, "from 1 to 1000" in done.err) == (2, True)


def test_malformed_import_lines_are_reported_and_the_rest_is_taken(home: Path, tmp_path: Path) -> None:
    run(home, "remember", PORT)
    path = tmp_path / "out.jsonl"
    path.write_text(run(home, "export").out + "{broken\n", encoding="utf-8")
    done = run(home, "import", str(path), "--garden", str(tmp_path / "other.db"))
    assert done.code == 1
    assert "1 memory" in done.out
    assert "could not be read: line 4" in done.err


def test_a_damaged_garden_is_read_with_a_warning_refused_for_writing_and_repaired(home: Path) -> None:
    run(home, "remember", PORT)
    data = bytearray((home / "garden.db").read_bytes())
    data[100:108] = b"\xff" * 8  # the first page: nothing can be opened
    (home / "garden.db").write_bytes(data)
    writing = run(home, "remember", "The office moved to Leith in May")
    assert (writing.code, "doctor --repair" in writing.err, "restore-backup" in writing.err) == (1, True, True)
    report = run(home, "doctor", "--json")
    assert (report.code, report.json["ok"]) == (1, False)
    repaired = run(home, "doctor", "--repair", "--json")
    assert (repaired.code, repaired.json["ok"]) == (0, True)
    assert (home / "garden.db.damaged").read_bytes() == bytes(data)
    assert run(home, "doctor", "--json").json["ok"]
    assert run(home, "remember", "The office moved to Leith in May").code == 0


def test_a_newer_garden_says_to_upgrade(home: Path) -> None:
    run(home, "remember", PORT)
    with sqlite3.connect(home / "garden.db") as db:
        db.execute("PRAGMA user_version = 999")
    db.close()
    done = run(home, "list")
    assert (done.code, "pip install --upgrade nightgarden" in done.err) == (1, True)


def test_a_reader_that_has_seen_enough_is_no_error(home: Path) -> None:
    run(home, "remember", PORT)
    program = f"{sys.executable} -m nightgarden"
    for command in ("export", "history", "list", "completion bash"):
        line = f"set -o pipefail; {program} {command} | head -c 1 >/dev/null"
        done = subprocess.run(["bash", "-c", line], env=environment(home), cwd=home, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b""), (command, done.stderr)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_whole_and_parse_where_the_shell_is_there(
    home: Path, tmp_path: Path, shell: str
) -> None:
    done = run(home, "completion", shell)
    assert done.code == 0
    for name in ("remember", "restore-backup", "migrate-store", "--helpful" if shell != "fish" else "helpful"):
        assert name in done.out
    script = tmp_path / f"completion.{shell}"
    script.write_text(done.out)
    if shutil.which(shell):
        subprocess.run([shell, "-n", str(script)], check=True, capture_output=True)
    if shell == "bash":
        ask = f". {script}; COMP_WORDS=(ng rec); COMP_CWORD=1; _nightgarden; echo ${{COMPREPLY[@]}}"
        answer = subprocess.run(["bash", "-c", ask], capture_output=True, text=True, check=True)
        assert answer.stdout.split() == ["recall"]
