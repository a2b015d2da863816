"""The examples of README, tutorial and how-to pages run, each page in a garden of its own, from top to bottom."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from nightgarden.models.classifier_files import FOLDER_VARIABLE
from nightgarden.surfaces.cli.main import main
from tests.docs.pages import EXAMPLES, blocks
from tests.store.server import Server

_ID = re.compile(r"^(?:saved|reinforced|scheduled|superseded \w+ by) (\w{8})\b", re.MULTILINE)
_ADDRESS = re.compile(r"postgresql://gardener@db\.example\.org/team(?:\?schema=(\w+))?")
_PLACEHOLDER = "FILE-OR-FOLDER"  # a usage line, not a command to run


class Reader:
    """Types what a page says. `ID` stands for the memory that the last command printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys
        self._last_id = ""

    def run_line(self, line: str) -> str:
        command, _, comment = line.partition("  # ")
        words = [self._last_id if word == "ID" else word for word in shlex.split(command)]
        code = main(words[1:])
        printed = self._capsys.readouterr()
        assert code == (1 if comment == "refused" else 0), f"{line}\n{printed.out}{printed.err}"
        if found := _ID.findall(printed.out):
            self._last_id = found[-1]
        return printed.out


def _needs_server(page: str) -> bool:
    return any(_ADDRESS.search(block.text) for block in blocks(page) if block.language != "toml")


def _run_page(page: str, reader: Reader, address: str) -> int:
    ran = 0
    for block in blocks(page):
        text = _ADDRESS.sub(lambda match: f"{address}_{match[1] or 'main'}", block.text)
        if block.file:
            Path(block.file).write_text(text, encoding="utf-8")
        elif block.language == "python":
            exec(compile(text, page, "exec"), {"__name__": "__main__"})
            ran += 1
        elif block.language == "sh":
            for line in text.splitlines():
                if line.startswith("nightgarden ") and _PLACEHOLDER not in line:
                    reader.run_line(line)
                    ran += 1
    return ran


@pytest.mark.parametrize("page", [page for page in EXAMPLES if not _needs_server(page)])
def test_the_examples_of_a_page_run(page: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _run_page(page, Reader(capsys), "") > 0


@pytest.mark.parametrize("page", [page for page in EXAMPLES if _needs_server(page)])
def test_the_examples_of_a_page_run_on_a_server(
    page: str, folder: Path, capsys: pytest.CaptureFixture[str], team_server: Server
) -> None:
    schema = team_server.new_schema("docs")
    try:
        assert _run_page(page, Reader(capsys), team_server.url(schema)) > 0
    finally:
        team_server.drop_schemas([f"{schema}_main", f"{schema}_moved"])


def test_the_tutorial_says_what_happens(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)  # with the network that ships
    reader = Reader(capsys)
    lines = [line for block in blocks("docs/tutorial.md") if block.language == "sh" for line in block.text.splitlines()]
    said = [reader.run_line(line).split(" ")[0] for line in lines if line.startswith("nightgarden ")]
    assert said[:3] == ["saved", "reinforced", "superseded"]
    assert said[5] == "refused"
    assert said[9:12] == ["archived", "restored", "purged"]
