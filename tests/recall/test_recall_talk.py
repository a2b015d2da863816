"""What recall makes of talk: messages as results, roles, long questions, questions that ask for many things."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from nightgarden.domain.session import Message, Passage, Session
from nightgarden.garden import Garden
from nightgarden.recall.many import asks_for_many
from nightgarden.recall.options import RecallOptions
from nightgarden.recall.standing import StandingRequest, standing
from nightgarden.recall.support import NeighbourTurn, conversation_boosts, speaker
from nightgarden.sessions.passages import cut_passages
from tests.recall.small_store import SmallStore
from tests.recall.test_recall import ask, ids, said

NOW = datetime(2026, 11, 1, tzinfo=UTC)


def session(name: str, *turns: tuple[str, str]) -> list[Passage]:
    messages = tuple(
        Message(id=f"{name}{place}", role=role, text=text, at=NOW) for place, (role, text) in enumerate(turns)
    )
    return cut_passages(Session(id=name, messages=messages, started_at=NOW))


def turn(id: str, position: int, said_by: str, *, asks: float = 0.0, words: int = 40) -> NeighbourTurn:
    return NeighbourTurn(id=id, session_id="s", position=position, said_by=said_by, asks=asks, words=words)


LONG_REPLY = "\n\n".join(
    f"Step {n}: set the staging port of the database in file {n}. " + f"Mind what it says about case {n}. " * 20
    for n in range(12)
)


async def test_a_long_message_is_one_result_and_the_limit_counts_messages() -> None:
    passages = session(
        "s",
        ("user", "how do I set the staging port of the database?"),
        ("assistant", LONG_REPLY),
        ("user", "the staging port of the database is 5433"),
        ("user", "lunch was good"),
    )
    assert len([passage for passage in passages if passage.role == "assistant"]) > 5
    found = await ask(SmallStore(passages), "staging port of the database", limit=3)
    assert sorted(result.message_ids for result in found.results) == [("s0",), ("s1",), ("s2",)]


async def test_with_an_agent_the_users_word_comes_before_the_long_reply_that_repeats_it() -> None:
    passages = session(
        "s",
        ("user", "what is a good staging port for the database?"),
        ("assistant", LONG_REPLY),
        ("user", "our staging port is 5433"),
        ("assistant", LONG_REPLY),
    )
    found = await ask(SmallStore(passages), "staging port of the database", limit=4)
    assert [result.speaker for result in found.results] == ["user", "user", "assistant", "assistant"]


def test_short_turns_and_questions_lose_between_people_and_not_with_an_agent() -> None:
    people = conversation_boosts([turn("a", 0, "Ann", asks=1.0, words=4), turn("b", 5, "Bob")], {}, RecallOptions())
    chat = conversation_boosts([turn("a", 0, "user", asks=1.0, words=4), turn("b", 5, "user")], {}, RecallOptions())
    assert sum(people["a"].values()) < sum(people["b"].values())
    assert sum(chat["a"].values()) == sum(chat["b"].values())


def test_the_reply_of_an_agent_gains_nothing_by_the_request_before_it() -> None:
    request, reply = turn("a", 0, "user", asks=1.0), turn("b", 1, "assistant")
    boosts = conversation_boosts([request, reply], {"a": 5.0}, RecallOptions())
    assert not any(boosts["b"].values())


def test_the_users_answer_to_a_question_of_the_agent_gains_by_it() -> None:
    question, answer = turn("a", 0, "assistant", asks=1.0), turn("b", 1, "user")
    boosts = conversation_boosts([question, answer], {"a": 5.0}, RecallOptions())
    assert boosts["b"]["answers"] > 0


def test_a_name_beside_an_agent_does_not_make_a_talk_between_people() -> None:
    turns = [turn("a", 0, "Ann", words=3), turn("b", 1, "assistant", words=3)]
    boosts = conversation_boosts(turns, {}, RecallOptions())
    assert boosts["a"]["short"] == 0.0


ORDERS = [
    "Always give version numbers when I ask about libraries.",
    "please never use tables in your answers",
    "From now on, answer in English.",
    "Immer die Quelle nennen, bitte",
    "Siempre incluye las unidades cuando pregunte por medidas",
]
NO_ORDERS = [
    "I have never seen that before",
    "the tests always fail on Mondays",
    "Which libraries do we use?",
    "Never mind that. " + "It was about the cache and the way it is filled at night. " * 4,
]


@pytest.mark.parametrize(("text", "ordered"), [*((t, True) for t in ORDERS), *((t, False) for t in NO_ORDERS)])
def test_what_the_user_orders_for_every_time(text: str, ordered: bool) -> None:
    assert (standing(text) is StandingRequest.INSTRUCTION) is ordered


def test_what_the_user_says_to_prefer() -> None:
    assert standing("I'm torn, but I'd rather have simple dependencies than fast ones") is StandingRequest.PREFERENCE


async def test_a_standing_instruction_comes_up_for_the_questions_it_is_meant_for() -> None:
    passages = session(
        "s",
        *(("user", f"how do the libraries of module {n} end up in the image we use?") for n in range(6)),
        ("user", "Always give version numbers when I ask about libraries."),
        ("assistant", "Understood."),
        *(("user", f"note {n} about the weather") for n in range(20)),
    )
    found = await ask(SmallStore(passages), "which libraries do we use?", limit=3)
    first = next(result for result in found.results if result.message_ids == ("s6",))
    assert "a standing instruction from the user" in first.reasons


def test_an_order_of_the_agents_is_none() -> None:
    boosts = conversation_boosts(
        [
            NeighbourTurn(
                id="a",
                session_id="s",
                position=0,
                said_by="assistant",
                asks=0.0,
                words=5,
                standing=StandingRequest.INSTRUCTION,
            )
        ],
        {"a": 5.0},
        RecallOptions(),
    )
    assert not any(boosts["a"].values())


@pytest.mark.parametrize(("role", "who"), [("user", "Ann"), ("assistant", "assistant"), ("Bob", "Bob")])
def test_who_spoke(role: str, who: str) -> None:
    assert speaker(said("x", "Ann: it is here", role=role)) == who


@pytest.mark.parametrize(
    ("before", "question", "answer"),
    [
        (
            " ".join(f"trace{n} frame{n}" for n in range(32)),
            "Which port has staging?",
            "the port of staging is 5433",
        ),
        (
            "port staging " + " ".join(f"trace{n} frame{n}" for n in range(30)),
            "Which port has staging?",
            "the port of staging is 5433",
        ),
        (
            "昨天我们讨论了很多别的事情包括天气食物旅行音乐电影书籍运动还有周末的计划以及下个月的各种安排和预算",
            "预发布环境数据库端口是多少？",
            "预发布环境数据库端口是五四三三",
        ),
    ],
)
async def test_a_long_query_is_searched_by_what_it_asks_at_its_end(before: str, question: str, answer: str) -> None:
    store = SmallStore([said("a", answer), *(said(f"x{n}", f"note {n} about the weather") for n in range(9))])
    assert ids(await ask(store, f"{before} {question}", limit=1)) == ["a"]


MANY = [
    "List all the tools we tried",
    "In what order did I bring up the topics?",
    "Can you summarise what we did about the cache?",
    "Give me an overview of the migration",
    "How many different editors did I mention?",
    "Fass bitte die Diskussion zusammen",
    "dans quel ordre avons-nous parlé de cela",
]
ONE = ["which port does staging use?", "resume the build in order to test it", "the linked list is slow", "order 66"]


@pytest.mark.parametrize(("text", "many"), [*((text, True) for text in MANY), *((text, False) for text in ONE)])
def test_which_questions_ask_for_many_things(text: str, many: bool) -> None:
    assert asks_for_many(text) is many


async def test_a_question_for_an_overview_is_answered_from_several_sessions() -> None:
    talk = [said(f"a{n}", f"the cache migration, step {n}", session="a", position=3 * n) for n in range(6)]
    talk += [said(f"b{n}", f"about cache migration again in week {n} of the plan", session=f"b{n}") for n in range(3)]
    store = SmallStore(talk)
    one = await ask(store, "cache migration step", limit=4)
    many = await ask(store, "overview of the cache migration, each step", limit=4)
    sessions = [len({result.session_id for result in found.results}) for found in (one, many)]
    assert sessions[0] < sessions[1]


async def test_a_question_for_many_things_has_more_results_unless_a_limit_is_named(tmp_path: Path) -> None:
    async with Garden.open(tmp_path / "garden.db", directory=tmp_path) as garden:
        for n in range(30):
            await garden.remember(f"Tool number {n} for the cache is called name{n}-{n * 7919}.")
        usual = len((await garden.recall("which tool for the cache")).results)
        assert len((await garden.recall("list all the tools for the cache")).results) == 2 * usual
        assert len((await garden.recall("list all the tools for the cache", limit=3)).results) == 3
