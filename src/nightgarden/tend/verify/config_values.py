"""Settings in configuration files, as flat keys and values. Pure: a file's name and text in, values out.

Knows TOML, JSON, INI, environment files, and YAML as far as mappings of plain values go; also the ports of Dockerfiles
and compose files. Not covered: values that a program puts together when it runs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from nightgarden.machine.bounded_toml import read_toml

LINE_CHARS_MAX = 2_000
SETTINGS_MAX = 5_000  # of one file; a lock file or a data file in JSON has no settings that people speak of
KEY_CHARS_MAX = 300  # with the names of all tables around it; nobody speaks of a longer one
_NOT_SETTINGS = re.compile(r"(?:\.lock|-lock\.json|-lock\.yaml|package\.json|tsconfig[\w.]*\.json)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One value: `server.port = 8080` in `config/app.toml`."""

    file: str
    key: str
    value: str

    @property
    def port(self) -> str:
        """The port it gives, or nothing."""
        last = re.split(r"[._]", self.key.lower())
        if "port" in last or "ports" in last or "expose" in last:
            found = re.findall(r"\d{2,5}", self.value)
            return found[0] if found else ""
        found = re.findall(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\w):(\d{2,5})\b", self.value)
        return found[0] if found else ""


def read_settings(file: str, text: str) -> list[Setting]:
    """All settings of a configuration file; none for any other file."""
    name = file.rpartition("/")[2]
    if _NOT_SETTINGS.search(name):
        return []
    try:
        if name.endswith(".toml"):
            pairs = _flat(read_toml(text))
        elif name.endswith(".json"):
            pairs = _flat(json.loads(text))
        elif name.endswith((".yaml", ".yml")):
            pairs = _yaml(text)
        elif name.startswith(".env") or name.endswith((".ini", ".cfg", ".env", ".conf", ".properties")):
            pairs = _ini(text)
        elif name == "Dockerfile":
            pairs = _dockerfile(text)
        else:
            return []
        short = (pair for pair in pairs if len(pair[0]) <= KEY_CHARS_MAX)
        found = [Setting(file=file, key=key, value=value) for key, value in islice(short, SETTINGS_MAX + 1)]
    except (ValueError, RecursionError):
        return []
    return found if len(found) <= SETTINGS_MAX else []


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    if len(key) > KEY_CHARS_MAX:
        return
    if isinstance(value, dict):
        for name, below in value.items():
            yield from _flat(below, f"{key}.{name}" if key else str(name))
    elif isinstance(value, list):
        if all(not isinstance(each, dict | list) for each in value):
            yield key, ", ".join(_text(each) for each in value)
    elif value is not None:
        yield key, _text(value)


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _lines(text: str) -> Iterator[str]:
    """The lines that a person may have written; a longer one is data."""
    return (line for line in text.splitlines() if len(line) <= LINE_CHARS_MAX)


def _yaml(text: str) -> Iterator[tuple[str, str]]:
    above: list[tuple[int, str]] = []  # the indentation and whole key of each table around
    for line in _lines(text):
        bare = re.sub(r"(?<!\s)\s++#.*$", "", line)
        item = re.match(r"^(\s*)-\s+[\"']?([\w.:/-]+)[\"']?\s*$", bare)
        if item and above:
            yield above[-1][1], item[2]
            continue
        match = re.match(r"^(\s*)(?:-\s+)?[\"']?([\w./-]+)[\"']?:(?:\s+(.*))?$", bare)
        if not match:
            continue
        depth = len(match[1])
        while above and above[-1][0] >= depth:
            above.pop()
        key = f"{above[-1][1]}.{match[2]}" if above else match[2]
        value = (match[3] or "").strip()
        if value and value[0] not in "|>&*{[":
            yield key, value.strip("\"'")
        else:
            above.append((depth, key[: KEY_CHARS_MAX + 1]))  # what is below has too long a key, too


def _ini(text: str) -> Iterator[tuple[str, str]]:
    section = ""
    for line in _lines(text):
        if head := re.match(r"^\s*\[([^\]]+)\]\s*$", line):
            section = head[1].strip() + "."
        elif match := re.match(r"^\s*(?:export\s+)?([A-Za-z][\w.-]*)\s*[=:](.*)$", line):
            yield section + match[1], match[2].strip().strip("\"'")


def _dockerfile(text: str) -> Iterator[tuple[str, str]]:
    for number in re.findall(r"^[ \t]*+EXPOSE[ \t]++(\d+)", text, re.MULTILINE | re.IGNORECASE):
        yield "expose", number
    yield from re.findall(r"^[ \t]*+(?:ENV|ARG)[ \t]++([A-Za-z]\w*+)[= ][ \t]*+[\"']?([^\s\"']+)", text, re.MULTILINE)
