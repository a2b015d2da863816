"""Identifiers that open nothing are no credentials, however random they look."""

from __future__ import annotations

import pytest

from nightgarden.domain.verdict import Refused
from nightgarden.remember.identifiers import identifiers
from nightgarden.remember.refuse import Passed, refuse
from tests.remember.scripted import Scripted

COMMIT = "01a66cbe170e06da8f0ac9976b940b86" + "42634f27"
UUID = "6fa459ea-ee8a-3ca4-" + "894e-db77e160355e"


@pytest.mark.parametrize(
    ("text", "id"),
    [
        (f"Pin actions/checkout to {COMMIT}", COMMIT),
        (f"uses: actions/cache@{COMMIT}", COMMIT),
        (f"The sandbox is Azure subscription {UUID}", UUID),
        ("Our test shop is cus_lUydeIUEYhEEh", "cus_lUydeIUEYhEEh"),
        ("The blog's property is G-VHKKUHU7R7", "G-VHKKUHU7R7"),
        ('The logo has ETag W/"5e81c59fbfa2d89d"', '"5e81c59fbfa2d89d"'),
        (
            "Models lie in ~/.cache/hub/models--BAAI--bge-small-en/snapshots",
            "~/.cache/hub/models--BAAI--bge-small-en/snapshots",
        ),
        (
            "The data is s3://lake/raw/dt=2025-11-02/part-00017-9f.parquet",
            "s3://lake/raw/dt=2025-11-02/part-00017-9f.parquet",
        ),
    ],
)
def test_an_identifier_by_a_published_format_is_no_credential(text: str, id: str) -> None:
    assert [text[start:end] for start, end in identifiers(text)] == [id]
    suspicious = Scripted(secret=0.55, secret_words=(id,), keep=lambda word: True)
    assert isinstance(refuse(text, classifier=suspicious), Passed)


@pytest.mark.parametrize(
    "text",
    [
        f"the api token {COMMIT}",
        f"the consul ACL is {UUID}",
        "pi_3NabcDEF12_secret_abcdef",
        "https://user:word@host/a/b",
        "https://x.example/a?sig=abc/def/ghi",
    ],
)
def test_what_may_open_something_is_left_to_the_judgement(text: str) -> None:
    assert identifiers(text) == []


def test_a_credential_beside_an_identifier_is_refused() -> None:
    text = f"Pin it to {COMMIT}, the gate opens with Nordlicht!7"
    suspicious = Scripted(secret=0.9, secret_words=(f"{COMMIT},", "Nordlicht!7"))
    assert isinstance(refuse(text, classifier=suspicious), Refused)
