"""Sessions and reviews may come in any order and any number of times: procedures and ledger are the same in the end."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

from nightgarden import Garden, Session
from nightgarden.domain.ledger import ledger_key
from nightgarden.learn.capture.program_errors import Failure, recurring
from nightgarden.learn.learning_documents import CAPTURED
from tests.conftest import BY_WORDS, Ticking
from tests.learn.test_capture import RULE, comment, failing


async def ledger(garden: Garden) -> list[str]:
    return [document.key for document in await garden.store.list_documents(CAPTURED.name)]


def payloads() -> list[str]:
    words = "apple brick cedar dune ember".split()
    said = [comment(n, f"The {word} table must never be locked, because the {word} jobs fail then.") for n, word in
            enumerate(words)]  # fmt: skip
    return [json.dumps([each]) for each in said] + [json.dumps(said[:3]), json.dumps([comment(9, RULE), said[4]])]


def sessions() -> list[Session]:
    return [failing(f"s{n}", n, mended=n % 2 == 0) for n in range(5)]


async def run(folder: Path, order: list[int]) -> tuple[list[str], set[str]]:
    folder.mkdir()
    given_payloads, given_sessions = payloads(), sessions()
    async with Garden.open(folder / "g.db", directory=folder, settings=BY_WORDS, clock=Ticking()) as garden:
        for number in order:
            if number < len(given_payloads):
                await garden.learn.capture.pr(given_payloads[number])
            else:
                session = given_sessions[number - len(given_payloads)]
                await garden.sessions.add(session)
                await garden.sessions.extract(session.id, again=True)
        return await ledger(garden), {str(garden.place.scope)}


@pytest.mark.parametrize("seed", range(3))
async def test_any_order_and_repetition_gives_the_same_ledger(seed: int, tmp_path: Path, home: Path) -> None:
    (tmp_path / "project").mkdir()
    everything = list(range(len(payloads()) + len(sessions())))
    mixed = random.Random(seed).sample(everything, len(everything))
    plain, _ = await run(tmp_path / "a", everything)
    again, _ = await run(tmp_path / "b", [*mixed, *mixed[:4], *everything])
    assert len(plain) == len(again)
    assert [key.partition(":")[0] for key in sorted(plain)] == [key.partition(":")[0] for key in sorted(again)]


@how(max_examples=60)
@given(st.permutations(list(range(8))), st.lists(st.integers(0, 7), max_size=8))
def test_recurring_errors_do_not_depend_on_the_order_they_came_in(order: list[int], repeated: list[int]) -> None:
    def failure(number: int) -> Failure:
        session = failing(f"s{number % 5}", number)
        lines = ("connection refused by the orders database", "connection refused by the users database", "no rights")
        return Failure(
            session_id=session.id,
            message_id=f"m{number}",
            at=session.messages[0].at,
            command="make",
            line=f"Error: {lines[number % 3]}",
        )

    plain = recurring([failure(n) for n in range(8)])
    mixed = recurring([failure(n) for n in order])
    assert mixed == plain
    twice = recurring([failure(n) for n in (*order, *repeated)])
    assert [{f.message_id for f in group} for group in twice] == [{f.message_id for f in group} for group in plain]


def test_ledger_keys_differ_by_project_source_and_name() -> None:
    from nightgarden.domain.ledger import Source
    from nightgarden.domain.memory import GLOBAL, Scope, ScopeKind

    scopes = (GLOBAL, Scope(ScopeKind.PROJECT, "a"))
    keys = {ledger_key(scope, source, name) for scope in scopes for source in Source for name in ("x", "y")}
    assert len(keys) == 2 * len(Source) * 2
