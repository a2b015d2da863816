"""Reading and decision for an action on this machine: settings, links, ignore files and the branch are looked up."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from nightgarden.remember.ignored import is_ignored
from nightgarden.safety.command_reading import UNKNOWN, CommandReading
from nightgarden.safety.decide import Circumstances, Decision, decide
from nightgarden.safety.read_action import read_action
from nightgarden.safety.sandbox import FILES_LOOKED_AT, find_sandbox
from nightgarden.safety.secret_files import is_secret
from nightgarden.scope import branch_at, git_folder_at, real_directory, resolve_place
from nightgarden.settings import data_folder, load_settings, user_file


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What an action would do, and whether it may."""

    reading: CommandReading
    decision: Decision


def check_command(
    command: str,
    *,
    directory: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    tainted: bool = False,
    sandboxed: bool | None = None,
) -> Checked:
    """Whether a line of shell may run in a directory. `tainted`: text from outside led to it; `sandboxed`: in the
    sandbox, None if this machine has one. Nothing is run."""
    given = {"command": command}
    return check_action("bash", given, directory=directory, env=env, tainted=tainted, sandboxed=sandboxed)


def check_action(
    tool: str,
    given: Mapping[str, Any],
    *,
    directory: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    tainted: bool = False,
    sandboxed: bool | None = None,
) -> Checked:
    """Whether a tool of Claude Code, Codex or OpenCode may run, by its name and input. Nothing is run."""
    env = os.environ if env is None else env
    start = real_directory(directory)
    reading = read_action(tool, given, cwd=str(start), home=str(Path.home()))
    return Checked(
        reading=reading, decision=decide(reading, circumstances(start, env, tainted=tainted, sandboxed=sandboxed))
    )


def circumstances(
    start: Path, env: Mapping[str, str], *, tainted: bool = False, sandboxed: bool | None = None
) -> Circumstances:
    """What holds in a directory, by the user's settings and the machine."""
    settings = load_settings(start, env).safety
    root = resolve_place(start, env).root

    def ignored(path: str) -> bool:
        return UNKNOWN not in path and Path(path).is_file() and is_ignored(root, path)

    return Circumstances(
        worktree=os.path.realpath(root),
        branch=branch_at(start),
        proactive=settings.proactive,
        tainted=tainted,
        sandboxed=find_sandbox(env) is not None if sandboxed is None else sandboxed,
        own_folders=(str(data_folder(env)), str(user_file(env).parent)),
        always_allow=settings.always_allow,
        always_ask=settings.always_ask,
        allowed_remotes=settings.allowed_remotes,
        lifted_rules=settings.lifted_rules,
        shared_branches=settings.shared_branches,
        real=_real,
        ignored=ignored,
        holds_secrets=holds_secrets,
        matching=_matching,
        same_repository=lambda folder: UNKNOWN not in folder and git_folder_at(Path(folder)) == git_folder_at(root),
    )


def holds_secrets(folder: str) -> bool:
    """Whether a folder has a file below it that is named like one with secrets; looks at so many files at most."""
    walked = (str(Path(root, name)) for root, _, names in os.walk(folder) for name in names)
    return UNKNOWN not in folder and any(is_secret(path) for path in islice(walked, FILES_LOOKED_AT))


def _matching(pattern: str) -> tuple[str, ...]:
    """The files that a shell would put in the place of a pattern; so many at most."""
    if UNKNOWN in pattern or "**" in pattern:
        return ()
    found = Path(pattern).parent.parent.glob(f"{Path(pattern).parent.name}/{Path(pattern).name}")
    return tuple(str(path) for path in islice(found, FILES_LOOKED_AT) if not path.name.startswith("."))


def _real(path: str) -> str:
    """With links followed; as it is where it cannot be a path."""
    return path if UNKNOWN in path else os.path.realpath(path)
