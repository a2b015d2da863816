"""Pages are whole: links lead somewhere, nothing of a private machine is in them, every decision is listed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, anchors, links, pages

PRIVATE = re.compile(r"/home/\w+|/root\b|/work/|/tmp/|/Users/\w+|C:\\")


def _name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_every_link_of_a_page_leads_somewhere(page: Path) -> None:
    for link in links(page):
        if link.startswith(("http://", "https://")):
            continue
        target, _, anchor = link.partition("#")
        file = (page.parent / target).resolve() if target else page
        assert file.exists(), f"{_name(page)} links to {link}"
        assert not anchor or anchor in anchors(file), f"{_name(page)} links to {link}"


@pytest.mark.parametrize("page", pages(), ids=_name)
def test_a_page_names_no_path_of_a_private_machine(page: Path) -> None:
    assert PRIVATE.search(page.read_text(encoding="utf-8")) is None


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "why"
    listed = set(links(folder / "README.md"))
    assert listed == {path.name for path in folder.glob("*.md")} - {"README.md"}


def test_every_how_to_is_linked_from_the_front_page() -> None:
    linked = set(links(ROOT / "README.md"))
    assert {f"docs/how-to/{path.name}" for path in (ROOT / "docs" / "how-to").glob("*.md")} <= linked


def test_every_page_that_the_code_points_at_exists() -> None:
    for file in (ROOT / "src").rglob("*.py"):
        for named in re.findall(r"docs/[\w/-]+\.md", file.read_text(encoding="utf-8")):
            assert (ROOT / named).exists(), f"{file.relative_to(ROOT)} points at {named}"


def test_no_source_gives_a_document_as_its_reason_that_is_not_here() -> None:
    elsewhere = re.compile(
        r"\b(REFERENCE|DESIGN|STYLE|BENCH|CLIENTS)(\.md| \d)|\bseed \d|\bissue #?\d"
        r"|\(reference, |of the reference\)|[Tt]he reference's|in the design\b"
    )
    cited = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in sorted((ROOT / "src").rglob("*"))
        if path.suffix in (".py", ".sql", ".toml")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if elsewhere.search(line)
    ]
    assert cited == []
