"""The reference is made from the code, is up to date, and leaves nothing out."""

from __future__ import annotations

from dataclasses import fields

import pytest

import nightgarden
from nightgarden.settings import section_kinds
from nightgarden.surfaces import reference
from nightgarden.surfaces.cli.parser import COMMANDS
from nightgarden.surfaces.json_shapes import ALSO, SHAPES
from tests.docs.pages import ROOT

FOLDER = ROOT / "docs" / "reference"
MADE = reference.pages()


@pytest.mark.parametrize("name", sorted(MADE))
def test_a_reference_page_is_what_the_code_says_now(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == MADE[name], "run `make docs`"


def test_the_reference_folder_holds_no_other_pages() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(MADE)


def test_every_command_and_each_of_its_options_is_documented() -> None:
    page = MADE["cli.md"]
    for name, _, _ in COMMANDS:
        assert f"\n## {name}\n" in page
    for name, parser in reference.command_parsers().items():
        assert f"nightgarden {name}" in page
        for action in parser._actions:
            for option in action.option_strings:
                assert option in page or option in ("-h", "--help")


def test_every_argument_says_what_it_does_or_has_a_telling_name_and_values() -> None:
    for name, parser in reference.command_parsers().items():
        for action in parser._actions:
            telling = action.choices is not None or action.dest in TELLING
            assert action.help or telling, f"{name} {action.dest} has no help"


TELLING = {"id", "client", "limit"}


def test_every_setting_is_documented_with_its_variable() -> None:
    page = MADE["settings.md"]
    for section, kind in section_kinds().items():
        for field in fields(kind):
            assert f"`NIGHTGARDEN_{section.replace('.', '_')}_{field.name}".upper() in page.upper()
            assert field.metadata["doc"].strip()


def test_every_error_is_documented_with_what_to_do() -> None:
    page = MADE["errors.md"]
    for kind in reference.error_classes():
        assert f"| `{kind.__name__}` |" in page
    assert page.count("read the message: it says what to do next") == 1, "the root alone has no advice of its own"


def test_every_public_name_is_documented() -> None:
    assert all(f"| `{name}` |" in MADE["api.md"] for name in nightgarden.__all__)


def test_every_rule_has_an_id_of_its_own_and_is_documented() -> None:
    rules = [rule for named in reference.rules().values() for _, rule in named]
    assert len({rule.id for rule in rules}) == len(rules)
    assert all(f"| `{rule.id}` |" in MADE["rules.md"] for rule in rules)


def test_every_command_that_prints_json_has_its_shape_written_down() -> None:
    printing = {
        name
        for name, parser in reference.command_parsers().items()
        if any("--json" in action.option_strings for action in parser._actions)
    }
    assert printing == set(SHAPES)
    assert set(ALSO) <= set(SHAPES)
