"""Where a user's data lives. Imports `os` and `sys` alone, for pathlib costs 4 ms and hooks ask at every prompt."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # type checkers take it for true; the import costs 2 ms
if TYPE_CHECKING:
    from collections.abc import Mapping


def data_folder(env: Mapping[str, str]) -> str:
    """NIGHTGARDEN_HOME, else the platform's data folder."""
    if home := env.get("NIGHTGARDEN_HOME"):
        return os.path.expanduser(home)
    user = os.path.expanduser("~")
    if sys.platform == "darwin":
        return os.path.join(user, "Library", "Application Support", "nightgarden")
    if sys.platform == "win32":
        return os.path.join(env.get("LOCALAPPDATA") or os.path.join(user, "AppData", "Local"), "nightgarden")
    return os.path.join(env.get("XDG_DATA_HOME") or os.path.join(user, ".local", "share"), "nightgarden")


def working_directory() -> str:
    """Where this process works; empty when that folder was removed."""
    try:
        return os.getcwd()
    except OSError:
        return ""


INSIDE = "NIGHTGARDEN_INSIDE"  # set for programs that answer for us: our own hooks stay silent in them


def mind_folder(env: Mapping[str, str]) -> str:
    """Where programs that answer for us work; what they may keep of it is not the user's."""
    return os.path.join(data_folder(env), "minds")


def is_own_session(directory: str, env: Mapping[str, str]) -> bool:
    """Whether a session was one of ours: its working directory is in our folder."""
    folder = os.path.realpath(mind_folder(env))
    return bool(directory) and os.path.realpath(directory).startswith(folder + os.sep)
