"""Dependencies and commands in the files that declare them. Pure: a file's name and text in, values out.

Knows pyproject.toml, requirements files, poetry.lock, uv.lock, package.json, package-lock.json, Cargo.toml, Cargo.lock,
go.mod, .python-version, .nvmrc, Makefiles and justfiles. A file that cannot be parsed says nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nightgarden.machine.bounded_toml import read_toml


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """A version of a dependency: one, or the bound of a range."""

    text: str
    exact: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What one file declares."""

    file: str
    runner: str = ""  # make, npm, just or run: who runs its commands
    dependencies: Mapping[str, Version] = field(default_factory=dict)
    commands: frozenset[str] = frozenset()
    locked: bool = False  # says what is installed, not what is wanted


_REQUIREMENT = re.compile(r"\s*+([A-Za-z][\w.-]*+)(?:\[[^\]]*+\])?([^;]*+)")
_BOUND = re.compile(r"(?:(===?|~=|>=|<=|\^|~|>|<|=)\s*+)?v?(\d++(?:\.\d++)*+\w*+)")
_TARGET = re.compile(r"^([A-Za-z][\w./ \t-]*+):(?![=:])", re.MULTILINE)
_RECIPE = re.compile(r"^@?([A-Za-z][\w-]*+)(?:[ \t][^:=\n]*+)?:(?!=)", re.MULTILINE)


def read_manifest(file: str, text: str) -> Manifest | None:
    """What the file declares, or None when it is of no known kind."""
    name = file.rpartition("/")[2]
    try:
        if name == "pyproject.toml":
            return _pyproject(file, read_toml(text))
        if name in ("poetry.lock", "uv.lock", "Cargo.lock"):
            return Manifest(file=file, dependencies=_locked(read_toml(text)), locked=True)
        if name == "Cargo.toml":
            return Manifest(file=file, dependencies=_cargo(read_toml(text)))
        if name == "package.json":
            return _package(file, json.loads(text))
        if name == "package-lock.json":
            return Manifest(file=file, dependencies=_package_lock(json.loads(text)), locked=True)
    except (ValueError, AttributeError, TypeError, RecursionError):  # broken, or not what its name says
        return None
    if re.fullmatch(r"requirements[\w.-]*\.txt", name):
        return Manifest(file=file, dependencies=_requirements(text.splitlines()))
    if name == "go.mod":
        return Manifest(file=file, dependencies=_go(text))
    if name in (".python-version", ".nvmrc"):
        return _pinned_language(file, "python" if name == ".python-version" else "node", text)
    if name in ("Makefile", "GNUmakefile") or name.endswith(".mk"):
        targets = {target for match in _TARGET.finditer(text) for target in match[1].split() if "." not in target[:1]}
        return Manifest(file=file, runner="make", commands=frozenset(targets))
    if name.lower() == "justfile":
        return Manifest(file=file, runner="just", commands=frozenset(_RECIPE.findall(text)))
    return None


def normalise(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.lower())


def read_bound(text: str) -> Version | None:
    """The first bound of a specifier: `==1.2`, `^3`, `>=1,<2`."""
    match = _BOUND.search(text)
    return Version(text=match[2], exact=match[1] in ("==", "===", "=")) if match else None


def _requirements(lines: list[str]) -> dict[str, Version]:
    found = {}
    for line in lines:
        match = _REQUIREMENT.match(line.partition("#")[0])
        if match and match[1]:
            found[normalise(match[1])] = read_bound(match[2]) or Version(text="", exact=False)
    return found


def _pyproject(file: str, data: dict[str, Any]) -> Manifest:
    project = data.get("project", {})
    lines = [*project.get("dependencies", ())]
    for group in (*project.get("optional-dependencies", {}).values(), *data.get("dependency-groups", {}).values()):
        lines += [line for line in group if isinstance(line, str)]
    found = _requirements(lines)
    if bound := read_bound(project.get("requires-python", "")):
        found["python"] = bound
    poetry = data.get("tool", {}).get("poetry", {})
    for table in (
        poetry.get("dependencies", {}),
        *(g.get("dependencies", {}) for g in poetry.get("group", {}).values()),
    ):
        for name, wanted in table.items():
            spec = wanted.get("version", "") if isinstance(wanted, dict) else str(wanted)
            found[normalise(name)] = read_bound(spec) or Version(text="", exact=False)
    commands = {*project.get("scripts", {}), *poetry.get("scripts", {})}
    for tool in ("taskipy", "poe", "pdm"):
        section = data.get("tool", {}).get(tool, {})
        commands |= {*section.get("tasks", {}), *section.get("scripts", {})}
    return Manifest(file=file, runner="run" if commands else "", dependencies=found, commands=frozenset(commands))


def _locked(data: dict[str, Any]) -> dict[str, Version]:
    packages = [package for package in data.get("package", ()) if "version" in package]
    return {normalise(package["name"]): Version(text=package["version"], exact=True) for package in packages}


def _cargo(data: dict[str, Any]) -> dict[str, Version]:
    found = {}
    workspace = data.get("workspace", {}).get("dependencies", {})
    for table in (
        workspace,
        *(data.get(name, {}) for name in ("dependencies", "dev-dependencies", "build-dependencies")),
    ):
        for name, wanted in table.items():
            spec = wanted.get("version", "") if isinstance(wanted, dict) else str(wanted)
            found[normalise(name)] = read_bound(spec) or Version(text="", exact=False)
    if bound := read_bound(str(data.get("package", {}).get("rust-version", ""))):
        found["rust"] = bound
    return found


def _package(file: str, data: dict[str, Any]) -> Manifest:
    found = {}
    for table in ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies"):
        for name, spec in data.get(table, {}).items():
            bound = read_bound(str(spec))
            exact = bool(re.fullmatch(r"\d[\w.-]*", str(spec)))
            found[name.lower()] = Version(text=bound.text, exact=exact) if bound else Version(text="", exact=False)
    if bound := read_bound(str(data.get("engines", {}).get("node", ""))):
        found["node"] = bound
    return Manifest(file=file, runner="npm", dependencies=found, commands=frozenset(data.get("scripts", {})))


def _package_lock(data: dict[str, Any]) -> dict[str, Version]:
    found = {}
    for path, package in data.get("packages", {}).items():
        if path.startswith("node_modules/") and path.count("node_modules/") == 1 and "version" in package:
            found[path.removeprefix("node_modules/").lower()] = Version(text=package["version"], exact=True)
    for name, package in data.get("dependencies", {}).items():
        if isinstance(package, dict) and "version" in package:
            found.setdefault(name.lower(), Version(text=package["version"], exact=True))
    return found


def _go(text: str) -> dict[str, Version]:
    found = {}
    for path, version in re.findall(r"^[ \t]*+(?:require[ \t]++)?([\w-]++\.[\w./-]++)[ \t]++v(\d[\w.+-]*)", text, re.M):
        short = re.sub(r"/v\d+$", "", path).rpartition("/")[2]
        found[path.lower()] = found[short.lower()] = Version(text=version, exact=True)
    if match := re.search(r"^go\s+(\d+(?:\.\d+)*)", text, re.MULTILINE):
        found["go"] = Version(text=match[1], exact=True)
    return found


def _pinned_language(file: str, language: str, text: str) -> Manifest | None:
    match = re.match(r"\s*v?(\d+(?:\.\d+)*)", text)
    return Manifest(file=file, dependencies={language: Version(text=match[1], exact=True)}) if match else None
