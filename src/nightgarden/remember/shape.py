"""The shapes a memory takes by its kind: trigger patterns, procedures and seasons.

Pure text rules. They read what is written, and do not know whether it is true.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from nightgarden.domain.memory import Category, Procedure, Temporal
from nightgarden.domain.text import fold, squash
from nightgarden.remember.deeds import are_deeds
from nightgarden.remember.draft import Draft

if TYPE_CHECKING:
    from collections.abc import Callable

    # the rules of four languages are compiled with it; they come with the first text that is read
    from nightgarden.remember.language import Lexicon

TEXT_CHARS_MAX = 2_000  # the longest content; nobody says a procedure in one longer sentence
HEADING_CHARS_MAX = 120  # a heading is a short line; taste
TRIGGERS_MAX = 8  # a negative memory that fires on everything is noise; taste
_QUOTED = re.compile(r"`([^`\n]{2,60})`|\"([^\"\n]{2,40})\"|“([^”\n]{2,40})”|'([^'\n]{2,40})'(?!\w)")
_IDENTIFIER = re.compile(
    r"(?<![\w`])(?:"
    r"(?<![./-])(?:[\w.-]++/)++(?:[\w*-]++(?:\.\w++)*+)?+|"  # a path
    r"(?<!\w\.)[A-Za-z_]\w*+(?:\.\w++)*+\([^)]{0,20}\)|[A-Za-z_]\w*+!|"  # a call, a macro
    r"\w(?>\w*?_)\w++|[a-z]++(?:[A-Z][a-z0-9]++)++|(?<!::)\w++(?:::\w++)++|"  # a name
    r"(?<!-)[\w-]++\.(?:py|js|ts|tsx|rs|go|json|ya?ml|toml|sql|sh|md|env|lock|txt|css|html)|"  # a file
    r"\.[a-z]\w++(?:\.\w++)*+|"
    r"(?<!-)--?[a-z][\w-]++|@\w++"  # an option, a decorator
    r")(?![\w`])"
)
_COMMAND = re.compile(
    r"\b(?:git (?:push|commit|rebase|merge|reset|stash|checkout)(?: --?[\w-]+)*|npm (?:i|install|run"
    r"|ci)|pip install|docker(?: compose)? \w+|kubectl \w+|rm -rf|sudo|force[- ]push)\b"
)
_AFTER_VERB = re.compile(
    r"\b(?:use|using|call|import|touch|commit|edit|run|add|install|modify|deploy to|push to|depend on"
    r"|write|verwende\w*|benutz\w*|utilise\w*|usar|uses|usamos)\s+(?:the |a |an "
    r"|any )?([\w.+#/-]{3,30}(?:\s+(?!(?:from|into|onto|with|without|for|that|than|which|when|before|after|and|but"
    r"|directly|here|there|ever|anywhere|please|anymore|again|until|unless|because|nicht|pour|para"
    r"|mehr)\b)[\w+#/-]{3,30})?)",
    re.IGNORECASE,
)
_GIT_DEED = re.compile(r"\b(push|commit|merge|rebase|tag|stash|amend)(?:es|s|ing|ting|ged|ed)?\b", re.IGNORECASE)
_FIRST_CLAUSE = re.compile(r"[;.](?:\s|$)|,\s")
_SKIP_TRIGGERS = {
    "the",
    "any",
    "our",
    "your",
    "this",
    "that",
    "code",
    "tests",
    "files",
    "more",
    "without",
    "directly",
    "comments",
    "long",
    "message",
    "messages",
}


def trigger_patterns(text: str) -> tuple[str, ...]:
    """What should call this memory up when it is seen: quoted code, identifiers, commands; else the forbidden"
    " thing."""
    found: dict[str, None] = {}
    for match in _QUOTED.finditer(text):
        found[next(group for group in match.groups() if group)] = None
    outside = _QUOTED.sub(" ", text)
    for pattern in (_COMMAND, _IDENTIFIER):
        for match in pattern.finditer(outside):
            found[match[0].rstrip(".,;:")] = None
        outside = pattern.sub(" ", outside)  # `git push --force` is one trigger, not two
    if not found:
        # Only what is forbidden, not what to do instead; with its second word, for one plain word fires on everything.
        for match in _AFTER_VERB.finditer(_FIRST_CLAUSE.split(outside, maxsplit=1)[0]):
            word = match[1].strip(".,;:")
            if word.lower() not in _SKIP_TRIGGERS:
                found[word] = None
    if not found:  # "never commit directly to main": the deed itself
        found |= {f"git {match[1].lower()}": None for match in _GIT_DEED.finditer(outside)}
    return tuple(pattern for pattern in found if len(pattern) >= 2)[:TRIGGERS_MAX]


def temporal_of(text: str, lexicon: Lexicon | None = None) -> Temporal:
    """Whether it holds only in this session, or only in a season such as "release-week"."""
    from nightgarden.remember.language import lexicon_of  # compiles the rules of four languages

    language = lexicon if lexicon is not None else lexicon_of(text)
    season = language.seasonal.search(text)
    return Temporal(
        session_only=language.session_only.search(text) is not None,
        seasonal=re.sub(r"[\s_]+", "-", fold(season["season"]).lower()) if season is not None else None,
    )


def shaped(draft: Draft, lexicon: Lexicon | None = None) -> Draft:
    """The draft with the fields its kind asks for, where they are not given."""
    triggers = draft.trigger_patterns
    if not triggers and draft.category is Category.NEGATIVE:
        triggers = trigger_patterns(draft.content)
    procedure = draft.procedure
    if procedure is None and draft.category is Category.PROCEDURE:
        found = steps_of(draft.content)
        procedure = found.procedure if found is not None else None
    temporal = draft.temporal if draft.temporal != Temporal() else temporal_of(draft.content, lexicon)
    return replace(draft, trigger_patterns=triggers, procedure=procedure, temporal=temporal)


# Procedures

_ITEM = re.compile(r"^\s*(?:(?P<number>\d{1,2})[.)]|[-*•])\s+(?P<text>.+)$")
_NUMBER = re.compile(r"(?<!\S)(\d{1,2})[.)]\s+(?=\S)")  # of a step, also in the middle of a line
_AND_THEN = re.compile(r"(?:[,;]|\b(?:and|then|und|dann|puis|ensuite|et|y|luego)){1,3}\s*$", re.IGNORECASE)
_HOW_HEADING = re.compile(
    r"(?:\b(?:to (?P<to>(?!do\b|be\b|confirm\b)\w+[^:.,]*)|how (?:to|we|i) (?P<how>[^:]+)"
    r"|(?:um|zum) (?P<de>[^:]+)|pour (?P<fr>[^:]+)|para (?P<es>[^:]+))"
    r"|(?P<noun>[\w -]*\b(?:procedure|process|steps|workflow|checklist|runbook|recipe|release"
    r"|deploy(?:ment)?|rollback|onboarding|setup)\b[^:]*)"
    r"|(?P<told>(?:[^:]*\b)?(?:schritte|ablauf|anleitung|vorgehen|\w{0,30}-(?:ablauf|prozess)|procédure|étapes"
    r"|marche à suivre"
    r"|déploiement|mise en production|procedimiento|pasos|despliegue|puesta en producción)\b[^:]*"
    r"|(?:wie (?:wir|man|ich)|comment|cómo) [^:]+|so \w{2,30} wir\b[^:]*))\s*:\s*$",
    re.IGNORECASE,
)
# A verb that names what is done: "Restore a backup", "Backup einspielen", "Restaurer la base", "Restaurar la copia". It
# may as well head a list of errands, so only who asks for it to be remembered is taken at this word.
_VERB_HEADING = re.compile(
    r"^\W*+(?P<name>(?:restore|roll back|roll out|ship|publish|back up|upgrade|rotate|provision|install|set up|create"
    r"|deploying|releasing|restoring|cutting|rolling back|publishing)\b[^:]*+"
    r"|(?:\S+ ){1,5}\w{2,30}(?:en|ern|eln)|(?!hier\b|hiver\b)\w{2,30}(?:er|ir|re|ar) (?:l['’]|le |la |les |el "
    r"|los |las |une? |una )"
    r"[^:]++)\s*+:\s*$",
    re.IGNORECASE,
)
_ERRAND_HEADING = re.compile(
    r"\b(?:please|can you|could you|would you|i need you|todo|tasks?|do the following|fix|i tried|i did"
    r"|what i|reproduce|repro|next|for you|you need to|options|bitte|peux-tu|puedes|let's|we need to"
    r"|i want to|i have to|going to|steps so far|kannst du|könntest du|aufgaben|folgende[sn]?|erledigen"
    r"|nächste[sn]?|noch|heute"
    r"|morgen|reproduzieren|nachstellen|beheben|ich (?:habe|will|muss)|pourrais-tu|s'il te pla[iî]t|tâches|à faire"
    r"|prochaines?|reproduire|corriger|je (?:veux|dois)|podrías|por favor|tareas|pendientes?|siguientes?|reproducir"
    r"|arreglar|corregir|hay que|quiero|tengo que)\b|\?",
    re.IGNORECASE,
)
_DEED = re.compile(r"\b(?:to|how (?:to|we|i))\s", re.IGNORECASE)  # what follows is a verb: "to release"
_STEPS_HEADING = re.compile(
    r"[^:,\n]{0,80}\b(?:steps|schritte|étapes|pasos)\b[^:\n]{0,60}:(?:[^,;.\n]{3,},){2}", re.IGNORECASE
)
_INLINE = re.compile(
    r"(?:^|(?<=[.!?\n] )|(?<=\n))(?:(?:btw|fyi|remember|ok|so|note)[,:]? )?(?:to (?P<to>(?!do\b"
    r"|be\b)\w+[^,:.?]{2,60})|(?:our |the )?(?P<noun>[\w -]{2,40}(?:procedure|process|release"
    r"|deploy(?:ment)?|rollback|workflow)) (?:is|goes|works))\s*[,:]\s*(?P<body>(?:you |we )?(?:first"
    r"|always first|start by|start with)\b[^?]*?\b(?:then|after that|next"
    r"|afterwards)\b[^?]*?)(?=\.(?:\s|$)|\n|$)",
    re.IGNORECASE,
)
_STEP_CUT = re.compile(
    r"(?<![\s,])[\s,]*+(?:;|\b(?:and then|then|after that|afterwards|and finally|finally|and lastly|lastly"
    r"|next)\b),?\s*",
    re.IGNORECASE,
)
_PROSE_CUT = re.compile(
    r"[,;.]\s+(?:(?:and|und|et|y)\s+)?(?:(?:then|finally|dann|puis|luego)\s+)?|\s(?:and then|then|und dann|dann"
    r"|et puis|puis|y luego"
    r"|luego)\s",
    re.IGNORECASE,
)
_STEP_LEAD = re.compile(r"^(?:(?:you|we) )?(?:first|always first|start by|start with)[,:]?\s*", re.IGNORECASE)
_NEEDS = re.compile(
    r"^(?:prerequisites?|requires?|needs?|you need|before you start|make sure you have|voraussetzung\w*"
    r"|prérequis|requisitos?)\b[:\s]*",
    re.IGNORECASE,
)
_WARNS = re.compile(
    r"^(?:warning|careful|caution|watch out|note|never|don't|do not|avoid|beware|achtung|attention|ojo"
    r"|cuidado|nie|ne )\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundProcedure:
    """A procedure in a text: its structure, the statement to store, and the numbers of the lines it took."""

    procedure: Procedure
    text: str
    lines: frozenset[int]


def parse_procedure(text: str, *, told: bool = False) -> FoundProcedure | None:
    """The first procedure in a text: a headed list, or "to X, first … then …". None for errands and lists of one.
    `told`: somebody asked for the text to be remembered, so that a heading may be any verb."""
    found = _listed_procedure(text, _heads_procedure if told else _heads_said_procedure) or _inline_procedure(text)
    if found is None and told and _STEPS_HEADING.match(text) and not _ERRAND_HEADING.search(text.partition(":")[0]):
        found = _told_steps(text)
    return found


def steps_of(text: str) -> FoundProcedure | None:
    """The same where it is known that the text is a procedure: whatever stands above its list, or steps in prose."""
    return parse_procedure(text, told=True) or _listed_procedure(text, squash) or _told_steps(text)


def _told_steps(text: str) -> FoundProcedure | None:
    """ "Onboarding: create the account, add them to the team, send the mail"; without a heading the first step"
    " names it."""
    listed = [squash(item["text"]) for line in text.split("\n") if (item := _ITEM.match(line))]
    heading, colon, body = text.rpartition("? ") if "? " in text else text.partition(":")
    if not colon or "\n" in heading or not body.strip():
        heading, body = "", text
    steps = listed or [step.strip(" ,.;") for step in _PROSE_CUT.split(body)]
    steps = [squash(step) for step in steps if step]
    if len(steps) < 2 or len(text) > TEXT_CHARS_MAX or not are_deeds(steps):
        return None
    return _found(squash(heading) or steps[0], steps, frozenset(range(text.count("\n") + 1)), deed=False)


def _listed_procedure(text: str, name_of: Callable[[str], str]) -> FoundProcedure | None:
    lines = [line for number, whole in enumerate(text.split("\n")) for line in _in_lines(whole, number)]
    for start, (number, line) in enumerate(lines):
        if len(line) > HEADING_CHARS_MAX or _ITEM.match(line) or not (name := name_of(line).strip(" :-")):
            continue
        taken = {number}
        items: list[str] = []
        for at, below in lines[start + 1 :]:
            item = _ITEM.match(below)
            if item is None:
                if below.strip() or items:
                    break
                continue
            taken.add(at)
            items.append(squash(item["text"]))
        if len(items) >= 2 and are_deeds(items):
            return _found(name, items, frozenset(taken), deed=_DEED.search(line) is not None)
    return None


def _in_lines(line: str, number: int) -> list[tuple[int, str]]:
    """ "Deploy: 1. run the tests 2. push" as three lines; any other line as it is."""
    found = list(_NUMBER.finditer(line))
    counted = [int(match[1]) for match in found] == list(range(1, len(found) + 1))
    if len(found) < 2 or not counted or not line[: found[0].start()].strip():
        return [(number, line)]
    ends = [match.start() for match in found[1:]] + [len(line)]
    steps = [line[match.start() : end].rstrip(" ,;") for match, end in zip(found, ends, strict=True)]
    steps = [_AND_THEN.sub("", step).rstrip(" ,;") for step in steps]
    return [(number, line[: found[0].start()]), *((number, step) for step in steps)]


def _heads_said_procedure(line: str) -> str:
    """What a heading says is done; empty where it is none, or of errands."""
    heading = _HOW_HEADING.search(line)
    return "" if heading is None or _ERRAND_HEADING.search(line) else _name(heading)


def _heads_procedure(line: str) -> str:
    heading = _VERB_HEADING.match(line)
    if heading is not None and not _ERRAND_HEADING.search(line):
        return squash(heading["name"])
    return _heads_said_procedure(line)


def _inline_procedure(text: str) -> FoundProcedure | None:
    match = _INLINE.search(text) if len(text) <= TEXT_CHARS_MAX else None
    if match is None:
        return None
    body = _STEP_LEAD.sub("", match["body"])
    steps = [step.strip(" ,.;") for step in _STEP_CUT.split(body)]
    steps = [step for step in steps if step]
    if len(steps) < 2 or not are_deeds(steps):
        return None
    first = text.count("\n", 0, match.start())
    last = text.count("\n", 0, match.end())
    name, deed = squash(match["to"] or match["noun"]), match["to"] is not None
    return _found(name, steps, frozenset(range(first, last + 1)), deed=deed)


def _name(heading: re.Match[str]) -> str:
    return squash(next((group for group in heading.groups() if group), "")).strip(" :-")


def _found(name: str, items: list[str], lines: frozenset[int], *, deed: bool) -> FoundProcedure:
    prerequisites = tuple(_NEEDS.sub("", item) for item in items if _NEEDS.match(item))
    warnings = tuple(item for item in items if _WARNS.match(item))
    steps = tuple(item for item in items if not _NEEDS.match(item) and not _WARNS.match(item))
    procedure = Procedure(name=name, trigger=name, steps=steps, prerequisites=prerequisites, warnings=warnings)
    numbered = "; ".join(f"{number}. {item}" for number, item in enumerate(items, start=1))
    text = f"To {name}: {numbered}" if deed else f"{name}: {numbered}"
    return FoundProcedure(procedure=procedure, text=text, lines=lines)
