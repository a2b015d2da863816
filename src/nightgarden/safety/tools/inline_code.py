"""Code of Python, JavaScript, Perl and Ruby that stands in a command: the commands and files its strings name.

Looks at strings only, and at the word before them. It is no interpreter: code that puts its strings together is not
understood, which is why such a command always counts as one that runs code nobody has read.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

STRINGS_MAX = 500
CODE_CHARS_MAX = 100_000
_STRING = re.compile(r"'''|\"\"\"|'(?:[^'\\\n]|\\.)*+'|\"(?:[^\"\\\n]|\\.)*+\"|`(?:[^`\\]|\\.)*+`")
_STARTS = re.compile(
    r"system|subprocess|popen|exec|spawn|check_call|check_output|Popen|`|%x|qx|qw|os\.|sh\(|shell", re.IGNORECASE
)
# `qw(git push)`, `%x{ls}`: quotes of Perl and Ruby.
_QUOTED = re.compile(r"(?:\bqw|\bqx|%x|%w)\s{0,4}(?:\(([^()]{0,2000}+)\)|\{([^{}]{0,2000}+)\}|\[([^\[\]]{0,2000}+)\])")
_BEFORE = re.compile(r"(\w{1,40})\s{0,8}[(\s]\s{0,8}\Z")
_READS = frozenset(
    "open path readfilesync readfile read read_text fopen load file_get_contents createreadstream slurp".split()
)
_DELETES = frozenset("remove unlink rmtree rmdir removedirs rmsync rm unlinksync rmdirsync rm_rf rm_r delete".split())
_WRITES = frozenset("writefilesync writefile write_text appendfilesync createwritestream truncate".split())


@dataclass(frozen=True, slots=True, kw_only=True)
class InCode:
    """Commands that the code may start, and paths it names."""

    scripts: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    deletes: tuple[str, ...] = ()


def read_code(code: str) -> InCode:
    """What the strings of a piece of code tell. Linear."""
    code = code[:CODE_CHARS_MAX]
    starts = _STARTS.search(code) is not None
    scripts: list[str] = []
    paths: dict[str, list[str]] = {"reads": [], "writes": [], "deletes": []}
    row: list[str] = []
    last_end = 0
    for number, match in enumerate(_STRING.finditer(code)):
        if number >= STRINGS_MAX:
            break
        text = match[0][1:-1].replace("\\'", "'").replace('\\"', '"')
        between = code[last_end : match.start()]
        if row and ("," not in between or between.strip(" ,[(\n\t")):
            scripts.append(_joined(row))
            row = []
        row.append(text)
        _note_path(code[max(0, match.start() - 48) : match.start()], text, code[match.end() : match.end() + 8], paths)
        last_end = match.end()
    if row:
        scripts.append(_joined(row))
    scripts += [next(filter(None, found), "") for found in _QUOTED.findall(code)]
    return InCode(
        scripts=tuple(text for text in scripts if text.strip()) if starts else (),
        reads=tuple(paths["reads"]),
        writes=tuple(paths["writes"]),
        deletes=tuple(paths["deletes"]),
    )


def _joined(row: list[str]) -> str:
    """One string is a line of shell; several are the words of one command."""
    return row[0] if len(row) == 1 else shlex.join(row)


def _note_path(before: str, text: str, after: str, paths: dict[str, list[str]]) -> None:
    called = _BEFORE.search(before)
    verb = called[1].lower() if called else ""
    if not text or "\n" in text:
        return
    if verb in _DELETES:
        paths["deletes"].append(text)
    elif verb in _WRITES:
        paths["writes"].append(text)
    elif verb in _READS:
        writing = re.match(r"\s{0,4},\s{0,4}['\"][wax]", after) is not None
        paths["writes" if writing else "reads"].append(text)
