"""Settings, read once: defaults < user file < environment, and a project's file may narrow what it is let.

The user file is `config.toml` in the configuration folder. An environment variable is `NIGHTGARDEN_` + section + key in
capitals, for example `NIGHTGARDEN_RECALL_LIMIT=5` or `NIGHTGARDEN_INITIATIVE_TEXT_EAGERNESS=5`. An unknown
key or a bad value there is an error that names file, key and what is allowed.

The project file, `.nightgarden/config.toml` (project_file.py), comes with the project, from whoever wrote that. So each
setting declares here whether a project may narrow it, and which way that is; everything else, and everything that is
wrong in the file, is left out and reported (`settings_problems`), and the rest works.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from nightgarden.domain.setting_values import FromEnv, Narrowing, narrows, read_value
from nightgarden.errors import BadSetting
from nightgarden.machine import home
from nightgarden.machine.bounded_toml import read_toml
from nightgarden.machine.plain_files import read_small
from nightgarden.machine.project_file import ProjectFile, find_project_file
from nightgarden.settings.sections import Settings

ENV_PREFIX = "NIGHTGARDEN_"


def data_folder(env: Mapping[str, str]) -> Path:
    """Where users' data lives: NIGHTGARDEN_HOME, else the platform's data folder."""
    return Path(home.data_folder(env))


def garden_address(settings: Settings, env: Mapping[str, str]) -> str:
    """The garden that the settings name: a path or a postgresql:// address."""
    return settings.garden.url or str(data_folder(env) / "garden.db")


def user_file(env: Mapping[str, str]) -> Path:
    """The user's settings file: in NIGHTGARDEN_HOME if that is elsewhere, else in the platform's configuration folder.

    A daemon is told its data folder that way also when it is the usual one, and must read the same file as others.
    """
    usual = home.data_folder({name: value for name, value in env.items() if name != "NIGHTGARDEN_HOME"})
    if home.data_folder(env) != usual or sys.platform in ("darwin", "win32"):
        return data_folder(env) / "config.toml"
    return Path(env.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "nightgarden" / "config.toml"


def load_settings(
    directory: Path | None = None, env: Mapping[str, str] | None = None, *, project: bool = True
) -> Settings:
    """Reads all sources. Raises BadSetting for the user's own, naming the source, the key and what is allowed; what is
    wrong in a project's file is left out, see `settings_problems`. Without `project` that file is not looked for."""
    return _load(find_project_file(directory) if project else None, os.environ if env is None else env)[0]


def settings_problems(directory: Path | None = None, env: Mapping[str, str] | None = None) -> list[str]:
    """What was left out of the project's file, one sentence each. Raises BadSetting for the user's own sources."""
    return _load(find_project_file(directory), os.environ if env is None else env)[1]


def _load(file: ProjectFile | None, env: Mapping[str, str]) -> tuple[Settings, list[str]]:
    values: dict[str, dict[str, Any]] = {}
    if (users := user_file(env)).is_file():
        for section, keys in _tables(_read_file(users)):
            values.setdefault(section, {}).update(_checked(str(users), section, keys))
    problems: list[str] = []
    if file is not None:
        problems += file.problems
        for section, keys in _tables(file.values):
            _narrow(str(file.path), section, keys, values, problems)
    for section, keys in _read_env(env).items():
        values.setdefault(section, {}).update(_checked("the environment", section, keys))
    return _build(values), problems


@cache
def section_kinds() -> dict[str, type]:
    """Every section by its name in a file: `recall`, or `initiative.text` for one that is part of a group."""
    found: dict[str, type] = {}
    for name, kind in _hints(Settings).items():
        parts: dict[str, Any] = {part: hint for part, hint in _hints(kind).items() if is_dataclass(hint)}
        found |= {f"{name}.{part}": hint for part, hint in parts.items()} if parts else {name: kind}
    return found


def _groups() -> set[str]:
    return {name.partition(".")[0] for name in section_kinds() if "." in name}


def _tables(values: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The sections of a file; those of a group one by one."""
    for name, keys in values.items():
        if name in _groups() and isinstance(keys, dict):
            yield from ((f"{name}.{part}", each) for part, each in keys.items())
        else:
            yield name, keys


def _build(values: Mapping[str, Mapping[str, Any]]) -> Settings:
    whole: dict[str, Any] = {}
    grouped: dict[str, dict[str, Any]] = {}
    for name, keys in values.items():
        group, _, part = name.partition(".")
        if part:
            grouped.setdefault(group, {})[part] = section_kinds()[name](**keys)
        else:
            whole[name] = section_kinds()[name](**keys)
    hints = _hints(Settings)
    return Settings(**whole, **{group: hints[group](**parts) for group, parts in grouped.items()})


def _narrow(source: str, section: str, keys: Any, values: dict[str, dict[str, Any]], problems: list[str]) -> None:
    """Takes over what a project's file may say about one section; what it may not goes to the problems."""
    try:
        _checked(source, section, {} if isinstance(keys, dict) else keys)
    except BadSetting as error:
        problems.append(str(error))
        return
    kind = section_kinds()[section]
    for key, value in keys.items():
        try:
            wanted = _checked(source, section, {key: value})[key]
        except BadSetting as error:
            problems.append(str(error))
            continue
        declared = next(f for f in fields(kind) if f.name == key)
        way: Narrowing = declared.metadata["project"]
        current = values.get(section, {}).get(key, declared.default)
        if way == "here":
            continue  # read by scope.py, together with the place that says it
        if way == "never":
            problems.append(f"{source}: {section}.{key} cannot be set by a project; it was left out.")
        elif way == "more":
            values.setdefault(section, {})[key] = tuple(dict.fromkeys((*current, *wanted)))
        elif wanted != current and not narrows(way, current, wanted):
            limit = {"off": "switch it off", "fewer": "take away from it"}.get(way, f"set it {way}")
            problems.append(f"{source}: {section}.{key} = {value!r} was left out: a project may only {limit}.")
        else:
            values.setdefault(section, {})[key] = wanted


@cache
def _hints(kind: type) -> dict[str, Any]:
    """Read once: a daemon looks at the settings at every prompt, and this was half the time."""
    return get_type_hints(kind)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return read_toml(read_small(path.resolve()).text)
    except (ValueError, RecursionError) as error:
        raise BadSetting(f"{path}: not valid TOML ({error}). Fix the file or move it away.") from error
    except OSError as error:
        raise BadSetting(f"{path}: cannot be read ({error.strerror or error}).") from error


def _read_env(env: Mapping[str, str]) -> dict[str, Any]:
    """`NIGHTGARDEN_SECTION_KEY` for known sections; other variables with our prefix belong to other parts."""
    groups = _groups()
    found: dict[str, Any] = {}
    for name, text in env.items():
        section, _, key = name.removeprefix(ENV_PREFIX).lower().partition("_")
        if section in groups:
            part, _, key = key.partition("_")
            section = f"{section}.{part}"
        if name.startswith(ENV_PREFIX) and section in section_kinds() and key:
            found.setdefault(section, {})[key] = FromEnv(text)
    return found


def check_values(source: str, section: str, values: dict[str, Any]) -> dict[str, Any]:
    """The values as a settings file could hold them. Raises BadSetting, naming the key and what is allowed."""
    return _checked(source, section, values)


def _checked(source: str, section: str, keys: Any) -> dict[str, Any]:
    kinds = section_kinds()
    if section not in kinds:
        raise BadSetting(f"{source}: unknown section [{section}]; known are {', '.join(kinds)}.")
    if not isinstance(keys, dict):
        raise BadSetting(f"{source}: [{section}] must be a table of keys.")
    known = {f.name: f for f in fields(kinds[section])}
    types_ = _hints(kinds[section])
    checked = {}
    for key, value in keys.items():
        if key not in known:
            raise BadSetting(f"{source}: unknown key {section}.{key}; known are {', '.join(known)}.")
        try:
            checked[key] = read_value(value, types_[key], known[key].metadata)
        except ValueError as error:
            raise BadSetting(f"{source}: {section}.{key} = {value!r} is not allowed; it must be {error}.") from error
    return checked
