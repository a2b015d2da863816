"""One file that connecting a client changes: how it looks with our part in it, and how without. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.errors import BadInput
from nightgarden.machine.bounded_toml import read_toml
from nightgarden.surfaces.connect import jsonc
from nightgarden.surfaces.connect.block import drop_block, put_block
from nightgarden.surfaces.connect.toml_table import drop_table, put_table

SETTINGS_BYTES_MAX = 64_000_000  # a client's own file of years has some megabytes
Change = Callable[[str], str]
TakeOut = Callable[[str, str], str | None]  # the text now and the text before; None: the file goes


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigStep:
    """`put` gives the text with our part (again: no change); `take_out` the text without it, whatever else changed."""

    path: Path
    what: str  # for a person: what is put there
    put: Change
    take_out: TakeOut
    private: bool = False  # for its owner's eyes only: it may hold a token


def own_file(path: Path, what: str, content: str, *, private: bool = False) -> ConfigStep:
    """A file that is ours alone."""
    return ConfigStep(
        path=path, what=what, put=lambda _: content, take_out=lambda now, before: before or None, private=private
    )


def json_values(path: Path, what: str, values: Sequence[tuple[tuple[str, ...], Any]]) -> ConfigStep:
    """Values at paths of keys in a JSON file that may have comments."""

    def put(text: str) -> str:
        for keys, value in values:
            if _find(jsonc.read(text), keys) != value:
                text = jsonc.put(text, keys, value)
        return text

    def take_out(now: str, before: str) -> str:
        was = jsonc.read(before)
        for keys, value in values:
            if _find(jsonc.read(now), keys) != value:
                continue  # someone else's by now
            old = _find(was, keys)
            now = jsonc.drop_with_empty(now, keys, was) if old is None else jsonc.put(now, keys, old)
        return now

    return ConfigStep(path=path, what=what, put=put, take_out=take_out)


def json_leavings(path: Path, keys: tuple[str, ...]) -> ConfigStep:
    """A value that the client put into a file of its own because of us. It is only ever taken out."""

    def take_out(now: str, _: str) -> str:
        return now if _find(jsonc.read(now), keys) is None else jsonc.drop(now, keys)

    return ConfigStep(path=path, what="what the client noted about us", put=lambda text: text, take_out=take_out)


def json_entries(
    path: Path,
    what: str,
    entries: Sequence[tuple[tuple[str, ...], Any]],
    is_ours: Callable[[Any], bool],
    gone: Sequence[tuple[str, ...]] = (),
) -> ConfigStep:
    """Entries in lists of a JSON file. `is_ours` knows them again, also those of another version of ours; `gone` are
    lists where earlier versions had one."""

    def put(text: str) -> str:
        for keys in gone:
            text = _without(text, keys, {})
        for keys, entry in entries:
            there = [each for each in _list(jsonc.read(text), keys) if is_ours(each)]
            if there != [entry]:
                text = jsonc.append(_without(text, keys, jsonc.read(text)), keys, entry)
        return text

    def _without(text: str, keys: tuple[str, ...], was: Any) -> str:
        found = _list(jsonc.read(text), keys)
        for place in reversed([n for n, each in enumerate(found) if is_ours(each)]):
            text = jsonc.drop_with_empty(text, (*keys, place), was)
        return text

    def take_out(now: str, before: str) -> str:
        was = jsonc.read(before)
        for keys in (*(keys for keys, _ in entries), *gone):
            now = _without(now, keys, was)
        return now

    return ConfigStep(path=path, what=what, put=put, take_out=take_out)


def block(path: Path, what: str, lines: str) -> ConfigStep:
    """A marked block of lines."""

    def take_out(now: str, before: str) -> str:
        return _ending_as_before(drop_block(now), now, before)

    return ConfigStep(path=path, what=what, put=lambda text: put_block(text, lines), take_out=take_out)


def toml_table(path: Path, what: str, name: tuple[str, ...], values: Mapping[str, Any]) -> ConfigStep:
    """A table of a TOML file with these values in it."""

    def put(text: str) -> str:
        after = put_table(text, name, values)
        try:
            read_toml(after)
        except ValueError as error:
            raise BadInput(f"{path} was left alone: with our part in it, it cannot be read ({error})") from error
        return after

    def take_out(now: str, before: str) -> str:
        return _ending_as_before(drop_table(now, name), now, before)

    return ConfigStep(path=path, what=what, put=put, take_out=take_out)


def _ending_as_before(left: str, now: str, before: str) -> str:
    """Without the line's end that was added when our part came to the end of a file that had none."""
    ended_in_ours = now.startswith(left.rstrip("\n"))
    return left if before.endswith("\n") or not ended_in_ours else left.removesuffix("\n")


def _find(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _list(value: Any, keys: Sequence[str]) -> list[Any]:
    found = _find(value, keys)
    return found if isinstance(found, list) else []
