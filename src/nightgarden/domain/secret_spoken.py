"""Passwords and PINs as they are told in a sentence of languages that join name and value in ways of their own.

Exact or nothing: a password is found only if letters of the Latin alphabet, digits and signs are mixed in it, a PIN or
the code of a lock only if it has the digits of one and is said to be it. A password made of plain words is not seen
here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from nightgarden.domain.secret_value import is_mixed, is_stand_in

_VALUE = r"[\"'«„“”「『`]?(?P<value>[\x21-\x26\x28-\x7e]{5,100})"
_OF = r"(?:[ \t]+(?!(?:is|это|to|je|är|là)[ \t])[\w.@/-]{1,40}){0,4}"
_JOINED = re.compile(
    r"(?:密码|密碼|口令|パスワード|暗証番号|비밀번호|비번)[ \t]*(?:是|为|為|就是|は|가|는|은|이|:|：|=|＝)[ \t]*"
    + _VALUE
)
_NAMED = re.compile(
    r"(?:парол(?:ь|я|ем)|mật khẩu|kata sandi|lösenord(?:et)?|heslo|jelsz[óo]|lozinka|geslo|adgangskoden?|passord(?:et)?"
    r"|şifre(?:si|miz|m)?|סיסמ[הא]|كلمة (?:المرور|السر)|पासवर्ड|salasana|parola)" + _OF + r"[ \t]*(?::|=|—|–|-|"
    r"[ \t](?:это|är|je|là|er|on|este|adalah|הוא|היא|هي|هو)[ \t])[ \t]*" + _VALUE,
    re.IGNORECASE,
)
_BEHIND = re.compile(r"(?:şifre(?:si|miz|m)?|पासवर्ड)[ \t]+" + _VALUE, re.IGNORECASE)
_PIN = re.compile(
    r"(?<![\w-])(?:pin|puk|пин|пін)(?P<code>[ -]?(?:code|код|kod|cod|码|碼|コード|번호)\w{0,3})?"
    r"(?:[ \t]+(?:of|for|der|des|von|vom|für|del|de|do|da|du|от|карты|до|к|к[ао]рт\w{1,3}|the|my"
    r"|meiner|la|le|banca|card|karte|sim|bank)){0,4}"
    r"[ \t]*(?:[ \t](?:is|was|ist|lautet|est|es|é|è|to|jest|это)[ \t]|:|：|=|—|–|是|为|は"
    r"|(?P<bare>[ \t])(?=\d{4}(?!\d)))[ \t]*"
    r"(?P<value>\d{4,8})(?![\w.:/-]*\d)",
    re.IGNORECASE,
)
_PIN_JOINED = re.compile(
    r"(?:PIN|Pin|暗証)(?:码|碼|番号|コード|번호)?(?:是|为|為|は|는|은|:|：)[ \t]*(?P<value>\d{4,8})(?!\d)"
)
_LOCKS = (
    r"(?:alarm|door|gate|safe|vault|padlock|lock|entry|building|garage|locker|lockbox|key ?box|front door|house"
    r"|tür|haustür|tor|tresor|schlüsseltresor|schloss|garagen|eingangs|zugangs"
    r"|coffre(?:-fort)?|alarme|porte|portail|immeuble|cadenas|garage|entrée|portillon"
    r"|alarma|puerta|caja fuerte|portal|garaje|candado|portón|allarme|porta|cassaforte|cofre|portão)"
)
_CODES = r"(?:code|combination|combinaison|código|clave|codice)"
_FOR = r"(?:for|of|to|für|zum|zur|vom|von|du|de|del|della|da|do)(?: (?:the|our|my|den|die|das|unser\w*|la|le|el|il))?"
_LOCK_CODE = re.compile(
    rf"(?<!\w)(?:{_LOCKS}(?:'s)?[ -]?(?:code|combination|combo|zahl)|{_CODES} {_FOR} (?:l['’])?{_LOCKS}|digicode)(?!\w)"
    r"[^\d.;:=!?\n]{0,40}?(?::|=|[ \t](?:is|was|ist|lautet|est|es|è|é)(?=[ \t]))[ \t]*"
    r"(?P<value>\d(?:[ -]?\d){3,9}[#*A-F]?)(?!\w|[.,:/]\d| (?:digits?|means?|stellig|chiffres|cifras))",
    re.IGNORECASE,
)
_PIN_DIGITS = 5  # of one that is called a code: six digits are a postal code in some countries
_MARKS = (
    ((*"码碼口", "パス", "暗証", "비"), _JOINED, "password"),
    (
        (
            *("пар", "mật", "sandi", "lös", "heslo", "jelsz", "lozinka", "geslo", "adgang", "passord", "şifre"),
            *("סיסמ", "كلمة", "पास", "salasana", "parola"),
        ),
        _NAMED,
        "password",
    ),
    (("şifre", "पास"), _BEHIND, "password"),
)


def find_spoken(text: str, low: str) -> Iterator[tuple[int, int, str]]:
    """Where they stand, and what they are. `low` is `text` in lower case, of the same length."""
    for marks, shape, what in _MARKS:
        if any(mark in low for mark in marks):
            for match in shape.finditer(text):
                value = match["value"].rstrip(".,;:!?)\"'") if not is_mixed(match["value"]) else match["value"]
                if is_mixed(value) and len(value) >= 6 and not is_stand_in(value):
                    yield match.start("value"), match.start("value") + len(value), what
    if "cod" in low or "cód" in low or "comb" in low or "clave" in low:
        yield from ((match.start("value"), match.end("value"), "door code") for match in _LOCK_CODE.finditer(text))
    if "pin" in low or "puk" in low or "пин" in low or "пін" in low or "暗証" in low:
        yield from ((match.start("value"), match.end("value"), "PIN") for match in _PIN_JOINED.finditer(text))
        for match in _PIN.finditer(text):
            called = bool(match["code"]) or match[0][:3] in ("PIN", "PUK", "ПИН")  # and not the verb
            if (len(match["value"]) <= _PIN_DIGITS or not match["code"]) and (called or not match["bare"]):
                yield match.start("value"), match.end("value"), "PIN"
