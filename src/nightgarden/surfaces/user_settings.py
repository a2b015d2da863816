"""Writes into the user's own settings file, leaving what else stands there."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from nightgarden.settings import user_file
from nightgarden.surfaces.connect.toml_table import put_table


def write_user_settings(section: str, values: Mapping[str, Any]) -> str:
    """Puts these into a section of the file. Returns its path."""
    path = user_file(os.environ)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    half = path.with_name(f"{path.name}.{os.getpid()}.part")
    half.write_text(put_table(before, (section,), values), encoding="utf-8")
    half.chmod(path.stat().st_mode & 0o777 if path.is_file() else 0o600)
    half.replace(path)
    return str(path)
