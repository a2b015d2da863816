"""Which names say that their value is a secret, and how surely. Knows names alone; values are judged elsewhere."""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache


class SecretKind(Enum):
    """How a name promises a secret, and so how random its value has to look."""

    PASSWORD = auto()  # any mixed value: people choose them
    SECRET = auto()  # secret, token, credential, authorization: machine made, eight characters or more
    API_KEY = auto()  # a key that says what it opens: machine made, ten characters or more
    KEY = auto()  # key is a common word: machine made, twelve characters or more
    SERVICE = auto()  # the name of a provider of keys: machine made, twenty characters or more


# The words that tell, looked for one by one in lower-case text: a search for a literal is thirty times faster than one
# expression of them all. What stands around a hit is judged by `kind_of`.
_PASSWORD_WORDS = """passphrase passwort passcode kennwort zugangswort contraseña contrasena senha palavra-passe
    wachtwoord parola lösenord hasło salasana пароль 密码 密碼 口令 パスワード 비번 비밀번호 şifre
    pass pwd securestring""".split()
_SECRET_WORDS = "secret token geheimnis cred apikey bearer auth client_srt jwt".split()
_KEY_WORDS = "key cookie session_id sessionid webhook".split()
_SERVICES = """discord slack github gitlab stripe openai anthropic twilio sendgrid mailgun mailchimp okta meraki datadog
    dropbox facebook twitter heroku cloudflare algolia airtable asana azure bitbucket codecov coinbase confluent
    contentful databricks doppler dynatrace etsy fastly figma finnhub flickr gitter grafana hubspot intercom jfrog
    artifactory kraken kucoin launchdarkly linear linkedin lob mapbox mattermost messagebird netlify newrelic notion
    nytimes plaid planetscale privateai rapidapi readme sendbird sentry shippo shopify snyk sonar square squarespace
    sumologic sumo telegram travis trello twitch typeform vault vercel yandex zendesk adafruit adobe alibaba beamer
    bittrex cohere droneci duffel easypost finicity flutterwave frameio freshbooks gocardless harness infracost looker
    maxmind octopus openshift perplexity postman prefect pulumi scalingo supabase wandb""".split()
_WORDS = (*_PASSWORD_WORDS, *_SECRET_WORDS, *_KEY_WORDS, *_SERVICES)
# Password and its misspellings, and short words that need an edge. Each starts with one letter, so it is found fast.
_SPELLINGS = (
    ("w", re.compile(r"pa{0,2}s{1,2}w(?:or?|r)?s?d")),
    ("mot de passe", re.compile(r"mot de passe")),
    ("pw", re.compile(r"pw(?![a-z])")),
    ("api", re.compile(r"(?<![a-z])api(?![a-z])")),
)
_CREDENTIAL = re.compile(r"cred(?:ential)?s?")


def tellings(low: str) -> list[tuple[int, int]]:
    """Where in a lower-case text words stand that may name a secret, in order; of two at one place the longer."""
    found: dict[int, int] = {}
    for word in _WORDS:
        at = low.find(word)
        while at >= 0:
            found[at] = max(found.get(at, 0), at + len(word))
            at = low.find(word, at + len(word))
    for mark, shape in _SPELLINGS:
        if mark in low:
            for match in shape.finditer(low):
                found[match.start()] = max(found.get(match.start(), 0), match.end())
    if "cred" in low:
        found.update((match.start(), match.end()) for match in _CREDENTIAL.finditer(low))
    return sorted(found.items())


_PASSWORD = re.compile("|".join((r"pa{0,2}s{1,2}w(?:or?|r)?s?d", "mot de passe", "pw", *_PASSWORD_WORDS)))
_SECRET = re.compile(r"secret|token|geheimnis|cred(?:ential)?s?|apikey|bearer|auth|client_srt|jwt")
_KEY = re.compile(r"key|api|cookie|session_?id|webhook")

# "pass" and "key" inside other words.
_OTHER_WORDS = re.compile(
    r"bypass|compass|surpass|trespass|encompass|overpass|underpass|passe[dnrs]|passi[nov]|passag|passport|passt|passthr"
    r"|passthrough|keyboard|keyword|keynote|keystroke|keyframe|keyhole|keystone|keypress|keydown|keyup|keycode|keying"
    r"|keyspace|keyserver|monkey|turkey|donkey|hockey|whiskey|jockey|mickey|disney|keychron|keyed|author(?!i[sz])"
    r"|authent(?!ica)"
    r"|tokeni[sz]|tokens?per|secretar|secretion|credit|credib|passive|passion|keen|keep|pathw|squared|linearl?y"
    r"|linear_?(?:reg|alg)"
    r"|squares|stripes|striped|harnes(?:s|ses)ed|notional|slacker|robots?"
)
# After the word that promises a secret, these say that the value is something about it.
_ABOUT = re.compile(
    r"(?:^|[^a-z])(?:ids?|names?|size|len|length|count|counts|type|types|urls?|uris?|paths?|files?|filename|dir"
    r"|folder|source|versions?|formats?"
    r"|expir\w*|ttl|timeout|limit|max|min|index|vault|ring|store|board|field|fields|column|prefix|suffix|header"
    r"|headers|policy|policies|hint"
    r"|label|env|var|alg|algo|algorithm|hash|hashes|hasher|digest|fingerprint|checksum|endpoint|server|host|port"
    r"|provider|method|scheme|mode|usage"
    r"|rotation|strength|manager|required|enabled|disabled|reset|resets|validator|validation|regex|pattern|schema"
    r"|table|event|handler|service"
    r"|scopes?|issuer|audience|pair|pairs|number|budget|rate|cost|price|page|form|screen|dialog|error|message|status"
    r"|state|variable|placeholder"
    r"|arn|ref|refs|reference|bits?|bytes|class|model|repository|controller|middleware|module|package|plugin|chain"
    r"|pressed|point|flow|date|time|at"
    r"|per|used|left|in|out|input|output|window|context|accessor|commit|sha|sha1|sha256|md5|rev|revision|digest|etag"
    r"|image|build|release|tag"
    r")(?=$|[^a-z])"
)
# A word before it that makes the value public, or one that changes with every request.
_PUBLIC = re.compile(
    r"(?:^|[^a-z])(?:public|pub|csrf|xsrf|foreign|primary|partition|sort|cache|idempotency|bucket|schema|object|s3"
    r"|row|unique|translation|i18n"
    r"|host|registry|hot|arrow|map|dict|json|group|group_by|lookup|index|ssh-ed25519|hash|cancel\w*|pagination|next"
    r"|prev|page|continuation|cursor"
    r"|authenticity|max|min|num|total|prompt|completion|context|blob|cas|license_?file|storage|state|dedupe|dedup"
    r"|routing|shard|natural|surrogate)"
    r"(?=$|[^a-z])"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def _apart(name: str) -> str:
    """A name in lower case with its humps apart: apiKeyName, API_KEY_NAME and api-key-name are all read alike."""
    return _HUMP.sub("_", name).lower()


@lru_cache(maxsize=4096)
def kind_of(before: str, core: str, after: str) -> SecretKind | None:
    """What a name promises, given the part before its telling word, that word, and the part after; None if nothing."""
    low = core.lower()
    whole = before + core + after
    if (_OTHER_WORDS.search(whole.lower()) and not _PASSWORD.fullmatch(low)) or _OTHER_WORDS.search(
        whole.lower()[-24:]
    ):
        return None
    tail = _apart(core + after)[len(_apart(core)) :] if after else ""
    if _ABOUT.search(tail) or _PUBLIC.search(_apart(before)):
        return None
    if _PASSWORD.fullmatch(low):
        if low in ("pw", "pass") and after[:1].isalpha() and after[:1].islower():
            return None
        return SecretKind.PASSWORD
    if _SECRET.fullmatch(low):
        return SecretKind.SECRET
    joined = _apart(before)
    if _KEY.match(low):
        served = any(service in joined for service in _SERVICES)
        strong = re.search(
            r"(?:api|secret|access|private|auth|client|app|sign(?:ing)?|encrypt(?:ion)?|master|account)[\W_]?$", joined
        )
        return SecretKind.API_KEY if strong or served or _SECRET.search(joined) else SecretKind.KEY
    edge_before = not before or not before[-1].isalnum() or core[0].isupper()
    edge_after = not after or not after[0].islower()
    return SecretKind.SERVICE if edge_before and edge_after else None


def promises_secret(name: str) -> bool:
    """Whether the value under a name may be a secret, however it looks."""
    return any(
        kind_of(name[:start], name[start:end], name[end:]) not in (None, SecretKind.SERVICE)
        for start, end in tellings(name.lower())
    )
