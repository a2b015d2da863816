"""The table of operations: what is listed is performed, and arguments are read for what they mean."""

from __future__ import annotations

from typing import Any

import pytest

from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.memory import Category, Ending, Importance
from nightgarden.domain.schedule import Outcome, Priority
from nightgarden.errors import BadInput
from nightgarden.recall.brief import Mode
from nightgarden.surfaces.operations import catalog
from nightgarden.surfaces.operations.perform import PERFORM
from nightgarden.surfaces.operations.spec import Operation, Parameter, read_arguments

ANY = Operation(
    name="any",
    overview="",
    parameters=(
        Parameter(name="text", doc="a text", required=True),
        Parameter(name="whole", doc="", kind="whole", least=1, most=10),
        Parameter(name="number", doc="", kind="number"),
        Parameter(name="flag", doc="", kind="flag"),
        Parameter(name="texts", doc="", kind="texts"),
        Parameter(name="choice", doc="", choices=("a", "b")),
        Parameter(name="object", doc="", kind="object"),
    ),
)


def test_every_operation_of_the_catalogue_is_performed() -> None:
    assert PERFORM.keys() == catalog.OPERATIONS.keys()


def test_the_words_of_the_catalogue_are_those_of_the_domain() -> None:
    assert tuple(Category) == catalog.CATEGORIES
    assert tuple(Importance) == catalog.IMPORTANCES
    assert tuple(Mode) == catalog.MODES
    assert tuple(Priority) == catalog.PRIORITIES
    assert tuple(Outcome) == catalog.OUTCOMES
    assert tuple(Ending) == catalog.ENDINGS
    assert set(catalog.LINKS) == set(EdgeKind) - {EdgeKind.HAS_TAG, EdgeKind.IN_CLUSTER}


@pytest.mark.parametrize(
    ("name", "given", "read"),
    [
        ("text", 5, "5"),
        ("whole", "3", 3),
        ("whole", 3.0, 3),
        ("number", "0.5", 0.5),
        ("flag", "True", True),
        ("flag", "no", False),
        ("flag", 1, True),
        ("texts", "a, b", ["a", "b"]),
        ("texts", '["a", 1]', ["a", "1"]),
        ("texts", ["a"], ["a"]),
        ("choice", "b", "b"),
        ("object", {"a": 1}, {"a": 1}),
    ],
)
def test_arguments_are_taken_for_what_they_mean(name: str, given: Any, read: Any) -> None:
    assert read_arguments(ANY, {"text": "x", name: given})[name] == read


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "any needs text: a text"),
        ({"text": "x", "colour": 1}, "no argument colour"),
        ({"text": ["x"]}, "text must be text"),
        ({"text": "x", "whole": "many"}, "must be a whole number from 1 to 10"),
        ({"text": "x", "whole": 2.5}, "must be a whole number"),
        ({"text": "x", "whole": 11}, "from 1 to 10"),
        ({"text": "x", "whole": True}, "must be a whole number"),
        ({"text": "x", "number": "nan"}, "must be a number"),
        ({"text": "x", "flag": "maybe"}, "must be true or false"),
        ({"text": "x", "texts": "[1"}, "must be a list"),
        ({"text": "x", "texts": [[1]]}, "must be a list"),
        ({"text": "x", "choice": "c"}, "must be one of a, b"),
        ({"text": "x", "object": "a"}, "must be an object"),
    ],
)
def test_what_does_not_fit_is_told_in_words(given: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        read_arguments(ANY, given)


def test_what_is_null_or_empty_counts_as_left_out() -> None:
    assert read_arguments(ANY, {"text": "x", "whole": None, "flag": ""}) == {"text": "x"}
