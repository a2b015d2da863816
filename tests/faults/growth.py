"""Run as a program: times one thing after the other on strings that grow, and prints what grows faster than they do.

A process of its own, so that whoever asks can end it: an expression that explodes never comes back.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import math
import pkgutil
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import nightgarden

FIRST_CHARS, CHARS_MAX = 1000, 16_000
NOTICED_SECONDS = 0.004  # what takes less says nothing about growth
EXPONENT_MAX = 1.6
LIMIT_SECONDS = 3.0
CONFIRMATIONS = 4  # a busy machine makes one measurement in thousands look bad, hardly ever five in a row
# Applied only to texts that were cut before: to this many characters.
BOUNDED = {
    "nightgarden.domain.derivable._CODE_LINE": 600,
    "nightgarden.domain.derivable._ONE_LINER": 2000,
    "nightgarden.domain.derivable._OUTPUT_LINE": 600,
    "nightgarden.domain.derivable._TEST_LINE": 600,
    "nightgarden.domain.national_ids.NATIONAL_IDS": 60,
    "nightgarden.models.encoding._PATTERNS": 200,
    "nightgarden.remember.extract.own_words._HUMAN_INTRO": 200,
    "nightgarden.remember.extract.own_words._MACHINE_INTRO": 200,
    "nightgarden.remember.extract.utterance._QUESTION_TAIL": 500,
    "nightgarden.remember.shape._HOW_HEADING": 120,
    "nightgarden.tend.verify.config_values._NOT_SETTINGS": 255,
}
UNITS = """a A 7 - . / | _ = : " ' ` * # + ~ ( ) [ { < > \\ @ ! é 一 a. a- a/ a_ a, 7. 7- 7, |- -- ** Aa a7 x: x= a@ a'
"" () http:// -----BEGIN private¿key:¿ a¿ 7¿ -¿ password¿ steps¿ see¿ can¿you¿ and¿then¿ <a> <a <<""".split()
ENDS = ("\x00", "`!", "x")
Run = Callable[[str], Any]


class Late(Exception):
    pass


def _late(*_: object) -> None:
    raise Late


def _patterns_in(value: Any, depth: int = 0) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        if isinstance(value.pattern, str):
            yield value
    elif depth < 4:
        if isinstance(value, dict):
            value = list(value.values())
        elif is_dataclass(value) and not isinstance(value, type):
            value = [getattr(value, each.name, None) for each in fields(value)]
        if isinstance(value, list | tuple | set | frozenset):
            for each in value:
                yield from _patterns_in(each, depth + 1)


def _modules() -> Iterator[Any]:
    for found in pkgutil.walk_packages(nightgarden.__path__, "nightgarden."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _anchored(name: str, source: str) -> bool:
    """Whether a pattern is only ever tried at one place, which the source says by how it is called."""
    uses = set(re.findall(rf"\b{re.escape(name)}\.(\w+)\(", source))
    return bool(uses) and uses <= {"match", "fullmatch"}


def expressions() -> Iterator[tuple[str, Run, re.Pattern[str]]]:
    """Every expression of the package: those with a name, and those written where they are used."""
    seen: set[tuple[str, int]] = set()
    for module in _modules():
        source = inspect.getsource(module)
        for name, value in vars(module).items():
            for pattern in _patterns_in(value):
                if (pattern.pattern, pattern.flags) in seen:
                    continue
                seen.add((pattern.pattern, pattern.flags))
                search = pattern.match if _anchored(name, source) else _all_of(pattern)
                yield f"{module.__name__}.{name}", search, pattern
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Call(
                    func=ast.Attribute(value=ast.Name(id="re"), attr=how),
                    args=[ast.Constant(value=str(text)), *_],
                ) if how in ("match", "fullmatch", "search", "sub", "split", "findall", "finditer"):
                    pattern = re.compile(text)
                    search = getattr(pattern, how) if how in ("match", "fullmatch") else _all_of(pattern)
                    yield f"{module.__name__}:{node.lineno}", search, pattern


def _all_of(pattern: re.Pattern[str]) -> Run:
    return lambda text: sum(1 for _ in pattern.finditer(text))


def rules() -> Iterator[tuple[str, Run, None]]:
    """What a text from outside passes through, as a whole."""
    from nightgarden.domain.derivable import find_derivable
    from nightgarden.domain.personal import find_personal
    from nightgarden.domain.secrets import find_secrets
    from nightgarden.domain.taint import instruction_like
    from nightgarden.domain.text import dedupe_key, terms
    from nightgarden.domain.trigger_expression import read_expression
    from nightgarden.remember.compare.entities import find_entities
    from nightgarden.remember.extract.own_words import own_lines
    from nightgarden.remember.extract.segments import segments
    from nightgarden.remember.normalise import normalise

    for rule in (find_derivable, find_personal, find_secrets, instruction_like, dedupe_key, terms, find_entities):
        yield rule.__name__, rule, None
    yield "own_lines", own_lines, None
    yield "segments", lambda text: list(segments(text, 0, len(text))), None
    yield "normalise", normalise, None
    for expression in (r"(a|a)*b", r"((a+))+b", r"(x?x)*y", r".*.*.*.*x", r"(.|..)+\x00", r"(a*)*(b*)*c"):
        yield f"trigger {expression}", read_expression(expression).found_in, None


def _letters(pattern: re.Pattern[str]) -> list[str]:
    """Units out of the expression's own words and signs."""
    words = dict.fromkeys(re.findall(r"[A-Za-z]{2,}", pattern.pattern))
    signs = dict.fromkeys(re.findall(r"[^\w\s\\]", pattern.pattern))
    return [*list(words)[:8], *[f"{word} " for word in list(words)[:8]], *list(signs)[:12]]


def seconds(run: Run, text: str) -> float:
    signal.setitimer(signal.ITIMER_VIRTUAL, LIMIT_SECONDS)
    began = time.process_time()
    try:
        run(text)
        return time.process_time() - began
    except Late:
        return math.inf
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


def grows_badly(run: Run, unit: str, end: str, chars_max: int) -> bool:
    """Whether it grows faster than the text each time that it is measured."""
    return all(_seems_bad(run, unit, end, chars_max) for _ in range(1 + CONFIRMATIONS))


def _seems_bad(run: Run, unit: str, end: str, chars_max: int) -> bool:
    """Whether four times the text takes clearly more than four times the time, as soon as the time can be told."""

    def text(chars: int) -> str:
        return (unit * (chars // len(unit) + 1))[:chars] + end

    chars = min(FIRST_CHARS, chars_max // 4)
    while chars * 4 <= chars_max:
        short = seconds(run, text(chars))
        if short >= NOTICED_SECONDS:
            # The best of three: noise makes single times longer, never shorter.
            short = min(short, *(seconds(run, text(chars)) for _ in range(2)))
            long = min(seconds(run, text(4 * chars)) for _ in range(3))
            return short == math.inf or (short >= NOTICED_SECONDS and long > short * 4**EXPONENT_MAX)
        chars *= 2
    return False


def main() -> None:
    signal.signal(signal.SIGVTALRM, _late)
    common = [unit.replace("¿", " ") for unit in UNITS] + ["\n", "\t", " ", " \n", "a\n", "- \n", "|-\n", "\r\n", "“"]
    for name, run, pattern in [*rules(), *expressions()]:
        for unit in dict.fromkeys([*common, *(_letters(pattern) if pattern else ())]):
            bad = next((end for end in ENDS if grows_badly(run, unit, end, BOUNDED.get(name, CHARS_MAX))), None)
            if bad is not None:
                print(f"{name} on {unit!r}… {bad!r}", flush=True)
                break
    print("all timed")


if __name__ == "__main__":
    main()
    sys.stdout.flush()
