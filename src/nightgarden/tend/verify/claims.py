"""What a statement claims about a codebase that can be looked up: paths, symbols, versions, commands, ports, settings,
branches. Pure, by shape.

Statements that deny, plan, tell of the past or of a change claim nothing here: that a thing is there does not bear them
out, and that it is gone does not refute them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from nightgarden.domain.text import STOP_WORDS
from nightgarden.remember.compare.entities import Entity, EntityKind, find_entities


class ClaimKind(StrEnum):
    """What is claimed to be there."""

    PATH = "path"
    SYMBOL = "symbol"
    VERSION = "version"  # of a dependency, or of a language
    DEPENDENCY = "dependency"
    COMMAND = "command"
    PORT = "port"
    SETTING = "setting"
    BRANCH = "branch"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that can be looked up."""

    kind: ClaimKind
    subject: str  # a path, a name, a key, "make lint"; empty for a port
    value: str = ""  # a version, a port, a setting's value, as written
    start: int = 0  # where the value stands in the text, so that a new one can be put there
    end: int = 0

    @property
    def id(self) -> str:
        return f"{self.kind}:{self.subject}"


_NOT_A_CLAIM = re.compile(
    r"\b(?:no longer|not|never|cannot|without|instead of|rather than|used to|formerly|previously|was|were|had|will"
    r"|would|plan(?:s|ned)?|todo|want(?:s|ed)?|might|may|moved|renamed|replaced|replaces|removed|deleted|dropped|migrat\w+"
    r"|switched|changed|from now on|for example|e\.g\.|such as|deprecated|unless|avoid|once|until|after we|before we"
    r"|upstream|another (?:project|repo\w*)|elsewhere)\b|n't\b|n’t\b",
    re.IGNORECASE,
)
_RUNNERS = {
    "make": re.compile(r"\bmake (?:-\w+ )*([a-zA-Z][\w./-]*)"),
    "npm": re.compile(r"\b(?:npm|pnpm|yarn|bun) run ([a-zA-Z][\w:./-]*)"),
    "just": re.compile(r"\bjust ([a-zA-Z][\w-]*)"),
    "run": re.compile(r"\b(?:uv|poetry|pdm|hatch) run ([a-zA-Z][\w-]*)"),
}
_TICKED = re.compile(r"`([^`\n]{2,120})`")
# "make sure", "make it", "just works": words, unless they are written as code
_PLAIN_WORDS = frozenset(
    "sure it the a an this that sense use changes progress up them any in for of to works be".split()
)
_SETTING = re.compile(
    r"(?<![\w.-])(?:[^A-Za-z\W]|[.-])*+(?P<key>[A-Za-z](?:[^\W_]|-)*+[_.][\w.-]++(?<=\w)|[A-Z][A-Z0-9_]{2,}+)`?\s*+"
    r"(?:is set to|is|=|:|set to|defaults to|to|of)\s*+"
    r"[`\"']?(?P<value>-?\d+(?:\.\d+)?|true|false|on|off|[\w./:-]{2,60})[`\"']?",
)
_VERSIONED = re.compile(
    r"(?<![\w./-])(?:[^A-Za-z\W]|[./-])*+(?P<name>@?[A-Za-z][\w./-]++(?<=\w)|[A-Z](?![\w./-]))`?"
    r"(?:\s++(?:version\s++|v)?|==|@|~=|\^|>=|:\s?v?)(?P<version>\d++(?:\.\d++){0,3}+\w*+)(?!%)"
)
_NOT_NAMES = frozenset(
    """port ports version line lines page step phase issue pr chapter section about over under after every least most
    than least at to of in on is are and or by for with around roughly only timeout limit max min retries times python3
    january february march april may june july august september october november december node top size count""".split()
)
_DEPENDS = re.compile(
    r"\b(?:uses?|using|depends? on|built (?:with|on)|relies on|requires?|powered by|via)\s+(?:the\s+)?"
    r"`?([A-Za-z][\w.@/-]*\w)`?",
    re.IGNORECASE,
)
_BRANCH = re.compile(
    r"\bbranch(?:es)?\s+(?:is\s+|named\s+|called\s+)?[`'\"]?(?P<after>[\w][\w./-]*\w)[`'\"]?"
    r"|(?<![\w./-])[./-]*+(?P<before>\w[\w./-]++(?<=\w))[`'\"]?\s++branch\b",
    re.IGNORECASE,
)
_BRANCH_NAMES = frozenset("main master develop dev staging trunk production next stable".split())
_CODE = re.compile(
    r"`[^`\n]*`|(?<![\w-])[\w-]*?[/_][\w./-]*+"
)  # names of code and paths say nothing by the words in them
_CODE_NAME = re.compile(r"^(?:[A-Za-z]\w*(?:\.|::))*(?P<last>[A-Za-z_]\w{2,})(?:\(\))?$")


def find_claims(text: str) -> tuple[Claim, ...]:
    """The claims of a statement in order of kind; none when it does not state how things are."""
    if _NOT_A_CLAIM.search(_CODE.sub(" ", text)):
        return ()
    entities = find_entities(text.replace("`", " "))  # a path in backticks is a path, and offsets stay
    found: dict[str, Claim] = {}
    taken: list[tuple[int, int]] = []
    for claim in (*_commands(text), *_branches(text), *_ports(entities), *_versions(text), *_settings(text)):
        if claim.id not in found and not _overlaps(claim, taken):
            found[claim.id] = claim
            if claim.end:
                taken.append((claim.start, claim.end))
    for claim in (*_paths(entities), *_dependencies(text), *_symbols(text, entities)):
        named = {each.subject.rpartition(" ")[2] for each in found.values()}
        if claim.id not in found and claim.subject not in named:
            found[claim.id] = claim
    return tuple(found.values())


def _overlaps(claim: Claim, taken: list[tuple[int, int]]) -> bool:
    return any(claim.start < end and start < claim.end for start, end in taken)


def _commands(text: str) -> list[Claim]:
    found = []
    ticked = [match.span(1) for match in _TICKED.finditer(text)]
    for runner, shape in _RUNNERS.items():
        for match in shape.finditer(text):
            as_code = any(start <= match.start() and match.end() <= end for start, end in ticked)
            if as_code or (match[1] not in _PLAIN_WORDS and runner != "just"):
                found.append(Claim(kind=ClaimKind.COMMAND, subject=f"{runner} {match[1].rstrip('.')}"))
    return found


def _branches(text: str) -> list[Claim]:
    found = []
    for match in _BRANCH.finditer(text):
        name = match["after"] or match["before"]
        quoted = (
            text[match.start("after") - 1 : match.start("after")] in "`'\""
            if match["after"]
            else text[match.start()] in "`'\""
        )
        if name.lower() not in STOP_WORDS and (quoted or "/" in name or name in _BRANCH_NAMES):
            found.append(Claim(kind=ClaimKind.BRANCH, subject=name))
    return found


def _ports(entities: tuple[Entity, ...]) -> list[Claim]:
    return [
        Claim(kind=ClaimKind.PORT, subject="", value=entity.value, start=entity.start, end=entity.end)
        for entity in entities
        if entity.kind is EntityKind.PORT and entity.value.isdigit()
    ][:1]


def _versions(text: str) -> list[Claim]:
    return [
        Claim(
            kind=ClaimKind.VERSION,
            subject=match["name"].lower(),
            value=match["version"],
            start=match.start("version"),
            end=match.end("version"),
        )
        for match in _VERSIONED.finditer(text)
        if match["name"].lower() not in _NOT_NAMES and match["name"].lower() not in STOP_WORDS
    ]


def _settings(text: str) -> list[Claim]:
    found = []
    for match in _SETTING.finditer(text):
        value = match["value"].rstrip(".,:;")
        plain = value.isalpha() and value.lower() not in ("true", "false", "on", "off")
        quoted = text[match.start("value") - 1] in "`\"'" or "=" in text[match.end("key") : match.start("value")]
        if value and (not plain or quoted):
            start = match.start("value")
            found.append(
                Claim(kind=ClaimKind.SETTING, subject=match["key"], value=value, start=start, end=start + len(value))
            )
    return found


def _paths(entities: tuple[Entity, ...]) -> list[Claim]:
    found = []
    for entity in entities:
        path = entity.text.strip("`'\"").rstrip("/.,").removeprefix("./")
        if (
            entity.kind is EntityKind.PATH
            and not path.startswith(("~", "/", ".."))
            and ":" not in path
            and len(path) > 3
        ):
            found.append(
                Claim(
                    kind=ClaimKind.PATH,
                    subject=path,
                    value=path,
                    start=entity.start,
                    end=entity.start + len(entity.text),
                )
            )
    return found


def _dependencies(text: str) -> list[Claim]:
    return [Claim(kind=ClaimKind.DEPENDENCY, subject=match[1].lower().rstrip(".")) for match in _DEPENDS.finditer(text)]


def _symbols(text: str, entities: tuple[Entity, ...]) -> list[Claim]:
    """Names of code: in backticks, called, or written_like_this. A CamelWord may be a product's name."""
    written = [match[1] for match in _TICKED.finditer(text)]
    written += [
        e.text for e in entities if e.kind is EntityKind.IDENTIFIER and ("_" in e.text or e.text.endswith("()"))
    ]
    found = []
    for each in dict.fromkeys(written):
        match = _CODE_NAME.match(each.strip("`"))
        coded = match is not None and ("_" in each or "(" in each or re.search(r"[a-z][A-Z]|[A-Z][a-z]+[A-Z]", each))
        if match is not None and coded:
            found.append(Claim(kind=ClaimKind.SYMBOL, subject=match["last"]))
    return found
