"""Names that end in a number, and what is said of a sibling."""

from __future__ import annotations

import pytest

from nightgarden.remember.compare.siblings import is_of_a_sibling, numbered_names

BOX = "gale-03 is the ingest box in Reykjavik"
NOW = "Ingest runs on gale-05 in Falkenstein now"


def test_a_name_is_its_stem_and_its_number() -> None:
    assert numbered_names("Gale-03 feeds db2; see v1.4, 2024-05 and port 8080") == {("gale-", "03"), ("db", "2")}


@pytest.mark.parametrize(
    ("known", "new", "others", "expected"),
    [
        (NOW, "gale-03 is switched off since May", [BOX], True),
        (NOW, "gale-03 is switched off since May", [], False),  # perhaps it was called so before
        (BOX, NOW, [BOX], False),  # nothing else is known of gale-05: it takes the other's place
        (BOX, "gale-03 is switched off since May", [NOW], False),
        (NOW, "Backups go to db2 now", ["db2 is in the cellar"], False),  # not a sibling
    ],
)
def test_what_is_said_of_a_sibling(known: str, new: str, others: list[str], expected: bool) -> None:
    assert is_of_a_sibling(known, new, others) is expected
