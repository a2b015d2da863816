"""Personal identifiers in a text: mail addresses, telephone numbers, payment cards, national ids, bank accounts.

Pure. Knows numbers and addresses, not names, postal addresses or dates of birth. A user may allow chosen kinds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nightgarden.domain.national_ids import NATIONAL_IDS, luhn
from nightgarden.domain.verdict import Finding, Rule

PERSONAL_DATA = Rule(id="personal-data", sentence="it holds a personal identifier such as a mail address or a number")

_Span = tuple[int, int, str]

_MAIL = re.compile(
    r"(?<![\w.+%@/:=-])(?P<local>[\w.+%-]{1,64})@(?P<domain>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}"
    r"(?P<top>[A-Za-z]{2,24}))(?![\w-]|\.\w)(?P<then>:[\w~/]\S*)?"
)
_MAIL_LABELLED = re.compile(
    r"(?<=[:=/])(?P<local>[\w.+%-]{1,64})@(?P<domain>(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}(?P<top"
    r">[A-Za-z]{2,24}))(?![\w-]|\.\w)(?P<then>:[\w~/]\S*)?"
)
# Addresses of nobody: reserved names (RFC 2606 and 6761), senders that cannot be answered, offices rather than people.
_NOBODY_DOMAIN = re.compile(
    r"(?:^|\.)(?:example\.(?:com|org|net|edu)|example|test|invalid|localhost|local|internal|domain\.(?:com|tld)"
    r"|email\.com|yourdomain\.com|your-?company\.com|company\.tld|users\.noreply\.github\.com"
    r"|iam\.gserviceaccount\.com|appspot\.gserviceaccount\.com)$",
    re.IGNORECASE,
)
_NOBODY_LOCAL = re.compile(
    r"^(?:git|hg|svn|no-?_?reply\w*|do-?not-?reply|mailer-daemon|postmaster|hostmaster|webmaster|abuse|security"
    r"|support|info|help|hello|contact|sales|admin|root|noc|billing|privacy|legal|press|jobs|careers|team|office"
    r"|service|feedback|newsletter|notifications?|alerts?|ci|bot|actions|dependabot.*|github-actions.*|renovate.*"
    r"|your\.?_?(?:name|email|mail)|someone|user(?:name)?|foo|bar|name|me|you|email)$|\[bot\]",
    re.IGNORECASE,
)
_FILE_ENDINGS = frozenset(
    "png jpg jpeg gif svg webp ico pdf css js ts tsx jsx json yml yaml toml txt html py rb go java cpp"
    " service target timer socket mount path slice scope so dll exe zip gz tar lock wasm map".split()
)
_REMOTE = re.compile(
    r"(?:\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|remote|git clone|clone|host|login to|log in to)\b[^\n]{0,60}|://)\Z",
    re.IGNORECASE,
)

_PHONE_WORDS = (
    r"(?:tel(?:efon|ephone|éphone|efono|éfono)?|phone|mobile|mobil|cell(?:phone)?|handy|fax|whatsapp|call|ring|text"
    r"|sms|reach|rufnummer|nummer|portable|móvil|celular|telefoon|電話|电话|전화)"
)
_PHONE_INTERNATIONAL = re.compile(
    r"(?<![\w+.=/-])(?<!\d )(?:\+|00(?=[1-9]))(?:[ ./-]?\(?\d{1,4}\)?){2,7}(?![\w%]|[.,:]\d)"
)
_PHONE_AMERICAN = re.compile(
    r"(?<![\w.+/=-])(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}(?P<sep>[-.]))[2-9]\d{2}(?(sep)(?P=sep)|[-."
    r" ])\d{4}(?![\w-]|\.\d)"
)
_PHONE_SPACED = re.compile(
    r"(?<![\w.+/=-])(?:0[1-9](?:[ .]\d{2}){4}|07\d{3} \d{6}|0\d{2,4} \d{3,4} \d{4})(?![\w-]|\.\d| \d)"
)
_PHONE_NAMED = re.compile(
    rf"(?i:\b{_PHONE_WORDS}\b[ \t]*(?:(?:no|nr|number|me|him|her|us|them|at|on|is|ist|:|=|\.|#|nummer|my|his|their)["
    rf" \t:.]*){{0,4}})(?P<value>\(?0?\d[\d ()./-]{{5,18}}\d)(?![\w%]|[.,:]\d)"
)

_CARD = re.compile(r"(?<![\w.+=/-])\d(?:[ -]?\d){12,18}(?![\w-]|\.\d)")
_CARD_PREFIX = re.compile(
    r"(?:4\d{15}|4\d{18}|4\d{12}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}"
    r"|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12}|35(?:2[89]|[3-8]\d)\d{12}|62\d{14,17}|5[06-9]\d{14}"
    r"|6[37]\d{14})\Z"
)
# Published by payment providers for trying out checkouts; they belong to nobody.
_TEST_CARDS = frozenset(
    """4242424242424242 4111111111111111 4012888888881881 4000056655665556 4000000000000002 4000000000009995
    4000002500003155 4000002760003184 4000000000003220 5555555555554444 5200828282828210 5105105105105100
    2223003122003222 378282246310005 371449635398431 6011111111111117 6011000990139424 3056930009020004
    36227206271667 3566002020360505 6200000000000005""".split()
)
_IBAN = re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ ]?[A-Z0-9]{4}){2,7}(?:[ ]?[A-Z0-9]{1,4})?(?![A-Za-z0-9])")
# Lengths by country from the registry of IBAN formats; a country that is not listed is held to 15 to 34.
_IBAN_LENGTH = {
    "AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "CH": 21,
    "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DK": 18, "DO": 28, "EE": 20, "ES": 24, "FI": 18, "FO": 18, "FR": 27,
    "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "HR": 21, "HU": 28, "IE": 22, "IL": 23, "IS": 26, "IT": 27,
    "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LI": 21, "LT": 20, "LU": 20, "LV": 21, "MC": 27, "MD": 24, "ME": 22,
    "MK": 19, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PT": 25, "QA": 29, "RO": 24, "RS": 22,
    "SA": 24, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "TN": 24, "TR": 26, "UA": 29, "XK": 20,
}  # fmt: skip


def find_personal(text: str, allowed_kinds: frozenset[str] = frozenset()) -> tuple[Finding, ...]:
    """Where identifiers of people are in a text, but for the kinds that are allowed; in order, without overlaps."""
    found: list[_Span] = []
    digits = sum(map(text.count, "0123456789")) >= 6
    # The surest first: a card number holds what could be a telephone number.
    if "@" in text and "mail" not in allowed_kinds:
        found += _mails(text)
    if digits:
        taken = [*_ibans(text), *_cards(text), *_national_ids(text)]
        found += [
            span for span in taken if span[2] not in ("IBAN", "payment card") and "national_id" not in allowed_kinds
        ]
        found += [span for span in taken if span[2] == "IBAN" and "iban" not in allowed_kinds]
        found += [span for span in taken if span[2] == "payment card" and "card" not in allowed_kinds]
        if "phone" not in allowed_kinds:
            found += [
                span for span in _phones(text) if not any(span[0] < end and start < span[1] for start, end, _ in taken)
            ]
    spans: list[_Span] = []
    for span in sorted(found, key=lambda span: (span[0], -span[1])):
        if not spans or span[0] >= spans[-1][1]:
            spans.append(span)
    return tuple(Finding(rule=PERSONAL_DATA, start=start, end=end, what=what) for start, end, what in spans)


def _mails(text: str) -> Iterator[_Span]:
    for shape in (_MAIL, _MAIL_LABELLED):
        for match in shape.finditer(text):
            if match["top"].lower() in _FILE_ENDINGS or match["then"] or _NOBODY_DOMAIN.search(match["domain"]):
                continue
            if _NOBODY_LOCAL.search(match["local"]) or _REMOTE.search(text[max(0, match.start() - 80) : match.start()]):
                continue
            yield match.start(), match.end("domain"), "mail address"


def _phones(text: str) -> Iterator[_Span]:
    for shape in (_PHONE_INTERNATIONAL, _PHONE_AMERICAN, _PHONE_SPACED, _PHONE_NAMED):
        for match in shape.finditer(text):
            group = "value" if shape is _PHONE_NAMED else 0
            number = match[group]
            count = sum(character.isdigit() for character in number)
            plausible = 9 <= count <= 15 if shape is not _PHONE_NAMED else 7 <= count <= 15
            if plausible and len(set(filter(str.isdigit, number))) >= 3 and not _DATE.search(number):
                yield match.start(group), match.end(group), "telephone number"


_DATE = re.compile(r"(?:19|20)\d{2}[-./ ](?:0?[1-9]|1[0-2])[-./ ][0-3]?\d|[0-3]?\d[-./][01]?\d[-./](?:19|20)\d{2}")


def _cards(text: str) -> Iterator[_Span]:
    for match in _CARD.finditer(text):
        digits = re.sub(r"[ -]", "", match[0])
        if _CARD_PREFIX.match(digits) and luhn(digits) and len(set(digits)) >= 2 and digits not in _TEST_CARDS:
            yield match.start(), match.end(), "payment card"


def test_cards(text: str) -> list[tuple[int, int]]:
    """Where numbers stand that payment providers publish for trying out checkouts. They are nobody's and no secret."""
    return [match.span() for match in _CARD.finditer(text) if re.sub(r"[ -]", "", match[0]) in _TEST_CARDS]


def _ibans(text: str) -> Iterator[_Span]:
    for match in _IBAN.finditer(text):
        # A following word in capitals may have been taken along: the country says how long the number is.
        compact = match[0].replace(" ", "")
        length = _IBAN_LENGTH.get(compact[:2], len(compact))
        if len(compact) < length:
            continue
        end, seen = match.start(), 0
        while seen < length:
            seen += text[end] != " "
            end += 1
        number = compact[:length]
        digits = "".join(str(int(character, 36)) for character in number[4:] + number[:4])
        if int(digits) % 97 == 1:
            yield match.start(), end, "IBAN"


def _national_ids(text: str) -> Iterator[_Span]:
    for kind in NATIONAL_IDS:
        if kind.near is None or kind.near.search(text):
            yield from (
                (match.start(), match.end(), kind.what)
                for match in kind.shape.finditer(text)
                if kind.holds(text, match)
            )
