"""Transcripts of own agents."""

from __future__ import annotations

from pathlib import Path

from nightgarden.domain.session import SessionStatus
from nightgarden.sessions.readers.plain import Plain
from tests.sessions.transcripts import LATER, PLAIN, write_plain


def read(home: Path, env: dict[str, str] | None = None):
    reader = Plain()
    return reader.read(reader.discover(home, env or {})[0], "", now=LATER)


def test_every_speaker_is_kept_and_repeating_oneself_makes_two_messages(home: Path) -> None:
    write_plain(home)
    found = read(home)
    assert [(m.role, m.text) for m in found.new_messages] == [
        ("user", "we water at dawn"),
        ("assistant", "noted"),
        ("assistant", "noted"),
        ("tool", "exit 1"),
        ("Mira", "at dusk, too"),
    ]
    assert (found.session.id, found.session.title, found.session.directory) == ("talk", "Garden talk", "/garden")
    assert found.status is SessionStatus.CLOSED


def test_lines_without_role_or_text_count_as_damaged(home: Path) -> None:
    write_plain(home, [*PLAIN[:2], {"role": "user"}, {"text": "whose?"}, {"role": 3, "text": ["x"]}])
    found = read(home)
    assert (len(found.new_messages), found.damaged_lines) == (1, 3)


def test_an_agent_can_mark_text_as_pasted_and_text_may_come_in_blocks(home: Path) -> None:
    blocks = [{"type": "text", "text": "see"}, {"type": "image_url"}]
    write_plain(home, [{"role": "user", "text": "a log", "pasted": True}, {"role": "user", "content": blocks}])
    assert [(m.text, m.pasted) for m in read(home).new_messages] == [("a log", True), ("see\n[image]", False)]


def test_the_folder_can_be_named_in_the_environment(home: Path, tmp_path: Path) -> None:
    moved = write_plain(home).parent.rename(tmp_path / "moved")
    assert read(home, {"NIGHTGARDEN_TRANSCRIPTS": str(moved)}).session.id == "talk"
