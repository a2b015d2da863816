"""What a short turn asks to be done brings the rules and wishes that are meant for it, and nothing else."""

from __future__ import annotations

import pytest

from nightgarden import Garden
from nightgarden.domain.memory import Category
from nightgarden.recall.activities import activity_of
from nightgarden.scope import visible_scopes
from nightgarden.sessions.turn import TurnUpdate

RULES = {
    "Please never use emojis in commit messages": Category.NEGATIVE,
    "Commit messages are written in the imperative mood": Category.CONVENTION,
    "Never push directly to main": Category.NEGATIVE,
    "Never deploy on Fridays": Category.NEGATIVE,
    "We use pnpm, never npm": Category.CONVENTION,
}
FACTS = (
    "The commit hash is shown in the footer of the page",
    "Push notifications are sent through Firebase",
    "The office dog is called Biscuit",
)
KNOWN = (*RULES, *FACTS)


@pytest.mark.parametrize(
    ("turn", "shown"),
    [
        ("commit this", {KNOWN[0], KNOWN[1]}),
        ("ok, commit it please", {KNOWN[0], KNOWN[1]}),
        ("push it", {KNOWN[2]}),
        ("let's deploy this", {KNOWN[3]}),
        ("install lodash", {KNOWN[4]}),
        ("thanks, looks good", set()),
        ("do it", set()),
    ],
)
async def test_a_short_turn_is_shown_what_was_said_about_such_work(garden: Garden, turn: str, shown: set[str]) -> None:
    texts = {}
    for text in KNOWN:
        verdict = await garden.remember(text, category=RULES.get(text, Category.FACT))
        texts[verdict.memory.id] = text  # type: ignore[union-attr]
    update = TurnUpdate(session_id=turn, text=turn, scopes=visible_scopes(garden.place))
    injection = await garden.turns.take(update, deadline_ms=20_000)
    assert {texts[each] for each in (injection.ids if injection is not None else ())} == shown


@pytest.mark.parametrize(
    ("turn", "name"),
    [
        ("commit this", "commit"),
        ("open a PR", "pull request"),
        ("bump node", "dependency"),
        ("add a dependency for dates", "dependency"),
        ("run the tests", "test"),
        ("add a price field to the invoice", None),
        ("how do I commit only one file?", None),
        ("commit this once the invoice importer reads negative amounts without rounding", None),
        ("how are you", None),
    ],
)
def test_what_a_turn_asks_for(turn: str, name: str | None) -> None:
    found = activity_of(turn)
    assert (found.name if found is not None else None) == name
