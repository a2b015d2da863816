"""The commands about what agents are shown, as a shell sees them."""

from __future__ import annotations

import json

from nightgarden.surfaces.cli.main import main

PORT = "The staging database of ledger listens on port 5433"


def said(capsys, *words: str) -> str:
    capsys.readouterr()
    assert main(list(words)) == 0
    return capsys.readouterr().out


def test_turn_shows_once_what_fits_and_is_silent_else(home, project, monkeypatch, capsys):
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    monkeypatch.chdir(project)
    main(["remember", PORT])
    ask = ("turn", "connect to the staging database of ledger", "--session", "s", "--deadline", "60000")
    assert PORT in said(capsys, *ask)
    assert said(capsys, *ask) == ""
    shape = json.loads(said(capsys, "turn", "thanks, that works", "--session", "s", "--json"))
    assert shape == {"text": None, "items": [], "left_out": 0, "why": shape["why"], "passed_over": []}
    assert "small talk" in shape["why"]
    stats = json.loads(said(capsys, "stats", "--json"))
    assert (stats["turns"]["shown"], stats["turns"]["known already"], stats["turns"]["class none"]) == (1, 1, 1)


def test_looking_at_a_turn_leaves_no_trace_and_says_what_was_passed_over(home, project, monkeypatch, capsys):
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    monkeypatch.chdir(project)
    main(["remember", PORT])
    main(["remember", "The ledger of the tennis club is kept by Anna"])
    ask = ("turn", "connect to the staging database of ledger", "--explain")
    first = said(capsys, *ask)
    assert PORT in first
    assert "passed over" in first
    assert "tennis club" in first
    assert said(capsys, *ask) == first  # nothing counted as shown
    assert said(capsys, "turn", "connect to the staging database of ledger") in first
    main(["turn", "which printer do we use in the office again?"])
    assert "nothing remembered fits" in capsys.readouterr().err
    assert json.loads(said(capsys, "gaps", "--json")) == {"gaps": []}
    assert json.loads(said(capsys, "surfaced", "--json")) == {"sessions": []}
    assert not json.loads(said(capsys, "stats", "--json"))["turns"]


def test_gaps_are_listed_and_closed(home, project, monkeypatch, capsys):
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    monkeypatch.chdir(project)
    said(capsys, "turn", "which printer do we use in the office again?", "--session", "s", "--deadline", "60000")
    [gap] = json.loads(said(capsys, "gaps", "--json"))["gaps"]
    assert gap["snippet"] == "which printer do we use in the office again?"
    assert "1 gap" in said(capsys, "gaps")
    said(capsys, "gaps", "--close", gap["id"])
    assert json.loads(said(capsys, "gaps", "--json")) == {"gaps": []}
    assert main(["gaps", "--close", "nothing"]) == 2


def test_briefing_tells_what_there_is_in_the_size_asked_for(home, project, monkeypatch, capsys):
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    monkeypatch.chdir(project)
    assert said(capsys, "briefing") == ""
    for thing in ("roses", "tulips", "ferns", "lilies", "oaks"):
        main(["remember", f"The {thing} are watered by the north pump"])
    main(["remember", "Never prune the oaks in summer"])
    text = said(capsys, "briefing", "--mode", "heartbeat")
    assert text.index("Never prune") < text.index("watered")
    assert "(2 more; ask memory search)" in text
    assert main(["briefing", "--mode", "gossip"]) == 2
