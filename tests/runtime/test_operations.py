"""The table of operations: what is listed is performed, and arguments are read for what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.requests.declare import OperationRequest, arg
from nightgarden.domain.requests.writing import LINKS
from nightgarden.errors import BadInput
from nightgarden.surfaces.operations import registry
from nightgarden.surfaces.operations.perform import performer_of
from nightgarden.surfaces.operations.spec import offered
from nightgarden.surfaces.operations.spec import read_arguments as read_fields


class Anything(OperationRequest, name="any"):
    """An operation that takes one of each kind."""

    text: str = arg("a text", aliases=("words",))
    whole: int = arg("", default=1, min=1, max=10)
    number: float = arg("", default=0.0)
    flag: bool = arg("", default=False)
    texts: tuple[str, ...] = arg("", default=())
    choice: str = arg("", default="a", choices=("a", "b"))
    object: Mapping[str, Any] = arg("", default=None)
    hidden: str = arg("", default="", inside=True)


def read_arguments(given: dict[str, Any]) -> dict[str, Any]:
    return read_fields("any", offered(Anything), given)


def test_every_operation_of_the_catalogue_is_performed() -> None:
    for request in registry.OPERATIONS.values():
        assert callable(performer_of(request))


def test_links_are_the_edges_that_people_make() -> None:
    assert set(LINKS) == set(EdgeKind) - {EdgeKind.HAS_TAG, EdgeKind.IN_CLUSTER}


def test_an_earlier_name_of_an_argument_is_taken_too() -> None:
    assert read_arguments({"words": "x"}) == {"text": "x"}
    with pytest.raises(BadInput, match="given twice"):
        read_arguments({"words": "x", "text": "y"})


def test_what_is_inside_is_not_offered() -> None:
    with pytest.raises(BadInput, match="no argument hidden"):
        read_arguments({"text": "x", "hidden": "y"})


def test_a_request_is_a_value() -> None:
    one, other = Anything(text="x"), Anything(text="x")
    assert one == other
    assert hash(one) == hash(other)
    assert one.but(whole=2).given() == {"text": "x", "whole": 2}
    with pytest.raises(AttributeError, match="make a new one"):
        one.text = "y"  # type: ignore[misc]
    with pytest.raises(TypeError, match="needs text"):
        Anything()  # type: ignore[call-arg]


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
        ("texts", "a, b", ("a", "b")),
        ("texts", '["a", 1]', ("a", "1")),
        ("texts", ["a"], ("a",)),
        ("choice", "b", "b"),
        ("object", {"a": 1}, {"a": 1}),
    ],
)
def test_arguments_are_taken_for_what_they_mean(name: str, given: Any, read: Any) -> None:
    assert read_arguments({"text": "x", name: given})[name] == read


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
        read_arguments(given)


def test_what_is_null_or_empty_counts_as_left_out() -> None:
    assert read_arguments({"text": "x", "whole": None, "flag": ""}) == {"text": "x"}
