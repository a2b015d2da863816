"""Whether a string could be a real secret, judged by itself: random, a stand-in, or a reference to one kept elsewhere.

Knows letters and shapes only. Does not know where the string stood or what it was assigned to, and cannot tell a
secret made of plain words from plain words.
"""

from __future__ import annotations

import re
from itertools import pairwise

# Pairs of letters that follow each other in words: the commonest 95 % in the texts and names of a large code base,
# and those usual in other European languages. A random pair is among them four times in ten, one of a word nine in ten.
_FOLLOWERS = {
    "a": "bcdfgiklmnprstuvwy", "b": "aeijloruy", "c": "aehiklortu", "d": "adeilorsu", "e": "acdefgilmnpqrstuvwxy",
    "f": "aefilortu", "g": "aehilnorsu", "h": "aeiorty", "i": "abcdefglmnoprstvz", "j": "aeou", "k": "aeinos",
    "l": "adefikloprstuvy", "m": "abeimnopsuy", "n": "acdefgiklnostuvz", "o": "abcdfgiklmnoprstuvwy",
    "p": "aehiloprstuy", "q": "u", "r": "abcdefgiklmnoprstuvy", "s": "acehiklmnopstuwy", "t": "acdefhiloprstuwyz",
    "u": "abcdefgilmnprst", "v": "aeio", "w": "aehiors", "x": "aceipt", "y": "aelopst", "z": "aeiou",
}  # fmt: skip
_PAIRS = frozenset(first + second for first, seconds in _FOLLOWERS.items() for second in seconds)

_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]+|[0-9]+")
_SEGMENT = re.compile(r"[^\W_]+")
_HEX = re.compile(r"[0-9a-f]+|[0-9A-F]+")
UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_LICENCE = re.compile(r"[A-Z0-9]{4,6}(?:-[A-Z0-9]{4,6}){3,7}")

# Words that stand where a secret would stand. Compared without case and without anything but letters and digits.
_STAND_INS = frozenset(
    """password passwd passwort passphrase passcode pass pwd pw secret token key apikey accesskey secretkey privatekey
    accesstoken authtoken bearer bearertoken jwt changeme changeit changethis example sample dummy placeholder redacted
    hidden masked none null nil undefined true false yes no on off empty blank todo tbd fixme unknown default unset foo
    bar baz foobar string str text int integer bool boolean number any object bytes varchar value user username login
    email admin root guest anonymous localhost host hostname name required optional missing invalid incorrect expired
    valid enabled disabled encrypted hashed secretkeybase here xxx yyy zzz abc abcd test testing basic digest oauth2
    oauth saml ldap kerberos ntlm 1password lastpass bitwarden keepass keychain vault auto prompt ask stdin env
    environment config input the and for not see use set get is was are must should will can may with from your my our
    usr pass1 base64 bcrypt argon2 argon2id scrypt pbkdf2 sha1 sha256 sha512 md5 hs256 rs256 es256 ed25519 rsa2048
    rsa4096 x509 utf8 utf16 oauth1 oidc k8s mysql postgres redis mongodb""".split()
)
_STAND_IN_PARTS = re.compile(
    r"(?<![a-z])(?:your|my|some|the|this|enter|insert|replace|put|paste|add|put)[\W_]?(?:own[\W_]?|actual[\W_]?"
    r"|real[\W_]?)?"
    r"(?:pass|secret|token|key|api|access|auth|cred|value|client|bot|github|aws|openai|username|super|app|db|new"
    r"|strong)"
    r"|change[\W_]?(?:me|this|it)|placeholder|redacted|(?<![a-z])(?:example|dummy|sample|fake)(?![a-z])|goes[\W_]?here"
    r"|[\W_]here$|^x+[\W_]"
)
_FILLER = re.compile(r"[xX]{4,}|\*{3,}|#{3,}|\.{3,}|…|•{3,}|_{5,}|~{5,}|\?{3,}")
_TEMPLATE = re.compile(
    r"^<.*|^\[[A-Za-z_ :]+\]?$|^\[redacted|\$\{|\{\{|\$\(|^%\(|^\{[A-Za-z_][\w.\- ]*\}$|^%[A-Za-z_]\w*%$"
    r"|^\$[A-Za-z_]\w*$|^\$\d$|^%[sdvq]$|^@[A-Za-z_]\w*$|^#\{|^`|^\$env:|^!(?:vault|secret|ref|sub|env)|<[a-zA-Z_ -]+>"
)
_NAME = r"[A-Za-z_$][A-Za-z0-9_$]*"
_REFERENCE = re.compile(
    rf"(?:{_NAME}(?:\.|::|->|\?\.))+{_NAME}(?:[(\[].*)?$|{_NAME}(?:\.{_NAME})*[(\[].*|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$"
    r"|(?:https?|file|op|vault|ssm|s3|gs|arn|env|secret|keyring|keychain|ref|projects|azurekv|sops|awssm|gcpsm):\S*"
    r"|(?:\.{0,2}|~|[A-Za-z]:)[/\\](?:[\w.@+-]+[/\\])*[\w.@+-]*\.?[A-Za-z]*$"
)
_FILE = re.compile(r"[\w./\\~-]+\.(?:[a-z]{2,4}|p12|json5?|yaml|properties|keystore|jks)$")


def wordlike(run: str) -> bool:
    """Whether a run of letters reads like a word: most of its pairs are pairs of words."""
    low = run.lower()
    pairs = len(low) - 1
    if pairs < 2:
        return False
    return sum(low[i : i + 2] in _PAIRS for i in range(pairs)) >= 0.72 * pairs


def _sequential_share(value: str) -> float:
    """How much of a value counts upwards in runs of four or more, as keys typed by hand do: abcd, 1234."""
    counted = run = 1
    total = 0
    for before, after in pairwise(value):
        if ord(after) == ord(before) + 1 or (before == "9" and after == "0"):
            run += 1
        else:
            total += run if run >= 4 else 0
            run = counted
    total += run if run >= 4 else 0
    return total / len(value) if value else 0.0


def is_hollow(value: str, sequential_max: float = 0.7) -> bool:
    """Whether nothing is in it: one character repeated, filler, or the alphabet typed out."""
    if not value or _FILLER.search(value):
        return True
    plain = value.strip("=-_. ")
    if len(plain) >= 8 and len(set(plain.lower())) <= 4:
        return True
    return len(plain) >= 8 and not UUID.fullmatch(plain) and _sequential_share(plain) > sequential_max


def is_stand_in(value: str) -> bool:
    """Whether a value only marks where a secret would go: a template, a variable, `changeme`, `<your-key>`, `xxxx`."""
    if _TEMPLATE.search(value) or is_hollow(value, 0.6):
        return True
    low = value.lower()
    plain = "".join(character for character in low if character.isalnum())
    if not plain or plain in _STAND_INS or plain.rstrip("0123456789") in ("", "password", "secret", "test", "example"):
        # Digits alone may be a real password; "password123" is what documentation writes.
        return not (plain.isdigit() and len(plain) >= 6)
    return _STAND_IN_PARTS.search(low) is not None


def is_reference(value: str) -> bool:
    """Whether a value names where a secret is kept: an expression, an environment variable, an address, a path."""
    if _REFERENCE.match(value) is None:
        return _FILE.match(value) is not None and not looks_random(value)
    return _chaos(value)[0] < 5 or value.startswith(("http://", "https://", "arn:"))


def _chaos(value: str) -> tuple[int, float]:
    """How often a value changes its kind of character against the habit of words, and the share of it in words."""
    breaks = word_chars = chars = 0
    for segment in _SEGMENT.finditer(value):
        was_digit: bool | None = None
        for piece in _PIECE.finditer(segment[0]):
            run = piece[0]
            digit = run[0].isdigit()
            chars += len(run)
            if was_digit is not None and digit is not was_digit:
                breaks += 1
            if not digit:
                if len(run) >= 3 and wordlike(run):
                    word_chars += len(run)
                else:
                    breaks += 1
            was_digit = digit
    return breaks, (word_chars / chars if chars else 0.0)


def looks_random(value: str, length_min: int = 8) -> bool:
    """Whether a machine seems to have drawn it: hexadecimal, a UUID, a licence key, letters and digits in disorder."""
    if len(value) < length_min:
        return False
    if _HEX.fullmatch(value):
        mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
        return len(value) >= 12 and mixed and len(set(value)) >= 6
    if UUID.fullmatch(value.strip("{}")) or _LICENCE.fullmatch(value):
        return len(set(value)) >= 6
    longest = max((len(segment) for segment in re.split(r"[\W_]", value)), default=0)
    if longest < 7:
        return False
    breaks, word_share = _chaos(value)
    has_digit = any(c.isdigit() for c in value)
    has_letter = any(c.isalpha() for c in value)
    if has_digit and has_letter:
        return breaks >= 3 and (word_share < 0.6 or breaks >= 6)
    if not has_letter:
        return False
    # Letters alone: long, in both cases or unreadable.
    return longest >= 20 and word_share < 0.5 and breaks >= 3


def is_mixed(value: str) -> bool:
    """Whether it mixes kinds of characters as passwords do and words do not: a digit, a symbol, a capital inside."""
    lower = any(c.islower() for c in value)
    upper = any(c.isupper() for c in value[1:]) if lower else any(c.isupper() for c in value)
    digit = any(c.isdigit() for c in value)
    symbol = any(not c.isalnum() and c not in "-_/.: '’\"" for c in value)
    letter = any(c.isalpha() for c in value)
    return (letter and (digit or symbol)) or (lower and upper)
