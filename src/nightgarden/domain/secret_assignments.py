"""Secrets that are known by the name they are given to: assignments, flags, headers, tags, and plain statements.

Knows the ways of many languages to write "this name has this value". Does not find a secret that is spoken of without
a name next to it, nor a password made of plain words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nightgarden.domain.secret_names import SecretKind, kind_of, tellings
from nightgarden.domain.secret_value import UUID, is_hollow, is_mixed, is_reference, is_stand_in, looks_random


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned:
    """A value under a telling name: `text[start:end]`."""

    what: str
    start: int
    end: int


_NAME_CHARS = 48  # names are shorter; bounds the work at each hit
_BEFORE = re.compile(r"(?<![\w.$\-])[\w.$\-]*+\Z")
_AFTER = re.compile(r"[\w.\-]{0,48}")
_WORDS_BEFORE = re.compile(r"(?:(?<![A-Za-z])[A-Za-z]++[ _-])?\Z")

# What may stand between a name and its value. Order matters: the longer first.
_LINK = re.compile(
    r"""(?P<close>(?:\\{0,4}["'`\])}]|&quot;){0,3})
    (?:\s?\([^()\n]{0,24}\))?
    (?:
        (?P<is>(?:[ \t]+(?:for|of|on|für|fuer|von|vom|zum|zur|des|der|im|am|pour|du|de|para|del|do|da|voor|van|od)
            (?:[ \t]+[\w.@-]{1,40}){1,3}?)?
            [ \t]+(?:is|was|are|ist|lautet|heißt|heisst|est|es|é|è|jest|wäre|to)
            (?:[ \t]+(?:always|still|now|currently|again|just|only|simply|immer|noch|jetzt|nun|weiterhin|wieder|toujours
            |maintenant|encore|désormais|siempre|ahora|todavía|sempre|ora|agora|ainda|altijd|nog|nu))?[ \t]*:?[ \t]+)
      | (?:[ \t]+(?:for|of|für|pour|para)[ \t]+[\w.@-]{1,40})?
      (?:
        (?P<typed>[ \t]*:[ \t]*[A-Za-z_.<>\[\]?]{1,30}\d{0,2}[ \t]*={1,2}[ \t]*)
      | (?P<op>,?(?:default)?[ \t]*(?::=|=>|->|[!=]==?|<-|=|:|：|＝|%3[dDaA])>?[ \t]*
            (?:\r?\n[ \t]*(?=["'|>A-Za-z0-9+/]{12}))?)
      | (?P<tag>[ \t]*>(?!@[\w.-]{1,80}(?::\d|/|\s|$))[ \t\r\n]*)
      | (?P<comma>[ \t]*,[ \t]*(?=["'`\\]))
      | (?P<space>(?:\\t|[ \t])+
            (?:(?:with|by|as|-String|-AsPlainText|-Force|mysql_native_password|BY)[ \t]+){0,3}(?=\S))
      | (?P<paren>\([ \t]*(?=["'`\\]))
      )
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_QUOTE = re.compile(r"(?:[bBuUrRfFL@]{1,2})?(?P<quote>\\{0,4}(?:\"{3}|'{3}|[\"'`])|&quot;|%22)")
_BARE = re.compile(r"[^\s\"'`<>,;|\\]{3,400}")
_QUOTED = re.compile(r"[^\"'`\r\n\\<>]{3,4000}")
_QUOTED_ESCAPED = re.compile(r"(?:[^\"'`\r\n\\<>]|\\[xu0-9]){3,4000}")
_BYTES = re.compile(
    r"(?:new\s+)?(?:\w*\[\d*\])?(?:byte\w*)?[ \t]*[({\[]\s*(?:0x[0-9a-fA-F]{1,2}"
    r"|0?\d{1,3})(?:\s*,\s*(?:0x[0-9a-fA-F]{1,2}|0?\d{1,3})){7,}"
)
_CALL = re.compile(r"[\w.:>\-]{1,60}[(\[]\s*\\?(?=[\"'`])")
_OTHERWISE = re.compile(r"[^\n]{0,100}?(?:\bor\b|\|\||\?\?|\?:|,|:-)\s*[\"']?(?P<value>[^\s\"'`{}()]{4,200})[\"'})]")
_AUTH_SCHEME = re.compile(
    r"(?:(?:bearer|basic|token|digest|apikey|api-token|api-key|key|ntlm|negotiate|oauth|splunk|bot|jwt"
    r"|aws4-hmac-sha256)[ \t:]+)",
    re.I,
)
_FLAG = re.compile(r"(?:^|[\s\"'=,\[(])(?:--?|/)[\w-]*\Z")
_DIRECTIVE = re.compile(
    r"(?i:(?:#|%|\b)(?:define|global|set|export|setx|let|const|var|password|identified|password_hash|machine"
    r"|login)\b[^\n]{0,40}|alter [^\n]{0,60}|create [^\n]{0,80}|[A-Z]OPT_\w{0,24})\Z"
)
_PLAIN_WORD = re.compile(r"[a-z]++(?:[\s.,;:!?)]|\Z)")
_UNITS = re.compile(
    r"(?:\d++(?:[.,]\d*+)?(?:[smhdx%kKMGT]|ms|min|hrs?|days?|chars?|bits?|bytes?|[KMG]i?B|st|nd|rd|th|px|k)?"
    r"|v?\d++(?:\.\d++)++\w*+|\d++[/-]\d\w*+)\Z"
)
_TIMES = re.compile(r"\d{1,4}[-/:.]\d{1,2}(?:[-/:.]\d{1,4})?(?:T[\d:.]+Z?)?\Z")


def find_assigned(text: str, low: str) -> Iterator[Assigned]:
    """Every value that stands under a telling name. `low` is `text` in lower case, of the same length."""
    reached = 0
    for start, end in tellings(low):
        if start < reached:
            continue
        found = _at(text, start, end)
        if found is not None:
            reached = found.end
            yield found


def _at(text: str, start: int, end: int) -> Assigned | None:
    after = _AFTER.match(text, end)
    tail = after[0] if after else ""
    # A trailing dot or dash belongs to the sentence or the arrow, not to the name.
    tail = tail.rstrip(".-")
    link = _LINK.match(text, end + len(tail))
    if link is None:
        return None
    if link["space"] is not None and _PLAIN_WORD.match(text, link.end()):
        return None  # prose: most hits end here, before anything costly
    left = text[max(0, start - _NAME_CHARS) : start]
    match = _BEFORE.search(left)
    before = match[0] if match else ""
    if not before:
        spoken = _WORDS_BEFORE.search(left)
        before = spoken[0] if spoken else ""
    kind = kind_of(before, text[start:end], tail)
    if kind is None:
        return None
    style = link.lastgroup or ""
    if style == "close":
        style = next(name for name in ("typed", "op", "is", "tag", "comma", "space", "paren") if link[name] is not None)
    core = text[start:end].lower()
    span = _value(text, link.end(), kind, style, left, core)
    if span is None:
        return None
    return Assigned(what=_LABELS[kind], start=span[0], end=span[1])


_LABELS = {
    SecretKind.PASSWORD: "password",
    SecretKind.SECRET: "secret",
    SecretKind.API_KEY: "API key",
    SecretKind.KEY: "key",
    SecretKind.SERVICE: "service key",
}


def _value(text: str, at: int, kind: SecretKind, style: str, left: str, core: str) -> tuple[int, int] | None:  # noqa: C901 - one guard after the other
    if kind is not SecretKind.SERVICE and style in ("op", "typed", "space"):
        array = _BYTES.match(text, at)
        if array is not None:
            return array.start(), array.end()
    scheme = _AUTH_SCHEME.match(text, at) if kind is not SecretKind.PASSWORD else None
    if scheme is not None:
        at, style = scheme.end(), "op"
    call = _CALL.match(text, at)
    inner = call.end() if call is not None else at
    quote = _QUOTE.match(text, inner)
    if quote is not None:
        return _quoted(text, quote, kind, style, called=call is not None)
    if style in ("comma", "paren"):
        return None
    bare = _BARE.match(text, at)
    if bare is None:
        return None
    value, start = bare[0], bare.start()
    if value.endswith(("...", "…")):
        return None  # cut short: what is left opens nothing
    if "&" in value:
        value = value.split("&", 1)[0]
    value = _trim(value)
    if is_reference(value) or is_stand_in(value) or value.startswith(("$", "{", "%", "`")):
        fallback = _OTHERWISE.match(text, start)
        if (
            fallback is not None
            and style in ("op", "typed")
            and _is_secret(fallback["value"], kind, quoted=True, code=True)
        ):
            return fallback.start("value"), fallback.end("value")
        return None
    code = style in ("op", "typed", "tag")
    if style == "space":
        # Without a sign between name and value, only a flag or a directive makes it one.
        flag = core == "securestring" or _FLAG.search(left) is not None or _DIRECTIVE.search(left) is not None
        if not flag and not (
            kind is SecretKind.SECRET and len(value) >= 16 and looks_random(value, 16) and not UUID.fullmatch(value)
        ):
            return None
        if flag and kind is SecretKind.PASSWORD and not is_mixed(value):
            return None
    if core in ("pass", "pw", "auth", "bearer") and not (is_mixed(value) and len(value) >= 6):
        return None
    if _is_secret(value, kind, quoted=False, code=code):
        return start, start + len(value)
    return None


def _quoted(text: str, quote: re.Match[str], kind: SecretKind, style: str, *, called: bool) -> tuple[int, int] | None:
    inside = _QUOTED.match(text, quote.end())
    if inside is None or (inside.end() < len(text) and text[inside.end()] == "\\"):
        inside = _QUOTED_ESCAPED.match(text, quote.end()) or inside
    if called:
        rest = _OTHERWISE.match(text, inside.end() if inside is not None else quote.end())
        if rest is not None and _is_secret(rest["value"], kind, quoted=True, code=True):
            return rest.start("value"), rest.end("value")
    if inside is None:
        return None
    start, value = inside.start(), inside[0]
    scheme = _AUTH_SCHEME.match(value) if kind is not SecretKind.PASSWORD else None
    if scheme is not None:
        start, value = start + scheme.end(), value[scheme.end() :]
    if "&" in value and quote["quote"] == "&quot;":
        value = value.split("&quot;", 1)[0]
    if called and not looks_random(value, 16):
        return None
    if is_reference(value) or is_stand_in(value):
        return None
    return (start, start + len(value)) if _is_secret(value, kind, quoted=True, code=style != "is") else None


def _trim(value: str) -> str:
    """Without the punctuation that closes the sentence or the bracket around it."""
    value = value.rstrip(".:?")
    while (
        value and value[-1] in ")]}" and value.count(value[-1]) > value.count({")": "(", "]": "[", "}": "{"}[value[-1]])
    ):
        value = value[:-1].rstrip(".")
    return value


def _is_secret(value: str, kind: SecretKind, *, quoted: bool, code: bool) -> bool:
    """Whether a value is a secret, given what its name promises and how it was written."""
    value = value.strip()
    if is_stand_in(value) or is_reference(value):
        return False
    match kind:
        case SecretKind.PASSWORD:
            return _is_password(value, quoted=quoted, code=code)
        case SecretKind.SECRET:
            return (
                len(value) >= 8
                and " " not in value
                and (looks_random(value, 8) or (quoted and _is_leet(value)) or _is_long_number(value, quoted))
            )
        case SecretKind.API_KEY:
            return " " not in value and (looks_random(value, 10) or _is_long_number(value, quoted))
        case SecretKind.KEY:
            return len(value) >= 12 and " " not in value and looks_random(value, 12) and not UUID.fullmatch(value)
        case SecretKind.SERVICE:
            return (
                20 <= len(value) <= 100
                and code
                and " " not in value
                and looks_random(value, 20)
                and not is_hollow(value, 0.4)
            )


def _is_long_number(value: str, quoted: bool) -> bool:
    """Digits alone, longer than a count or a time: the ids that some providers hand out as keys."""
    return quoted and value.isdigit() and 15 <= len(value) <= 64


def _is_leet(value: str) -> bool:
    """A word with a digit inside, as in pa5sword; word and number, as in sha256 or item-3, is not one."""
    return (
        re.search(r"[A-Za-z][0-9]+[A-Za-z]", value) is not None
        and "-" not in value
        and "." not in value
        and "/" not in value
    )


def _is_password(value: str, *, quoted: bool, code: bool) -> bool:
    if len(value) < (4 if quoted else 5) or " " in value or len(value) > 400:
        return False
    if _UNITS.match(value) or _TIMES.match(value) or UUID.fullmatch(value):
        return UUID.fullmatch(value) is not None or (value.isdigit() and len(value) >= 8 and code)
    if is_mixed(value):
        return code or quoted or len(value) >= 6
    if quoted and code:
        # One quoted word of letters: refused unless it is written like a name or a sentence's word.
        return value.isalpha() and value.isascii() and len(value) >= 5 and value.islower()
    return False
