"""Regular expressions that users write as triggers, run in time linear in the text whatever they say. Pure.

An expression becomes a machine that is in all its possible places at once, so nothing is ever tried twice; `re` tries
one way after the other, and `(a|a)*b` takes it for ever. An expression can still be made to be in hundreds of places at
each character (`[etaoin].{150}x`), so what all of them together may take is bounded, too; one that takes more does not
match. Knows literals, classes, groups, alternatives, repeats, `^`, `$` and word boundaries, without regard to case.
Does not know references to groups or looking ahead and behind.
"""

from __future__ import annotations

import importlib
import re
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

PATTERN_CHARS_MAX = 200
NODES_MAX = 1000  # `(a{50}){50}` is short to write and long to run
STATES_MAX = 500  # remembered; an expression that people write has about ten
VISITS_MAX = 50_000  # of places, for one expression and text, 20 ms; those that people write take some hundred
_VISITS_ALL_MAX = 300_000  # for all expressions that are tried on one text
_VISITS_MIN = 8_000  # for each of them even then, so that made-up ones cannot silence those that people wrote
_MATCHED = -1
_parser = importlib.import_module("re._parser")  # the tree that `re` itself makes of an expression
_CATEGORIES = {
    "CATEGORY_DIGIT": re.compile(r"\d"), "CATEGORY_NOT_DIGIT": re.compile(r"\D"),
    "CATEGORY_WORD": re.compile(r"\w"), "CATEGORY_NOT_WORD": re.compile(r"\W"),
    "CATEGORY_SPACE": re.compile(r"\s"), "CATEGORY_NOT_SPACE": re.compile(r"\S"),
}  # fmt: skip
_WORD = _CATEGORIES["CATEGORY_WORD"]
_ANCHORS = ("AT_BEGINNING", "AT_BEGINNING_STRING", "AT_END", "AT_END_STRING", "AT_BOUNDARY", "AT_NON_BOUNDARY")
_SIGNS = re.compile(r"\\[a-zA-Z.]|[|^$\[\]]|\.[*+]")  # only expressions have these
Takes = Callable[[str], bool]
State = tuple[frozenset[int], str]  # its places, and what stands before: nothing, a letter, or something else
Node = tuple[str, Any, tuple[int, ...]]  # what it does, with what, and the nodes after it


class Unreadable(ValueError):
    """The expression cannot be used as a trigger; the message says why."""


def expression_of(pattern: str) -> Expression | None:
    """The expression that a trigger pattern is; None when it is words. Raises Unreadable for what stands between
    slashes and cannot be read; without slashes, what cannot be read is words."""
    if len(pattern) > 2 and pattern.startswith("/") and pattern.endswith("/"):
        return read_expression(pattern[1:-1])
    if not _SIGNS.search(pattern):
        return None
    try:
        return read_expression(pattern)
    except Unreadable:
        return None


@lru_cache(maxsize=1024)
def read_expression(text: str) -> Expression:
    """The machine for an expression. Raises Unreadable."""
    if len(text) > PATTERN_CHARS_MAX:
        raise Unreadable(f"it is longer than {PATTERN_CHARS_MAX} characters")
    try:
        tree = _parser.parse(text, re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise Unreadable(f"it is not a regular expression: {error}") from None
    return Expression(tree)


class Effort:
    """What the expressions that are tried on one text have taken so far, in places visited."""

    def __init__(self) -> None:
        self.taken = 0

    def grant(self) -> int:
        """What the next expression may take."""
        return max(_VISITS_MIN, min(VISITS_MAX, _VISITS_ALL_MAX - self.taken))


class Expression:
    """A compiled expression."""

    def __init__(self, tree: Any) -> None:
        self._nodes: list[Node] = [("end", None, ())]
        self._start = self._sequence(tree, 0)
        self._states: dict[State, int] = {}
        self._moves: list[tuple[State, dict[str, int]]] = []  # of each state: where each character leads
        self._visits = 0  # of places, in the text that is looked at
        self._using = threading.Lock()

    def found_in(self, text: str, effort: Effort | None = None) -> bool:
        """Whether it matches anywhere in the text; no when that takes more than is granted."""
        effort = effort or Effort()
        with self._using:
            self._visits = 0
            found = self._walk(text, effort.grant())
            effort.taken += self._visits
            if self._visits > _VISITS_MIN:  # so that it takes as much next time, and gets as far
                self._states.clear()
                self._moves.clear()
            return found

    def _walk(self, text: str, granted: int) -> bool:
        state = self._number((frozenset((self._start,)), ""))
        for character in text:
            known = self._moves[state][1].get(character)
            state = self._move(state, character) if known is None else known
            if state == _MATCHED:
                return True
            if self._visits > granted:
                return False
        return self._move(state, "") == _MATCHED

    def _move(self, number: int, character: str) -> int:
        """The state after one more character ("" is the end of the text)."""
        (places, before), moves = self._moves[number]
        after = self._stepped(places, before, character)
        if after is None:
            moves[character] = _MATCHED
            return _MATCHED
        kind = "a" if character and _WORD.match(character) else " "  # all that a word's boundary asks about
        reached = self._number((after | {self._start}, kind))
        if reached:  # else all were forgotten, this one's moves too
            moves[character] = reached
        return reached

    def _number(self, state: State) -> int:
        if state not in self._states:
            if len(self._moves) >= STATES_MAX:
                self._states.clear()
                self._moves.clear()
            self._states[state] = len(self._moves)
            self._moves.append((state, {}))
        return self._states[state]

    def _stepped(self, places: frozenset[int], before: str, character: str) -> frozenset[int] | None:
        waiting, seen = list(places), set(places)
        after: set[int] = set()
        while waiting:
            self._visits += 1
            does, what, following = self._nodes[waiting.pop()]
            if does == "end":
                return None
            if does == "take":
                if character and what(character):
                    after.update(following)
            elif does == "split" or _holds(what, before, character):
                fresh = [node for node in following if node not in seen]
                seen.update(fresh)
                waiting += fresh
        return frozenset(after)

    def _add(self, does: str, what: Any, *following: int) -> int:
        if len(self._nodes) >= NODES_MAX:
            raise Unreadable("its repeats multiply to more than can be run")
        self._nodes.append((does, what, following))
        return len(self._nodes) - 1

    def _sequence(self, tree: Any, after: int) -> int:
        for op, given in reversed(list(tree)):
            after = self._one(str(op), given, after)
        return after

    def _one(self, op: str, given: Any, after: int) -> int:
        match op:
            case "SUBPATTERN":
                return self._sequence(given[3], after)
            case "BRANCH":
                return self._add("split", None, *[self._sequence(way, after) for way in given[1]])
            case "MAX_REPEAT" | "MIN_REPEAT":
                least, most, tree = given
                return self._repeat(least, most, tree, after)
            case "AT" if str(given) in _ANCHORS:
                return self._add("at", str(given), after)
            case _:
                return self._add("take", _taker(op, given), after)

    def _repeat(self, least: int, most: Any, tree: Any, after: int) -> int:
        if str(most) == "MAXREPEAT":
            loop = self._add("split", None)
            self._nodes[loop] = ("split", None, (self._sequence(tree, loop), after))
            after = loop
        else:
            done = after
            for _ in range(most - least):
                after = self._add("split", None, self._sequence(tree, after), done)
        for _ in range(least):
            after = self._add("split", None, self._sequence(tree, after))  # counts also where nothing is repeated
        return after


def _holds(anchor: str, before: str, after: str) -> bool:
    match anchor:
        case "AT_BEGINNING" | "AT_BEGINNING_STRING":
            return not before
        case "AT_END" | "AT_END_STRING":
            return not after
        case _:
            at_boundary = bool(before and _WORD.match(before)) != bool(after and _WORD.match(after))
            return at_boundary == (anchor == "AT_BOUNDARY")


def _taker(op: str, given: Any) -> Takes:
    match op:
        case "LITERAL" | "NOT_LITERAL":
            forms, wanted = _cases(chr(given)), op == "LITERAL"
            return lambda c: (c in forms) == wanted
        case "ANY":
            return lambda c: c != "\n"
        case "IN":
            negated = any(str(each) == "NEGATE" for each, _ in given)
            tests = [_member(str(each), value) for each, value in given if str(each) != "NEGATE"]
            return lambda c: any(test(form) for form in _cases(c) for test in tests) != negated
        case _:
            raise Unreadable("it refers to groups or looks ahead or behind, which triggers cannot")


def _member(op: str, value: Any) -> Takes:
    if op == "LITERAL":
        return lambda c: ord(c) == value
    if op == "RANGE":
        return lambda c: value[0] <= ord(c) <= value[1]
    if op == "CATEGORY" and str(value) in _CATEGORIES:
        shape = _CATEGORIES[str(value)]
        return lambda c: shape.match(c) is not None
    raise Unreadable("it has a class of characters that triggers do not know")


def _cases(character: str) -> set[str]:
    return {form for form in (character, character.lower(), character.upper()) if len(form) == 1}
