"""An account's token: from an environment variable, or from a file that only its owner can read."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from nightgarden.errors import BadSetting
from nightgarden.machine.plain_files import read_small

_OTHERS = 0o077


def read_token(section: str, variable: str, file: str, env: Mapping[str, str]) -> str:
    """Raises BadSetting, naming the key to set."""
    if variable:
        if token := env.get(variable, "").strip():
            return token
        raise BadSetting(f"{section}.token_env names {variable}, which is not set")
    if not file:
        raise BadSetting(f"set {section}.token_env or {section}.token_file")
    path = Path(file).expanduser()
    try:
        if path.stat().st_mode & _OTHERS:
            raise BadSetting(f"{path} can be read by others; run `chmod 600 {path}`")
        token = read_small(path).text.partition("\n")[0].strip()
    except (OSError, UnicodeDecodeError):
        raise BadSetting(f"{section}.token_file: {path} cannot be read") from None
    if not token:
        raise BadSetting(f"{section}.token_file: {path} is empty")
    return token
