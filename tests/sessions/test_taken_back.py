"""What the user takes back or puts right in conversation, here and in a later session."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from nightgarden import Garden, Message, Session
from nightgarden.domain.memory import Scope
from nightgarden.sessions.harvest import Harvest

START = datetime(2026, 5, 1, tzinfo=UTC)
YARN = "Remember: we always use yarn in this project."


async def held(garden: Garden, name: str, *said: tuple[str, str] | str, scope: Scope | None = None) -> Harvest:
    """A session of a day of its own; text alone is the user's, whom the assistant answers "ok"."""
    turns = [
        turn for each in said for turn in ([("user", each), ("assistant", "ok")] if isinstance(each, str) else [each])
    ]
    day = START + timedelta(days=len(await garden.sessions.list()))
    messages = tuple(
        Message(id=f"{name}-{number}", role=role, text=text, at=day + timedelta(minutes=number))
        for number, (role, text) in enumerate(turns)
    )
    await garden.sessions.add(Session(id=name, messages=messages, started_at=day, scope=scope))
    return await garden.sessions.extract(name)


async def live(garden: Garden) -> list[str]:
    return [memory.content for memory in await garden.list(limit=None)]


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("Remember: we never use mocks in tests.", "please disregard the thing about mocks"),
        ("Remember: we never use mocks in tests.", "Strike the mocks remark."),
        (YARN, "ignore my remark about yarn, wrong project"),
        (YARN, "oops, wrong repo"),
        (YARN, "no wait, that's wrong, that's the other service"),
        ("Merk dir: wir nutzen immer Tabs in diesem Projekt.", "Vergiss das mit den Tabs, ich war im falschen Repo."),
        ("Merk dir: wir schreiben Commit-Messages auf Englisch.", "Das mit den Commit-Messages nehme ich zurück."),
        ("Recuerda: siempre usamos PHPUnit para los tests.", "olvida lo de PHPUnit, me equivoqué"),
        ("Recuerda: siempre usamos PHPUnit para los tests.", "Ignora lo que dije sobre PHPUnit"),
        ("Retiens : nous utilisons toujours yarn dans ce projet.", "Oublie mon histoire de yarn, mauvais projet"),
    ],
)
async def test_what_is_named_or_said_just_before_is_taken_back(garden, said, word):
    await held(garden, "control", said)
    assert len(await live(garden)) == 1
    for memory in await garden.list():
        await garden.purge(memory.id)
    await held(garden, "s", said.replace(".", "!"), word)
    assert await live(garden) == []


@pytest.mark.parametrize(
    "word",
    [
        "ignore whitespace in diffs",
        "the forget gate of the LSTM uses yarn",
        "drop the table about yarn",
        "scratch that directory before the build",
        "don't forget what I said about yarn",
        "should I forget what you said about yarn?",
        "if npm works, forget what I said about yarn",
        "ignore what I said about yarn for this test",
        "Oh sure, forget what I said about yarn, everybody loves npm",
        "Marta said: forget what I said about yarn",
        "no, thanks",
        "no, 3 tests fail",
        "sorry, I meant the other file",
        "I was in the wrong repo, now the tests pass",
        "Vergiss nicht, yarn laufen zu lassen",
        "no olvides lo que dije sobre yarn",
        "n'oublie pas ce que j'ai dit sur yarn",
    ],
)
async def test_ordinary_sentences_with_these_verbs_take_nothing_back(garden, word):
    await held(garden, "s", YARN, word)
    await held(garden, "later", word)
    assert "We always use yarn in this project" in await live(garden)


@pytest.mark.parametrize(
    ("said", "word", "right"),
    [
        (
            "Remember: always use British spelling in the docs.",
            "Actually no, American spelling in the docs.",
            "Always use American spelling in the docs",
        ),
        (
            "Remember: our staging database is on port 5440.",
            "Scratch that, it's the test database that is on 5440.",
            "The test database is on 5440",
        ),
        (
            "Remember: our uploads are stored in S3.",
            "I was wrong about S3, it's a MinIO",
            "Our uploads are stored in MinIO",
        ),
        ("Remember: our API runs on port 8080.", "sorry, I meant 8081", "Our API runs on port 8081"),
        ("Merk dir: unsere API läuft auf Port 8080.", "Quatsch, 8081 natürlich", "Unsere API läuft auf Port 8081"),
        ("Merk dir: unser Hauptbranch heißt develop.", "Nein, ich meinte main", "Unser Hauptbranch heißt main"),
        (
            "Retiens : notre branche principale s'appelle trunk.",
            "pardon, je voulais dire main",
            "Notre branche principale s'appelle main",
        ),
        (
            "Recuerda: siempre usamos npm para instalar.",
            "perdón, quise decir pnpm",
            "Siempre usamos pnpm para instalar",
        ),
    ],
)
async def test_a_correction_puts_the_right_value_into_the_statement(garden, said, word, right):
    await held(garden, "s", said, word)
    assert await live(garden) == [right]


async def test_a_correction_replaces_what_an_earlier_reading_of_the_session_kept(garden):
    await held(garden, "s", "Remember: our API runs on port 8080.")
    session = await garden.sessions.get("s")
    said = Message(id="more", role="user", text="sorry, I meant 8081", at=START + timedelta(hours=1))
    await garden.sessions.add(Session(id="s", messages=(*session.messages, said), started_at=START))
    await garden.sessions.extract("s")
    assert await live(garden) == ["Our API runs on port 8081"]


async def test_a_figure_that_the_assistant_brought_up_is_not_put_into_the_users_statement(garden):
    await held(
        garden,
        "s",
        ("user", "Remember: our API runs on port 8080."),
        ("assistant", "I set the timeout to 30."),
        "No, 60",
    )
    assert "Our API runs on port 8080" in await live(garden)


@pytest.mark.parametrize(
    ("said", "word"),
    [
        (YARN, "Forget what I said about yarn, we never used it."),
        ("Remember: our API base path is under /v2/api.", "scratch what I told you yesterday about the base path"),
        ("Merk dir: wir nutzen immer Tabs in diesem Projekt.", "Vergiss, was ich über die Tabs gesagt habe."),
        ("Recuerda: siempre usamos PHPUnit para los tests.", "olvida lo que dije sobre PHPUnit"),
        ("Retiens : nous utilisons toujours yarn dans ce projet.", "oublie ce que j'ai dit sur yarn"),
    ],
)
async def test_a_later_session_takes_back_the_one_memory_it_names_and_undo_brings_it_back(garden, said, word):
    await held(garden, "s", said)
    before = await live(garden)
    assert len(before) == 1
    harvest = await held(garden, "later", word)
    assert [memory.content for memory in harvest.forgotten] == before
    assert await live(garden) == []
    entry = (await garden.history(harvest.forgotten[0].id))[-1]
    assert "took it back" in entry.reason
    await garden.undo(entry.id)
    await garden.sessions.extract("later", again=True)
    assert before[0] in await live(garden)


async def test_of_several_memories_none_is_clearly_meant(garden):
    await held(garden, "s", YARN, "Remember: always run yarn dedupe before a commit.")
    await held(garden, "later", "forget what I said about yarn")
    assert len(await live(garden)) == 2


async def test_only_the_users_own_words_reach_what_is_stored(garden):
    await held(garden, "s", YARN)
    word = "Forget what I said about yarn."
    await held(garden, "others", ("assistant", word), ("tool", word), ("user", f"> {word}\n\n```\n{word}\n```\nok"))
    await held(garden, "vague", "scratch that", "sorry, wrong project", "Forget the thing about yarn")
    assert await live(garden) == ["We always use yarn in this project"]


async def test_what_is_said_again_after_it_was_taken_back_stays(garden):
    await held(garden, "s", "Forget what I said about yarn.", YARN)
    await garden.sessions.extract("s", again=True)
    assert await live(garden) == ["We always use yarn in this project"]
