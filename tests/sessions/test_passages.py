"""Messages become passages that are bounded, verbatim and always the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nightgarden.domain.ids import is_id
from nightgarden.domain.memory import GLOBAL, Scope, ScopeKind
from nightgarden.domain.session import Message, Session
from nightgarden.sessions.passages import ERROR_CHARS_MAX, PASSAGE_CHARS_MAX, cut_passages, cut_text
from tests.sessions.transcripts import NOON

PROJECT = Scope(ScopeKind.PROJECT, "p")


def say(message_id: str, text: str, role: str = "user", **more) -> Message:
    return Message(id=message_id, role=role, text=text, at=NOON, **more)


def test_each_message_gives_one_passage_at_its_place_in_its_session() -> None:
    session = Session(id="s", scope=PROJECT)
    passages = cut_passages(session, [say("1", "hello"), say("2", "hi", "assistant"), say("3", "hey", "Mira")])
    assert [(p.position, p.role, p.content, p.message_ids) for p in passages] == [
        (0, "user", "hello", ("1",)),
        (1, "assistant", "hi", ("2",)),
        (2, "Mira", "hey", ("3",)),
    ]
    assert {p.scope for p in passages} == {PROJECT}
    assert all(is_id(p.id) for p in passages)


def test_tools_give_passages_only_when_they_failed_and_only_the_beginning() -> None:
    fine = say("1", "ok", "tool", tool_name="x")
    failed = say("2", "E" * 1000, "tool", tool_name="x", is_error=True)
    passages = cut_passages(Session(id="s"), [fine, failed, say("3", "rules", "system")])
    assert [(p.position, len(p.content)) for p in passages] == [(1, ERROR_CHARS_MAX)]
    assert passages[0].scope == GLOBAL


def test_a_long_message_is_cut_at_paragraphs_into_numbered_parts_of_one_position() -> None:
    paragraph = "A sentence that goes on for a while. " * 12
    text = "\n\n".join(paragraph.strip() for _ in range(6))
    passages = cut_passages(Session(id="s", messages=(say("1", text),)))
    assert [p.part for p in passages] == list(range(len(passages)))
    assert len(passages) > 1
    assert {p.position for p in passages} == {0}
    assert all(p.content.endswith("while.") for p in passages)


def test_the_same_message_gives_the_same_ids_wherever_reading_began() -> None:
    session = Session(id="s")
    messages = [say(str(n), f"text {n}") for n in range(4)]
    whole = cut_passages(session, messages)
    assert cut_passages(session, messages[:2]) + cut_passages(session, messages[2:], first_position=2) == whole
    assert len({p.id for p in whole}) == 4
    assert not {p.id for p in whole} & {p.id for p in cut_passages(Session(id="other"), messages)}


@given(st.text(alphabet=st.sampled_from("ab .!?\n。字🌱"), max_size=4000))
def test_cutting_keeps_every_word_and_every_bound(text: str) -> None:
    pieces = cut_text(text, PASSAGE_CHARS_MAX)
    assert all(0 < len(piece) <= PASSAGE_CHARS_MAX for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())


def test_text_without_any_end_is_cut_all_the_same() -> None:
    assert [len(piece) for piece in cut_text("x" * 3000, 1200)] == [1200, 1200, 600]
