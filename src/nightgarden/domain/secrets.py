"""Credentials in a text: by their own shape, by the name they are given to, or by where they stand.

Pure. Does not decide what becomes of the text, and never returns the secret itself, only where it is. Does not find
secrets in pictures or in text split over several messages, and few passwords made of plain words.
"""

from __future__ import annotations

import base64
import binascii
import re
from bisect import bisect_left
from collections.abc import Iterator

from nightgarden.domain.secret_assignments import find_assigned
from nightgarden.domain.secret_patterns import PATTERNS
from nightgarden.domain.secret_plain import find_plain
from nightgarden.domain.secret_spoken import find_spoken
from nightgarden.domain.secret_value import UUID, is_mixed, is_reference, is_stand_in, looks_random
from nightgarden.domain.verdict import Finding, Rule

SECRET = Rule(id="secret", sentence="it holds a password, key or other credential")
UNCHECKED = "text that could not be checked"

# Flat, because this loop runs for every text: 400 searches for a literal take 15 microseconds.
_MARKS = tuple((mark, pattern) for pattern in PATTERNS for mark in pattern.marks or ("",))

_Span = tuple[int, int, str]

_PEM = re.compile(r"-----BEGIN[A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----")
_PEM_END = re.compile(r"-----END[A-Z0-9 ]{0,60}PRIVATE KEY(?: BLOCK)?-----")
_PEM_BODY = re.compile(r"[A-Za-z0-9+/=]{16}")
_PEM_CHARS = 20_000  # longer than any key; bounds the search for its end

_URL = re.compile(
    r"(?<![a-zA-Z0-9])[a-zA-Z][a-zA-Z0-9+.]{1,20}://(?P<user>[^\s/:\"'<>]{0,100}):(?P<value>[^\s/\"'<>@]{2,200})@(?P"
    r"<host>[^\s/\"'<>:?#]*)"
)
_LOCAL = frozenset(
    {"localhost", "127.0.0.1", "db", "postgres", "mysql", "redis", "mongo", "rabbitmq", "host.docker.internal"}
)
_CURL_USER = re.compile(
    r"(?<=\s)(?:-u\s{0,3}|--user[= ]\s{0,3}|--proxy-user[= ]\s{0,3}"
    r"|(?<=OPT_)USERPWD,\s{0,3})[\"']?(?P<user>[^\s\"':]{0,100})[\"']?:[\"']?\{?(?P<value>[^\s\"'}]{3,200})"
)
_USERPWD = re.compile(r"USERPWD,\s{0,3}[\"'](?P<user>[^\s\"':]{0,100}):(?P<value>[^\s\"']{3,200})[\"']")
_IDENTIFIED = re.compile(
    r"(?i:identified\s{1,4}(?:with\s{1,4}\S{1,40}\s{1,4})?(?:by\s{1,4}(?:password\s{1,4})?[\"'`]?"
    r"|as\s{1,4}[\"'`]))(?P<value>[^\s\"'`;\\]{4,100})"
)
_SLASHED = re.compile(
    r"(?i)\b(?:id|user|login)\s?/\s?(?:pass(?:word)?|pw|pwd)\s?[=:]\s?[^\s/]{1,40}/(?P<value>[^\s,;\"')]{5,60})"
)
_SSHPASS = re.compile(r"\bsshpass\s{1,3}-p\s{0,3}[\"']?(?P<value>[^\s\"']{4,100})")
_HEADER = re.compile(
    r"(?i)\b(?:authorization|proxy-authorization|x-api-key|x-auth-token|api-?key"
    r"|token)[\"']?\s{0,3}:\s{0,3}[\"']?(?:[A-Za-z-]{3,20}[ \t]{1,3})?(?P<value>[A-Za-z0-9+/_.~=-]{16,4000})"
)
_QUERY = re.compile(
    r"(?i)[?&](?:key|token|api_?key|access_token|auth|sig|signature|secret|credential|code"
    r"|password)=(?P<value>[^\s&#\"'<>]{12,400})"
)
_ENV_LINE = re.compile(
    r"^(?:export[ \t]+)?(?P<name>[A-Z][A-Z0-9_]{2,60})=(?P<value>[^\s#]{1,400})[ \t]*$", re.MULTILINE
)
_ENV_TELLING = re.compile(
    r"PASS|PWD|SECRET|TOKEN|(?:API|ACCESS|PRIVATE|SIGNING|ENCRYPTION|AUTH|MASTER|APP)_?KEY|CREDENTIAL|DSN"
)
_ATTRIBUTE = re.compile(
    r"(?i)\b(?:key|name|id)\s?=\s?[\"'][\w.:-]{0,40}(?:pass(?:word|wd)?|pwd|secret|token|api[_-]?key"
    r"|credential)\w{0,10}[\"']"
    r"\s{1,4}value\s?=\s?[\"'](?P<value>[^\"'\n]{4,400})[\"']"
)
_KUBERNETES = re.compile(
    r"""^[ \t]*["']?kind["']?[ \t]*:[ \t]*["']?secret["']?[ \t,]*(?:#.*)?$""", re.IGNORECASE | re.MULTILINE
)
_KUBERNETES_VALUE = re.compile(
    r"""^[ \t]+["']?(?!name|namespace|kind|type|apiVersion|uid|resourceVersion)"""
    r"""[\w.-]{1,80}["']?[ \t]*:[ \t]*(?:[|>]-?[ \t]*\n[ \t]+)?"""
    r"""["']?(?P<value>[A-Za-z0-9+/]{8,20000}={0,3})["']?[ \t]*,?[ \t]*(?:#.*)?$""",
    re.MULTILINE,
)
_MNEMONIC = re.compile(
    r"(?i)\b(?:(?:seed|recovery|mnemonic|secret)\s(?:phrase|words)|(?:12|24|twelve|twenty[ -]four)\swords)"
    r"\s?(?:is|are|:|=)\s?[\"']?(?P<value>(?:[a-z]{3,8}\s){11,23}[a-z]{3,8})"
)
_ENTROPIC = re.compile(
    r"(?<![\w/+.=-])[\"']?(?P<name>[A-Za-z_][\w.-]{0,40})[\"']?\s{0,3}(?:=|:=|=>"
    r"|:)\s{0,3}[\"'](?P<value>[A-Za-z0-9+/_=-]{32,200})[\"']"
)
_HARMLESS_NAME = re.compile(
    r"(?i)sha|md5|hash|digest|checksum|integrity|etag|nonce|csrf|xsrf|authenticity|uuid|guid|commit|rev|fingerprint"
    r"|image|icon|data|src|href|^value$"
    r"|url|public|pub|cert|sig|version|id$|ids$|name|class|title|cursor|page|alphabet|charset|chars|key_?str|version"
    r"|test|content|body|text"
)
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_.%-])[A-Za-z0-9+/]{60,20000}={0,2}(?![A-Za-z0-9+/_.%-])")


def lower_same_length(text: str) -> str:
    """Lower case with every character in its place; a few letters become two when lowered, and those stay."""
    low = text.lower()
    return low if len(low) == len(text) else text.translate(_ASCII_LOWER)


_COLOUR = re.compile(r"\x1b\[[0-9;]{0,12}m")  # of terminals; its last letter would hide where a word begins
_ASCII_LOWER = {upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)}


def find_secrets(text: str) -> tuple[Finding, ...]:
    """Where credentials are in a text, in order and without overlaps.

    Never raises: a text that cannot be checked counts as one credential from its beginning to its end.
    """
    try:
        spans = _merged(_spans(text, deeper=True))
    except Exception:  # noqa: BLE001 - this gate fails closed, and one text must not stop the reading of the others
        spans = [(0, len(text), UNCHECKED)]
    return tuple(Finding(rule=SECRET, start=start, end=end, what=what) for start, end, what in spans)


def _spans(text: str, *, deeper: bool) -> Iterator[_Span]:
    if "\x1b" in text:
        text = _COLOUR.sub(lambda match: " " * len(match[0]), text)
    low = lower_same_length(text)
    if "private key" in low:
        yield from _private_keys(text)
    for pattern in dict.fromkeys([pattern for mark, pattern in _MARKS if mark in low]):
        for match in pattern.shape.finditer(text):
            if pattern.accepts(match[0]):
                yield match.start(), match.end(), pattern.what
    yield from _in_place(text, low)
    yield from ((found.start, found.end, found.what) for found in find_assigned(text, low))
    yield from find_spoken(text, low)
    yield from find_plain(text, low)
    if deeper:
        yield from _encoded(text)


def _private_keys(text: str) -> Iterator[_Span]:
    begins = list(_PEM.finditer(text))
    ends = list(_PEM_END.finditer(text))
    starts = [end.start() for end in ends]
    for number, begin in enumerate(begins, start=1):
        following = begins[number].start() if number < len(begins) else len(text)
        # A key reaches to its end mark, or else to the next key; looking no further keeps this linear.
        limit = min(following, begin.end() + _PEM_CHARS)
        place = bisect_left(starts, begin.end())
        closed = place < len(ends) and starts[place] < limit
        stop = starts[place] if closed else limit
        if _PEM_BODY.search(text, begin.end(), stop):
            yield begin.start(), ends[place].end() if closed else stop, "private key"


def _in_place(text: str, low: str) -> Iterator[_Span]:  # noqa: C901 - one place after the other
    """Values that are secret because of where they stand: in an address, a command, a header, a query, an .env file."""
    if "://" in low:
        yield from (_span(match, "password in an address") for match in _URL.finditer(text) if _is_url_password(match))
        yield from (
            _span(match, "key in an address") for match in _QUERY.finditer(text) if _is_query_secret(match["value"])
        )
    if "curl" in low:
        for shape in (_CURL_USER, _USERPWD):
            yield from (_span(match, "password") for match in shape.finditer(text) if _is_chosen(match["value"]))
    for mark, shape in (
        ("identified by", _IDENTIFIED),
        ("identified with", _IDENTIFIED),
        ("/p", _SLASHED),
        ("sshpass", _SSHPASS),
    ):
        if mark in low:
            yield from (_span(match, "password") for match in shape.finditer(text) if _is_chosen(match["value"]))
    if "auth" in low or "token" in low or "key" in low:
        for match in _HEADER.finditer(text):
            if (
                looks_random(match["value"], 16)
                and not is_stand_in(match["value"])
                and not is_reference(match["value"])
            ):
                yield _span(match, "authorization")
    if "value" in low:
        yield from (_span(match, "password") for match in _ATTRIBUTE.finditer(text) if _is_attribute(match))
    if "secret" in low and _KUBERNETES.search(text):
        yield from (_span(m, "Kubernetes secret") for m in _KUBERNETES_VALUE.finditer(text) if _is_encoded(m["value"]))
    if "phrase" in low or "words" in low:
        yield from (_span(match, "recovery phrase") for match in _MNEMONIC.finditer(text))
    if "=" in text:
        yield from _env_lines(text)
    if "=" in text or ":" in text:
        for match in _ENTROPIC.finditer(text):
            if not _HARMLESS_NAME.search(match["name"]) and _is_dense(match["value"]):
                yield _span(match, "key")


def _env_lines(text: str) -> Iterator[_Span]:
    lines = list(_ENV_LINE.finditer(text))
    if len(lines) < 3:
        return
    for line in lines:
        value = line["value"].strip("\"'")
        if _ENV_TELLING.search(line["name"]) and len(value) >= 4 and _is_chosen(value) and not value.isdigit():
            yield _span(line, "environment secret")


def _span(match: re.Match[str], what: str) -> _Span:
    return match.start("value"), match.end("value"), what


def _is_chosen(value: str) -> bool:
    """Whether somebody chose it as a password: not a stand-in, not a name of one."""
    return not is_stand_in(value) and not is_reference(value) and not value.startswith(("$", "<", "{", "%", "[", "\\"))


def _is_attribute(match: re.Match[str]) -> bool:
    value = match["value"]
    public = re.search(r"(?i)csrf|xsrf|authenticity", match[0])
    return public is None and _is_chosen(value) and " " not in value and (is_mixed(value) or looks_random(value, 8))


def _is_encoded(value: str) -> bool:
    """Whether a value of a Kubernetes secret is one: base 64, which plain words of its other fields are not."""
    return not is_stand_in(value) and (value.endswith("=") or (len(value) % 4 == 0 and is_mixed(value)))


def _is_url_password(match: re.Match[str]) -> bool:
    value, user, host = match["value"], match["user"], match["host"]
    if "." not in host and value == user and host.lower() in _LOCAL:
        return False  # the default of a container on one's own machine
    return not is_stand_in(value) and not value.startswith(("$", "<", "{", "[", "*"))


def _is_query_secret(value: str) -> bool:
    if is_stand_in(value) or value.startswith(("$", "{", "<")):
        return False
    digits = sum(character.isdigit() for character in value)
    return looks_random(value, 12) or (len(value) >= 24 and digits >= 20)


def _is_dense(value: str) -> bool:
    """Whether a long value mixes small letters, capitals and digits throughout, as encoded random bytes do."""
    if is_stand_in(value) or UUID.fullmatch(value) or not is_mixed(value):
        return False
    plain = value.rstrip("=")
    kinds = [any(map(test, plain)) for test in (str.islower, str.isupper, str.isdigit)]
    return all(kinds) and len(set(plain)) >= 18 and plain.count("/") <= len(plain) // 8 and looks_random(plain, 32)


def _encoded(text: str) -> Iterator[_Span]:
    """Long base 64 that holds a credential when decoded; one layer only."""
    for match in _BASE64.finditer(text):
        raw = match[0]
        try:
            inner = base64.b64decode(
                raw + "=" * (-len(raw.rstrip("=")) % 4) if not raw.endswith("=") else raw, validate=True
            )
        except (binascii.Error, ValueError):
            continue
        decoded = inner.decode("ascii", "replace")
        if decoded.count("\ufffd") <= len(decoded) // 50 and any(True for _ in _spans(decoded, deeper=False)):
            yield match.start(), match.end(), "encoded credential"


def _merged(spans: Iterator[_Span]) -> list[_Span]:
    """In order; where two overlap, one that covers both, named by the first that was found there."""
    merged: list[_Span] = []
    for start, end, what in sorted(spans, key=lambda span: (span[0], -span[1])):
        if merged and start < merged[-1][1]:
            before = merged[-1]
            merged[-1] = (before[0], max(before[1], end), before[2])
        else:
            merged.append((start, end, what))
    return merged
