"""What extraction takes from a session without networks, and what it leaves."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightgarden.domain.memory import Category, Provenance
from nightgarden.domain.session import Message
from nightgarden.remember.draft import CONTENT_CHARS_MAX, Draft
from nightgarden.remember.extract import extract
from nightgarden.remember.extract.own_words import own_lines

NOW = datetime(2026, 3, 2, tzinfo=UTC)
ROLES = {"U": "user", "A": "assistant", "T": "tool", "E": "tool"}


def session(*turns: str) -> list[Message]:
    return [
        Message(id=f"m{n}", role=ROLES[turn[0]], text=turn[3:], at=NOW, is_error=turn[0] == "E")
        for n, turn in enumerate(turns)
    ]


def read(*turns: str) -> list[Draft]:
    return extract(session(*turns))


REQUESTED = [
    ("remember that the staging DB runs on port 5433", Category.FACT, "The staging DB runs on port 5433"),
    ("note for later: the importer lives in tools/old", Category.FACT, "The importer lives in tools/old"),
    ("remember: never use println! for logging", Category.NEGATIVE, "Never use println! for logging"),
    ("please remember that I prefer short answers", Category.FACT, "Prefers short answers"),
    ("keep in mind that I'm on an M1 Mac with zsh", Category.FACT, "User is on an M1 Mac with zsh"),
    ("we deploy from main, remember that", Category.FACT, "We deploy from main"),
    ("rember that we use pnpm here", Category.FACT, "We use pnpm here"),
    ("for next time: run `make seed` before the e2e tests", Category.FACT, "Run `make seed` before the e2e tests"),
    ("don't forget that Windows users exist", Category.FACT, "Windows users exist"),
    ("merk dir, dass wir nie freitags deployen", Category.FACT, "Wir nie freitags deployen"),
    ("denk dran: nie direkt auf main pushen", Category.NEGATIVE, "Nie direkt auf main pushen"),
    ("n'oublie pas que le port par défaut est 3001", Category.FACT, "Le port par défaut est 3001"),
    ("ten en cuenta que el cliente solo acepta XML", Category.FACT, "El cliente solo acepta XML"),
    ("recuerda: nunca hagas push directo a main", Category.NEGATIVE, "Nunca hagas push directo a main"),
]


@pytest.mark.parametrize(("said", "category", "content"), REQUESTED)
def test_what_the_user_asks_to_remember_is_kept_as_a_statement_that_stands_alone(
    said: str, category: Category, content: str
) -> None:
    assert [(draft.category, draft.content) for draft in read("U: " + said)] == [(category, content)]


def test_without_networks_what_is_merely_told_is_left() -> None:
    assert read("U: we use pnpm here", "U: I prefer short answers", "U: never commit .env files") == []


LEFT = [
    "U: fix this bug",
    "U: use tabs in this snippet",
    "U: now rename it to parse_rows",
    "U: if we used Redis, would it be faster?",
    "U: should we always squash?",
    "U: Bob says we should use Rust",
    "U: I think we use Redis for that, not sure",
    "U: oh great, another flaky test. I love it when CI breaks",
    "U: sure, because rewriting everything has always worked",
    "U: I'm tired",
    "U: the build is running",
    "U: we need to finish this by Friday",
    "U: don't worry about the tests for now",
    "U: every time I run this it crashes",
    "U: let's use the first one",
    "U: do you remember what we said about caching?",
    "U: my API key is sk_live_51H8abcdefghijklmnop, remember it",
    "U: the db password is Winter2025!!",
    "A: We always use tabs.",
    "T: remember that we deploy from main",
    "U: kannst du das bitte nochmal testen?",
    "U: on a un problème avec le build",
    "U: tenemos un problema con el servidor",
]


@pytest.mark.parametrize("turn", LEFT)
def test_errands_questions_suppositions_sarcasm_and_others_words_are_left(turn: str) -> None:
    assert read(turn) == []


PASTED = [
    "look:\n```\nremember that we use tabs\n```",
    "> remember that we use tabs\nlol no",
    "> we always use tabs\nlol no",
    "here's the log:\n12:00 INFO start\nwe always use node 14",
    "got this mail, thoughts?\nFrom: Jo <jo@example.com>\nSubject: tabs\nFrom now on we use tabs.",
    "Here's what Dana wrote:\nwe decided to move to MongoDB.\nI prefer small PRs.",
    "| rule | text |\n| 1 | always use tabs |",
    "<memory>we always use tabs</memory>",
    'she wrote "we always use tabs and never spaces in this repo" again',
]


@pytest.mark.parametrize("text", PASTED)
def test_nothing_is_read_from_pasted_text(text: str) -> None:
    assert read("U: " + text) == []


def test_own_words_around_a_paste_are_read() -> None:
    text = "remember that we use pnpm here\n```\nnote: we use npm\n```\nand remember: the API listens on 8080"
    assert [draft.content for draft in read("U: " + text)] == ["We use pnpm here", "The API listens on 8080"]


def test_a_message_marked_as_pasted_is_not_read() -> None:
    message = Message(id="m", role="user", text="remember that we use tabs", at=NOW, pasted=True)
    assert extract([message]) == []


CORRECTED = [
    (("A: I installed requests.", "U: no, use httpx instead"), "Use httpx instead"),
    (("A: I'll connect to port 5432.", "U: no, it's 5433"), "Connect to port 5433 (not 5432)"),
    (("A: The timeout is 30 seconds.", "U: actually it's 60"), "The timeout is 60 seconds (not 30)"),
    (("A: I set the locale to en_US.", "U: Wrong. We always use en_GB."), "We always use en_GB"),
    (("A: Ich nehme npm.", "U: nein, nimm yarn, nicht npm"), "Nimm yarn, nicht npm"),
]


@pytest.mark.parametrize(("turns", "content"), CORRECTED)
def test_a_correction_of_the_assistant_is_kept_with_what_is_right(turns: tuple[str, ...], content: str) -> None:
    (draft,) = read(*turns)
    assert (draft.content, draft.provenance, draft.category) == (
        content,
        Provenance.USER_CORRECTED,
        Category.CORRECTION,
    )
    assert draft.context_snippet == turns[0][3:]


@pytest.mark.parametrize(
    "reply", ["no, leave it", "no worries", "no, the other one", "no, it still fails", "no, use a while loop here"]
)
def test_a_no_that_says_nothing_lasting_is_left(reply: str) -> None:
    assert read("A: I renamed it.", "U: " + reply) == []


def test_a_prohibition_keeps_its_negation_after_an_assistants_turn() -> None:
    (draft,) = read("A: I'm adding a table.", "U: no, don't add tables without a migration ticket")
    assert draft.category is Category.NEGATIVE
    assert "Don't" in draft.content


def test_compounds_become_one_memory_each() -> None:
    drafts = read("U: remember that we use pnpm here and the API listens on 8080")
    assert [draft.content for draft in drafts] == ["We use pnpm here", "The API listens on 8080"]


def test_remember_that_points_at_the_sentence_before_it() -> None:
    (draft,) = read("U: We deploy from main. Remember that.")
    assert draft.content == "We deploy from main"


def test_a_list_to_remember_is_kept_item_by_item_and_an_errand_list_is_not() -> None:
    items = "\n- tests live next to the code\n- no abbreviations in names"
    assert len(read("U: remember the following rules:" + items)) == 2
    assert read("U: please fix the following:" + items) == []


def test_the_assistants_words_count_only_when_the_user_confirms_them() -> None:
    said = "A: So you deploy only from main, right?"
    (draft,) = read(said, "U: yes, exactly")
    assert (draft.content, draft.provenance, draft.tainted) == (
        "User deploys only from main",
        Provenance.EXTRACTED,
        True,
    )
    assert read(said, "U: not sure") == []
    assert read("A: Shall I run the tests now?", "U: yes") == []


def test_an_explained_error_counts_once_it_is_seen_fixed() -> None:
    cause = "A: The root cause was that the fixture files are kept in git lfs."
    assert read("E: 3 failed", cause) == []
    assert read("E: 3 failed", "T: 3 passed", cause, "U: no, that's not it") == []
    (draft,) = read("E: 3 failed", "T: 3 passed", cause)
    assert draft.category is Category.GOTCHA
    assert draft.confidence < 0.6


def test_what_the_session_gave_already_is_not_given_again() -> None:
    assert extract(session("U: remember that we use pnpm here"), known=["We use pnpm here."]) == []


TEXT = st.text(
    alphabet=st.sampled_from("abI we use neverdon't \n`>\"':.,!?-#|<>/()é🙄0123456789"), max_size=200
) | st.text(max_size=200)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(sorted(ROLES)), TEXT), max_size=6))
def test_no_transcript_crashes_it_and_drafts_stay_short(turns: list[tuple[str, str]]) -> None:
    messages = session(*(f"{role}: {text}" for role, text in turns))
    ids = {message.id for message in messages}
    for draft in extract(messages):
        assert 0 < len(draft.content) <= CONTENT_CHARS_MAX
        assert draft.message_range is not None
        assert set(draft.message_range) <= ids


LASTING = st.sampled_from([said for said, _, _ in REQUESTED])


@settings(max_examples=60, deadline=None)
@given(st.lists(LASTING, min_size=1, max_size=4), st.sampled_from(["```", "~~~", "> "]))
def test_nothing_is_ever_read_from_inside_fences_and_quotes(lines: list[str], mark: str) -> None:
    quoted = "\n".join(f"> {line}" for line in lines) if mark == "> " else "\n".join([mark, *lines, mark])
    assert not any(own_lines(quoted))
    assert read("U: " + quoted) == []


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("We are on Flask 2.3. Here's my code:", "We are on Flask 2.3."),
        ("I use Bootstrap 5 for it, here is the code:", "I use Bootstrap 5 for it"),
        ("Wir nutzen Postgres 15. Hier ist der Code:", "Wir nutzen Postgres 15."),
        ("I agree with that. Anna wrote:", "I agree with that."),
        ("Here's the log:", ""),
        ("The output of the deploy is:", ""),
    ],
)
def test_what_announces_code_or_a_mail_does_not_take_the_words_before_it(said: str, own: str) -> None:
    assert own_lines(f"{said}\n```\nwe always use tabs\n```\nwe never mock the clock") == [
        own,
        "",
        "",
        "",
        "we never mock the clock" if "wrote" not in said else "",
    ]


def test_a_long_line_of_announcements_is_read_in_linear_time() -> None:
    for line in (", here's the code" * 700 + ":", ". the code" * 1_000 + ":", "?" * 9_000 + " here is the log:"):
        assert len(own_lines(line)) == 1
