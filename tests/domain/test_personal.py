"""Which numbers and addresses belong to people. Numbers are made with valid check digits at run time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightgarden.domain.national_ids import luhn, verhoeff
from nightgarden.domain.personal import find_personal
from nightgarden.domain.redact import scrub


def with_check(digits: str, holds: object) -> str:
    return next(digits + str(last) for last in range(10) if holds(digits + str(last)))  # type: ignore[operator]


CARD = with_check("453201511283036", luhn)
AADHAAR = with_check("23412341234", verhoeff)
IBAN = "DE89 3704 0044 0532 " + "0130 00"

PERSONAL = [
    ("mail", "write to anna.meier" + "@gmail.com"),
    ("mail", "E-Mail: j.o'neil+news" + "@posteo.de"),
    ("mail", "mailto:max" + "@firma.ch"),
    ("phone", "call me at +49 170 12345" + "67"),
    ("phone", "her number is (415) 555-" + "2671"),
    ("phone", "Tel. 030 123" + "45678"),
    ("phone", "06 12 34 " + "56 78"),
    ("phone", "+1-202-555-" + "0143"),
    ("card", f"pays with {CARD}"),
    ("card", f"card {CARD[:4]} {CARD[4:8]} {CARD[8:12]} {CARD[12:]}"),
    ("iban", f"account {IBAN}"),
    ("iban", IBAN.replace(" ", "")),
    ("national_id", "SSN 219-09-" + "9999"),
    ("national_id", "Steuer-ID 86 095 742 " + "719"),
    ("national_id", "NINO QQ 12 34 56 C".replace("QQ", "AB")),
    ("national_id", "INSEE 2 55 08 14 168 025 " + "38"),
    ("national_id", "DNI 12345678" + "Z"),
    ("national_id", "CF RSSMRA85T10A562" + "S"),
    ("national_id", "BSN 11122233" + "3"),
    ("national_id", f"Aadhaar {AADHAAR[:4]} {AADHAAR[4:8]} {AADHAAR[8:]}"),
    ("national_id", "CPF 529.982.247-" + "25"),
    ("national_id", "PESEL 4405140135" + "9"),
    ("national_id", "passport number C01X00T4" + "7"),
    ("national_id", "Mein Personalausweis hat die Nummer L01X00T4" + "7"),
    ("national_id", "my driving licence is MORGA75311" + "6SM9IJ"),
]


@pytest.mark.parametrize(("kind", "text"), PERSONAL)
def test_identifiers_of_people_are_found_unless_their_kind_is_allowed(kind: str, text: str) -> None:
    assert find_personal(text), text
    assert find_personal(text, frozenset({kind})) == ()
    assert find_personal(text, frozenset({"mail", "phone", "card", "national_id", "iban"})) == ()


@pytest.mark.parametrize(
    "text",
    [
        "clone git@github.com:acme/web.git",
        "use user@example.com in docs",
        "noreply@github.com",
        "ssh deploy@web-1.acme.dev",
        "rsync -a x deploy@static.acme.dev:/srv",
        "postgres://app@db.acme.dev/app",
        "logo@2x.png",
        "lodash@4.17.21",
        "worker@1.service",
        "version 2024.06.12.1430",
        "2024-05-17 10:30:00",
        "10.24.3.118:5432",
        "port range 8000-8100",
        "ISBN 978-3-16-148410-0",
        "1,234,567 rows",
        "order 1000245-99",
        "UTC+0200",
        "20240517T103000Z",
        "timestamp 1715940000000",
        "9f86d081884c7d659a2feaa0c55ad015",
        "6fa459ea-ee8a-3ca4-894e-db77e160355e",
        "STM32F103C8T6",
        "4111 1111 1111 1112",
        "The Stripe test card is 4242 4242 4242 4242",
        "use 378282246310005 to try American Express",
        "passport.js 0.7 needs express 4.18.2",
        "DE00 3704 0044 0532 0130 00",
        "send it to security@acme.dev",
        "call 3 functions",
        "3.14159265358979",
        "id 123456789",
        "1024 2048 4096 8192",
    ],
)
def test_versions_dates_ports_ids_and_addresses_of_nobody_are_not_personal(text: str) -> None:
    assert find_personal(text) == ()


@given(st.one_of(st.text(max_size=200), st.text("0123456789+-() ./@aBC\x00\ud800", max_size=60)))
@settings(max_examples=300, deadline=None)
def test_no_text_breaks_the_search_and_scrubbed_text_holds_nothing_personal(text: str) -> None:
    found = find_personal(text)
    assert all(0 <= finding.start < finding.end <= len(text) for finding in found)
    assert find_personal(scrub(text, find_personal)) == ()
