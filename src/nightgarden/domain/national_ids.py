"""Numbers by which states know people, each with its check digits or the words that must stand near it.

Knows the published arithmetic of two dozen countries. A number without check digits, or one so short that chance would
often pass its check, counts only with a word near it that says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

_NEAR_CHARS = 60  # how far before a number the word that names it may stand


@dataclass(frozen=True, slots=True, kw_only=True)
class NationalId:
    """One kind of number. With `near`, a match counts only if that is found shortly before it."""

    what: str
    shape: re.Pattern[str]
    check: Callable[[str], bool]
    near: re.Pattern[str] | None = None
    beside: re.Pattern[str] | None = None  # of those whose word must reach up to the number: `near`, and nothing after

    def holds(self, text: str, match: re.Match[str]) -> bool:
        before = self.beside or self.near
        if before is not None and not before.search(text, max(0, match.start() - _NEAR_CHARS), match.start()):
            return False
        return self.check(re.sub(r"[ .\-/]", "", match[0]).upper())


def luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0


def _weighted(digits: str, weights: tuple[int, ...]) -> int:
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _ssn(d: str) -> bool:
    return d[:3] not in ("000", "666") and d[0] != "9" and d[3:5] != "00" and d[5:] != "0000"


def _steuer_id(d: str) -> bool:
    product = 10
    for digit in d[:10]:
        total = (int(digit) + product) % 10 or 10
        product = total * 2 % 11
    return d[0] != "0" and (11 - product) % 10 == int(d[10])


def _nino(d: str) -> bool:
    return d[:2] not in ("BG", "GB", "NK", "KN", "TN", "NT", "ZZ")


def _insee(d: str) -> bool:
    number = d[:13].replace("2A", "19").replace("2B", "18")
    return number.isdigit() and 97 - int(number) % 97 == int(d[13:])


def _dni(d: str) -> bool:
    return "TRWAGMYFPDXBNJZSQVHLCKE"[int({"X": "0", "Y": "1", "Z": "2"}.get(d[0], d[0]) + d[1:8]) % 23] == d[8]


_CF_ODD = dict(zip("0123456789", (1, 0, 5, 7, 9, 13, 15, 17, 19, 21), strict=True)) | dict(
    zip(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23),
        strict=True,
    )
)


def _codice_fiscale(d: str) -> bool:
    total = 0
    for place, character in enumerate(d[:15]):
        even = int(character) if character.isdigit() else ord(character) - 65
        total += _CF_ODD[character] if place % 2 == 0 else even
    return chr(65 + total % 26) == d[15]


def _bsn(d: str) -> bool:
    return _weighted(d, (9, 8, 7, 6, 5, 4, 3, 2, -1)) % 11 == 0 and d != "000000000"


_D = [
    [(i + j) % 5 + (5 if (i < 5) != (j < 5) else 0) if i < 5 else (i - j) % 5 + (0 if j >= 5 else 5) for j in range(10)]
    for i in range(10)
]
_P = [list(range(10)), [1, 5, 7, 6, 2, 8, 3, 0, 9, 4]]
for _ in range(6):
    _P.append([_P[1][value] for value in _P[-1]])


def verhoeff(digits: str) -> bool:
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = _D[check][_P[place % 8][int(digit)]]
    return check == 0


def _cpf(d: str) -> bool:
    if len(set(d)) == 1:
        return False
    first = _weighted(d, tuple(range(10, 1, -1))) * 10 % 11 % 10
    second = _weighted(d, tuple(range(11, 1, -1))) * 10 % 11 % 10
    return (first, second) == (int(d[9]), int(d[10]))


def _cnpj(d: str) -> bool:
    weights = (6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2)
    first = _weighted(d, weights[1:]) % 11
    second = _weighted(d, weights) % 11
    return (0 if first < 2 else 11 - first, 0 if second < 2 else 11 - second) == (int(d[12]), int(d[13]))


def _pesel(d: str) -> bool:
    return (10 - _weighted(d, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3)) % 10) % 10 == int(d[10])


def _ahv(d: str) -> bool:
    return (10 - _weighted(d, (1, 3) * 6) % 10) % 10 == int(d[12])


def _personnummer(d: str) -> bool:
    short = d.replace("+", "")[-10:]
    return luhn(short) and 1 <= int(short[2:4]) <= 12 and 1 <= int(short[4:6]) % 60 <= 31


def _hetu(d: str) -> bool:
    number = int(d[:6] + d[-4:-1])
    return "0123456789ABCDEFHJKLMNPRSTUVWXY"[number % 31] == d[-1]


def _belgian(d: str) -> bool:
    return int(d[9:]) in (97 - int(d[:9]) % 97, 97 - int("2" + d[:9]) % 97)


def _chinese(d: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    return "10X98765432"[_weighted(d, weights) % 11] == d[17]


def _always(_: str) -> bool:
    return True


def _id(what: str, shape: str, check: Callable[[str], bool], near: str = "", *, beside: bool = False) -> NationalId:
    return NationalId(
        what=what,
        shape=re.compile(rf"(?<![\w.-])(?:{shape})(?![\w-]|\.\d)"),
        check=check,
        near=re.compile(near, re.IGNORECASE) if near else None,
        beside=re.compile(rf"(?:{near})\s*+$", re.IGNORECASE) if beside else None,
    )


NATIONAL_IDS: tuple[NationalId, ...] = (
    _id("US social security number", r"\d{3}-\d{2}-\d{4}", _ssn),
    _id("US social security number", r"\d{3} ?\d{2} ?\d{4}", _ssn, r"\bssn\b|social security"),
    _id("German tax id", r"\d{2} ?\d{3} ?\d{3} ?\d{3}", _steuer_id, r"steuer|\bidnr|tax ?id|\btin\b"),
    _id("German social insurance number", r"\d{2} ?\d{6} ?[A-Z] ?\d{3}", _always,
        r"sozialversicherung|rentenversicherung|\bsvnr"),
    _id("UK national insurance number", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d{2} ?\d{2} ?\d{2} ?[A-D]", _nino),
    _id("UK NHS number", r"\d{3} ?\d{3} ?\d{4}", _always, r"\bnhs\b"),
    _id("French social security number",
        r"[12] ?\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\d) ?(?:\d{2}|2[AB]) ?\d{3} ?\d{3} ?\d{2}", _insee),
    _id("Spanish identity number", r"(?:\d{8}|[XYZ]\d{7})-?[A-Z]", _dni),
    _id("Italian tax code", r"[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]", _codice_fiscale),
    _id("Dutch citizen number", r"\d{4} ?\d{2} ?\d{3}|\d{3}[. ]\d{3}[. ]\d{3}", _bsn, r"\bbsn\b|burgerservice|sofi"),
    _id("Aadhaar number", r"[2-9]\d{3}[ -]\d{4}[ -]\d{4}", verhoeff),
    _id("Aadhaar number", r"[2-9]\d{11}", verhoeff, r"aadhaar|adhar|\buid"),
    _id("Indian tax number", r"[A-Z]{3}[ABCFGHLJPT][A-Z]\d{4}[A-Z]", _always, r"\bpan\b|tax"),
    _id("Brazilian CPF", r"\d{3}\.\d{3}\.\d{3}-\d{2}", _cpf),
    _id("Brazilian CPF", r"\d{11}", _cpf, r"\bcpf\b"),
    _id("Brazilian CNPJ", r"\d{2}\.\d{3}\.\d{3}/\d{4}-\d{2}", _cnpj),
    _id("Polish PESEL", r"\d{11}", _pesel, r"pesel"),
    _id("Swiss insurance number", r"756[. ]?\d{4}[. ]?\d{4}[. ]?\d{2}", _ahv),
    _id("Swedish identity number", r"(?:19|20)?\d{6}[-+]\d{4}", _personnummer),
    _id("Finnish identity code", r"[0-3]\d[01]\d{3}[-+A]\d{3}[0-9A-Y]", _hetu),
    _id("Danish CPR number", r"[0-3]\d[01]\d{3}-?\d{4}", _always, r"\bcpr\b|personnummer"),
    _id("Belgian national number", r"\d{2}\.\d{2}\.\d{2}-\d{3}\.\d{2}", _belgian),
    _id("Canadian social insurance number", r"\d{3}[ -]?\d{3}[ -]?\d{3}", luhn, r"\bsin\b|social insurance"),
    _id("Australian tax file number", r"\d{3} ?\d{3} ?\d{3}", _always, r"\btfn\b|tax file"),
    _id("Korean resident number", r"\d{2}(?:0[1-9]|1[0-2])[0-3]\d-[1-8]\d{6}", _always),
    _id("Chinese identity number", r"[1-9]\d{5}(?:19|20)\d{2}(?:0[1-9]|1[0-2])[0-3]\d{4}[0-9Xx]", _chinese),
    _id("Mexican CURP", r"[A-Z][AEIOUX][A-Z]{2}\d{6}[HM][A-Z]{5}[A-Z0-9]\d", _always),
    _id("Portuguese tax number", r"[1-9]\d{2} ?\d{3} ?\d{3}", _always, r"\bnif\b|contribuinte"),
    _id("Japanese individual number", r"\d{4}[ -]?\d{4}[ -]?\d{4}", _always, r"my ?number|マイナンバー|個人番号"),
    _id("passport number", r"(?=(?:[A-Z]{0,8}\d){3})[A-Z0-9]{7,9}", _always,
        r"(?:passport|reisepass|passeport|pasaporte|ausweis|identity card)\w*+(?:\s++(?:has|hat|with|mit))?"
        r"(?:\s++(?:the|die|der))?(?:\s*+(?:no|nr|number|nummer|#))?[.:]?(?:\s*+(?:is|:|=|ist))?", beside=True),
    _id("driving licence number", r"(?=[A-Z0-9-]{0,12}\d{4})[A-Z0-9-]{6,18}", _always,
        r"(?:driv\w+ licen[sc]e|führerschein)\w*+(?:\s*+(?:no|nr|number|nummer|#))?[.:]?\s*+(?:is|:|=|ist)",
        beside=True),
)  # fmt: skip
