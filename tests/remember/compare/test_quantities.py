"""Numbers are compared by what they say, not by how they are written."""

from __future__ import annotations

import pytest

from nightgarden.remember.compare.quantities import adds_a_number


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The routing job needs 16 gigs of memory", "Give routing 16 GB RAM"),
        ("Avatars may have 2 MB", "Profile pictures up to 2048 KB"),
        ("Contracts over 10k need a signature", "Contracts above ten thousand have to be signed"),
        ("The van holds 1.2 tonnes", "Payload of the van: 1200 kg"),
        ("Timeout is two hours", "Timeout: 120 min"),
        ("Standup is at 9:30", "Standup at 9:30 am"),
    ],
)
def test_the_same_amount_in_other_words(one: str, other: str) -> None:
    assert not adds_a_number(one, other)
    assert not adds_a_number(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The job needs 16 GB", "The job needs 16 MB"),
        ("The van holds 1.2 tonnes", "The van holds 1.2 kg"),
        ("Contracts over 10k need a signature", "Contracts over 10 need a signature"),
        ("Timeout is two hours", "Timeout is two minutes"),
    ],
)
def test_another_amount(one: str, other: str) -> None:
    assert adds_a_number(one, other)
