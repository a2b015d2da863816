"""Every command, run as a real process: what it prints, the shape of its JSON, and its exit code."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import Ran, environment, run

PORT = "The staging database runs on port 5433"
MEMORY_FIELDS = {
    "id",
    "content",
    "category",
    "scope",
    "tags",
    "tier",
    "status",
    "provenance",
    "created_at",
    "confidence",
}


@pytest.fixture
def told(home: Path, project: Path) -> Any:
    """Runs a command in the project, with `--json`, and gives what it printed."""

    def tell(*words: str, code: int = 0) -> Any:
        done = run(home, *words, "--json", cwd=project)
        assert (done.code, done.err) == (code, ""), (words, done.err)
        return done.json

    return tell


def test_remember_recall_list_show_and_edit(told: Any, home: Path, project: Path) -> None:
    saved = told("remember", PORT, "--tag", "DB", "--importance", "high")
    assert (saved["verdict"], saved["rule"], saved["memory"]["tags"]) == ("saved", None, ["db"])
    assert saved["memory"].keys() >= MEMORY_FIELDS
    again = told("remember", PORT.upper())
    assert (again["verdict"], again["id"], bool(again["rule"] and again["sentence"])) == (
        "reinforced",
        saved["id"],
        True,
    )
    replaced = told("remember", "The staging database was moved from port 5433 to 5434")
    assert (replaced["verdict"], replaced["replaced_ids"]) == ("superseded", [saved["id"]])
    found = told("recall", "staging", "port")
    assert found.keys() == {"query", "results", "took_ms", "missing", "texts"}
    assert found["query"] == "staging port"
    (result,) = found["results"]
    assert {"id", "kind", "content", "category", "scope", "score", "reasons", "created_at"} <= result.keys()
    assert (result["id"], result["kind"], bool(result["reasons"])) == (replaced["id"], "memory", True)
    assert [memory["id"] for memory in told("list")["memories"]] == [replaced["id"]]
    assert [memory["id"] for memory in told("list", "--archived")["memories"]] == [saved["id"]]
    edited = told("edit", replaced["id"], "--content", "Staging listens on 5435", "--pin")
    assert (edited["content"], edited["tier"]) == ("Staging listens on 5435", 1)
    assert told("show", replaced["id"]) == edited
    plain = run(home, "recall", "staging", cwd=project)
    assert "\x1b" not in plain.out
    assert "Staging listens on 5435" in plain.out
    assert "1 result" in plain.out


def test_forget_restore_feedback_purge_history_and_undo(told: Any) -> None:
    memory_id = told("remember", PORT)["id"]
    assert told("forget", memory_id, "--reason", "old")["memories"][0]["status"] == "archived"
    assert told("restore", memory_id)["memories"][0]["status"] == "promoted"
    assert told("feedback", memory_id, "--helpful")["strength"] == 2
    entries = told("history", memory_id)["entries"]
    assert [entry["reason"] for entry in entries] == ["saved", "old", "restored", "helpful"]
    undone = told("undo", entries[-1]["id"])
    assert (undone["undone"], len(undone["entries"])) == (entries[-1]["id"], 1)
    last = told("undo")  # without an id: what was done before that
    assert (last["undone"], last["entries"][0]["operation"]) == (entries[-2]["id"], "undo")
    told("undo", last["entries"][0]["id"])
    assert told("show", memory_id)["strength"] == 1
    assert len(told("history", "--limit", "2")["entries"]) == 2
    assert told("purge", memory_id, "--yes") == {"purged": [memory_id], "missing": []}
    assert told("list")["memories"] == []


def test_tag_link_related_flagged_and_stats(told: Any) -> None:
    one, two = told("remember", PORT)["id"], told("remember", "Ada prefers tea in the morning")["id"]
    assert told("tag", one, "Infra", "db", "--remove", "nothing")["tags"] == ["db", "infra"]
    assert [(tag["name"], tag["memory_count"]) for tag in told("tag")["tags"]] == [("db", 1), ("infra", 1)]
    edge = told("link", one, two, "--weight", "0.7")
    assert (edge["source"], edge["target"], edge["kind"], edge["weight"]) == (one, two, "relates_to", 0.7)
    (related,) = told("related", one)["related"]
    assert (related["memory"]["id"], related["edge"]["kind"]) == (two, "relates_to")
    told("remember", "We deploy on Fridays")
    doubt = told("remember", "We deploy on Mondays", "--provenance", "inferred", "--confidence", "0.4")
    assert doubt["verdict"] == "flagged"
    (pair,) = told("flagged")["flagged"]
    assert (pair["memory"]["id"], len(pair["against"])) == (doubt["id"], 1)
    assert told("flagged", doubt["id"], "--drop")["decision"] == "drop"
    stats = told("stats")
    assert {"garden", "project", "memories", "passages", "sessions", "tags", "edges", "embedding"} <= stats.keys()
    assert (stats["memories"]["promoted"], stats["embedding"]["model"]) == (3, None)


def test_export_import_backup_restore_doctor_and_migrate(told: Any, home: Path, project: Path, tmp_path: Path) -> None:
    memory_id = told("remember", PORT)["id"]
    exported = run(home, "export", cwd=project)
    lines = [json.loads(line) for line in exported.out.splitlines()]
    assert (exported.code, lines[0]["type"], exported.err) == (0, "nightgarden-export", "")
    assert memory_id in {line.get("id") for line in lines}
    target = tmp_path / "out.md"
    written = run(home, "export", "--format", "markdown", "--output", str(target), cwd=project)
    assert (written.code, written.out) == (0, "")
    assert "written to" in written.err
    made = told("backup")
    assert Path(made["backup"]).stat().st_size == made["bytes"]
    told("purge", memory_id, "--yes")
    done = told("import", str(target), "--trust")
    assert (done["format"], done["added"], done["problems"]) == ("markdown", {}, [])
    assert done["purged"] == 2
    assert [each["path"] for each in told("restore-backup", "--list")["backups"]] == [made["backup"]]
    back = told("restore-backup", "latest", "--yes")
    assert Path(back["replaced"]).exists()
    assert told("list")["memories"] == []  # the backup was purged too
    report = told("doctor")
    assert report["ok"]
    assert {"name", "ok", "detail", "repaired", "in_file"} == report["checks"][0].keys()
    assert told("doctor", "--repair")["ok"]
    told("remember", PORT)
    moved = told("migrate-store", "--to", str(tmp_path / "other.db"))
    assert (moved["to"], moved["verified"]["memory"]["count"]) == (str(tmp_path / "other.db"), 1)
    assert told("recall", "staging", "--garden", str(tmp_path / "other.db"))["results"]
    again = run(home, "migrate-store", "--to", str(tmp_path / "other.db"), cwd=project)
    assert (again.code, "holds another garden" in again.err) == (2, True)


def test_sessions_and_models(told: Any, tmp_path: Path) -> None:
    assert told("sessions", "allow", "codex") == {"allowed": ["codex", "jsonl"]}
    assert told("sessions", "forbid", "codex") == {"allowed": ["jsonl"]}
    assert told("sessions", "list") == {"sessions": []}
    assert told("sessions", "extract") == {"sessions": []}
    assert told("sessions", "search", "anything")["results"] == []
    assert told("sessions", "scan", "--home", str(tmp_path))["clients"] is not None
    assert {"id", "licence", "path"} == told("models", "list")["models"][0].keys()


def test_tables_are_for_people_and_colours_only_for_terminals(home: Path, project: Path) -> None:
    run(home, "remember", PORT, "--tag", "db", cwd=project)
    for words in (["list"], ["stats"], ["tag"], ["history"], ["doctor"], ["sessions", "list"], ["models", "list"]):
        done = run(home, *words, cwd=project, env={"NO_COLOR": "1"})
        assert (done.code, "\x1b" in done.out, done.err) == (0, False, ""), words
    stats = run(home, "stats", cwd=project)
    assert "by words only" in stats.out
    assert "switched off" in stats.out


def on_a_terminal(home: Path, project: Path, *words: str, **env: str) -> str:
    """Runs a command on a pseudo-terminal and gives what a person would see."""
    leader, follower = pty.openpty()
    command = [sys.executable, "-m", "nightgarden", *words]
    child = subprocess.Popen(command, stdin=follower, stdout=follower, stderr=follower, cwd=project,
                             env=environment(home, TERM="xterm", **env))  # fmt: skip
    os.close(follower)
    seen = b""
    try:
        while piece := os.read(leader, 65536):
            seen += piece
    except OSError:  # the other end is closed: the program has ended
        pass
    finally:
        os.close(leader)
    assert child.wait() == 0
    return seen.decode()


def test_a_terminal_gets_colours_unless_no_color_is_set(home: Path, project: Path) -> None:
    run(home, "remember", PORT, cwd=project)
    assert "\x1b[36m" in on_a_terminal(home, project, "recall", "staging")
    assert "\x1b[" not in on_a_terminal(home, project, "recall", "staging", NO_COLOR="1")


def test_help_and_version_and_nothing_at_all(home: Path) -> None:
    version = run(home, "--version")
    assert (version.code, version.out.split()[0]) == (0, "nightgarden")
    bare: Ran = run(home)
    assert (bare.code, run(home, "--help").out) == (0, bare.out)
    for name in ("remember", "recall", "doctor", "migrate-store", "completion"):
        assert name in bare.out
    assert "--allow" in run(home, "remember", "--help").out
