"""Numbers are compared by what they say, not by how they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.remember.compare.quantities import adds_a_number, quantities, tells_another_value


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The routing job needs 16 gigs of memory", "Give routing 16 GB RAM"),
        ("Avatars may have 2 MB", "Profile pictures up to 2048 KB"),
        ("Contracts over 10k need a signature", "Contracts above ten thousand have to be signed"),
        ("The van holds 1.2 tonnes", "Payload of the van: 1200 kg"),
        ("Timeout is two hours", "Timeout: 120 min"),
        ("Standup is at 9:30", "Standup at 9:30 am"),
        ("No calls before 9:30", "Calls start half past nine at the earliest"),
        ("Elif goes to bed at 19:30", "At half past seven in the evening Elif is put to sleep"),
        ("The courier comes at a quarter past three", "After 15:15 nothing is collected"),
        ("Training ist um halb acht", "Training ab 19:30 Uhr"),
        ("Cenamos a las siete y media", "La cena es a las 19:30"),
        ("I pick up the twins at 16:00", "From four o'clock on I am fetching the children"),
        ("Le point a lieu à 10 h", "Standup is at ten in the morning"),
        ("The dashboard refreshes every quarter of an hour", "Data updates at 15-minute intervals"),
        ("Interviews take 45 minutes", "An interview is three quarters of an hour"),
        ("The exam takes 90 minutes", "An hour and a half for the exam"),
        ("They meet fortnightly", "Every two weeks they have a meeting"),
        ("Der Call ist jeden zweiten Dienstag", "Alle zwei Wochen ist der Call"),
        ("Los secretos se rotan cada seis meses", "Toca rotar claves dos veces al año"),
        ("The export runs every ten minutes", "Six times per hour a new file appears"),
        ("Das Training ist dreimal die Woche", "Ich laufe dreimal pro Woche"),
        ("The loan runs five years", "Sixty months to pay back the loan"),
        ("Plots are 85 mm wide", "Figures measure eight and a half centimeters across"),
        ("Geofences are 200 metres wide", "We draw a 0.2 km geofence"),
        ("Founded in 2017", "In business since twenty-seventeen"),
        ("A dozen bottles fit in the crate", "The crate holds twelve bottles"),
        ("Half of the deposit is kept", "We keep 50% of the deposit"),
        ("Anything above £2k needs the bursar", "Over two thousand it is a bursar job"),
        ("El alquiler es 380", "Yo pongo trescientos ochenta"),
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
        ("The recon starts at 1 am", "The recon kicks off at 03:15"),
        ("The file comes at 6 am", "The file comes at 6 pm"),
        ("Standup at half past nine", "Standup at quarter past nine"),
        ("Reviews are fortnightly", "Reviews are every three weeks"),
        ("The exam takes 90 minutes", "The exam takes an hour and a quarter of an hour"),
        ("Backups are kept 30 days", "Backups are kept 35 days"),
    ],
)
def test_another_amount(one: str, other: str) -> None:
    assert adds_a_number(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The recon starts at 1 am", "recon kicks off at 03:15"),
        ("The abstract has 220 words", "they only give you a hundred and fifty words for the abstract"),
        ("A session lasts 8 hours", "logging in again after two hours is normal"),
        ("The retainer is £450 a quarter", "Rosebank pays £520 each quarter"),
    ],
)
def test_another_value_of_the_same_kind(one: str, other: str) -> None:
    assert tells_another_value(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("We have 3 nodes", "The job starts at 20:00"),  # of two kinds
        ("Staging is on port 8080 and 8081", "Staging is on port 9090"),  # which of the two?
        ("Standup is at 9:30", "Standup is at half past nine"),
        ("Invoices are due in 30 days", "Invoices are due"),
    ],
)
def test_no_other_value_of_the_same_kind(one: str, other: str) -> None:
    assert not tells_another_value(one, other)


@given(st.text(alphabet="abz 0123456789:.,%£h’'-", max_size=80))
def test_any_text_is_read(text: str) -> None:
    assert all(each.agrees(each) for each in quantities(text))
    assert not adds_a_number(text, text)


@pytest.mark.parametrize(
    ("several", "one"),
    [
        ("Two approvals before a merge", "a single approval is enough with us"),
        ("We have two reviewers", "One reviewer is enough"),
        ("Zwei Freigaben sind nötig", "nur eine Freigabe ist nötig"),
        ("Dos aprobaciones por cambio", "una sola aprobación basta"),
    ],
)
def test_one_of_what_is_counted_is_another_value(several: str, one: str) -> None:
    assert tells_another_value(several, one)
    assert tells_another_value(one, several)
    assert adds_a_number(several, one)


def test_one_of_something_else_is_no_value() -> None:
    assert not adds_a_number("Two approvals before a merge", "one of the reviewers is Ana")
