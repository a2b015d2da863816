"""Which lines of a message are its speaker's own words. Drops fences, quotes, logs, mails, tables and marked blocks.

Errs on the side of dropping. Does not cover pasted prose without any mark: a paragraph copied from a page reads like
its speaker's words unless the reader of the transcript set `Message.pasted`.
"""

from __future__ import annotations

import re

CHARS_MAX = 12_000  # of one message; what is longer is pasted for the most part
INTRO_CHARS_MAX = 200  # "here is the log:" is said in fewer; keeps the search cheap

_FENCE = re.compile(r"^\s{0,3}(?:```|~~~)")
_MARKED_OPEN = re.compile(r"^\s*<(?P<tag>[A-Za-z][\w:.-]*)(?:\s[^>]*)?>")
_INLINE_OPEN = re.compile(r"<(?P<tag>[A-Za-z][\w:.-]*+)(?:\s[^<>]*+)?>")
_INLINE_CLOSE = re.compile(r"</(?P<tag>[A-Za-z][\w:.-]*+)\s*+>")
_LONG_QUOTE = re.compile(r"[\"“„«]([^\"“”„«»\n]{30,}?)[\"”“»]")  # longer than a name or a value: somebody's words
_OPEN_QUOTE = re.compile(r"^\s*[\"“„«](?=[^\"”“»]*$)")
_CLOSE_QUOTE = re.compile(r"[\"”“»]\s*[.,!]?\s*$")
_BREAK = re.compile(r"^\s*(?:[-=_*~#]{3,}|\[/?\w+\])\s*$")

_MACHINE_NOUNS = (
    r"logs?|output|error|errors|trace(?:back)?|stack\s?trace|diff|config|json|yaml|dump|response"
    r"|snippet|code|query|result|"
    r"results|console|terminal|command|csv|sql|payload|stacktrace|ausgabe|fehler(?:meldung)?|erreur"
    r"|sortie|salida|registro|traza"
)
_HUMAN_NOUNS = (
    r"e-?mails?|mail|message|msg|slack|thread|docs?|documentation|readme|ticket|issue|comment"
    r"|transcript|changelog|spec|text|"
    r"article|post|wrote|writes|says|said|minutes|notes|reply|answer|review|feedback|quote|paragraph"
    r"|jira|schrieb|schreibt|meinte|"
    r"nachricht|doku|kommentar|message|courriel|écrit|dit|correo|mensaje|escribió|escribe|dice|dijo"
    r"|announcement|policy|chat|tweet|teams"
)
_INTRO_LEAD = (
    r"here(?:'s|’s| is| are)?|this is|these are|below|past(?:e|ed|ing)|see|got(?: this)?|from|following|attached|"
    r"hier|voici|voilà|aquí|esto es|look at|check|copy|copied|forwarding|fwd|it says|it prints|i get"
    r"|i'm getting|getting|the|what"
)
_MACHINE_INTRO = re.compile(
    rf"\b(?:{_INTRO_LEAD})\b.*\b(?:{_MACHINE_NOUNS})\b[^.?!]*:\s*$|^(?:{_MACHINE_NOUNS}):\s*$", re.IGNORECASE
)
_HUMAN_INTRO = re.compile(
    rf"\b(?:{_INTRO_LEAD})\b.*\b(?:{_HUMAN_NOUNS})\b[^.?!]*:\s*$|\b(?:wrote|writes|says|said|schrieb"
    rf"|schreibt|meinte|a écrit|écrit|dit|escribió|dice|dijo)\b[^.?!]*:\s*$"
    rf"|^(?:{_HUMAN_NOUNS}|fwd|fw|quote)\b[^.?!]{{0,40}}:\s*$",
    re.IGNORECASE,
)
# Where what announces begins: "We are on Flask 2.3. Here's my code:" says something of its own before it.
_BEFORE_INTRO = re.compile(
    r"[.!?…]\s+(?=[^.!?…]*:\s*$)|[,;]\s+(?:and |so |but |und |et |y )?(?=(?:here(?:'s| is| are)|below|this is|these are"
    r"|hier (?:ist|sind)|so sieht|anbei|voici|voilà|aquí (?:está|van?|tienes)|este es|ecco"
    r"|aqui está)\b[^,;.!?…]*:\s*$)",
    re.IGNORECASE,
)
_MAIL_HEADER = re.compile(
    r"^\s*(?:From|To|Cc|Subject|Sent|Date|Von|An|Betreff|Gesendet|De|À|Objet|Envoyé|Para|Asunto|Enviado"
    r"|Re|Fwd|FW|AW|WG)\s*:\s*\S"
)
_MAIL_INTRO = re.compile(
    r"^\s*(?:On|Am|Le|El)\b.{4,100}\b(?:wrote|schrieb|a écrit|escribió)\b.*:?\s*$|^-{2,}\s*(?:Original"
    r"|Forwarded|Ursprüngliche|Message|Mensaje)",
    re.IGNORECASE,
)

_MACHINE_LINE = re.compile(
    r"""^\s*(?:
      \[?\d{4}-\d\d-\d\d[T\s]                                  # a timestamp
    | \[?\d\d:\d\d:\d\d
    | \w{3}\s+\d+\s\d\d:\d\d:\d\d
    | \[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|E|W)\]?[:\s|\]]\s*\S
    | (?:npm|yarn|pnpm|error|fatal|panic|thread|err)(?:\[\w+\])?(?:!|:|\s+ERR|\s'main')
    | Traceback\b | File\s" | at\s+[\w$.<>\[\]]+\s?\( | \.{3}\s\d+\smore | Caused\sby: | raise\s\w+
    | \w*(?:Error|Exception):\s
    | [\w.]+(?:Error|Exception|Warning)\b(?::|$)
    | \$\s | %\s | \#\s?\w+@ | >>>\s | \.\.\.\s | PS\s[A-Z]:\\ | [\w-]+@[\w-]+[:~][^ ]*[$#]
    | \|.*\| | \+[-=+]{3,} | diff\s--git | @@\s | (?:\+\+\+|---)\s\S | [+-](?!\s|\d)\S | index\s[0-9a-f]{7}
    | commit\s[0-9a-f]{7,40}\b | [0-9a-f]{7,40}\s\S | [0-9a-f]{2}(?::?[0-9a-f]{2}){5,}
    | (?:export\s+)?[A-Z][A-Z0-9_]{2,}=\S* | [\w.-]+\s?[=]\s?\S+\s*;?\s*$ | [\]\[{}()]+[;,]?\s*$
    | ["'][\w.-]+["']\s*:\s | </?\w+[^>]*>\s*$
    | (?:def|class|import|from\s\S+\simport|return|const|let\s\w+\s=|var\s|func|fn|public|private|package
      |\#include|SELECT|INSERT|UPDATE|DELETE
      |CREATE|ALTER|DROP|FROM|WHERE|JOIN)\b.*
      (?:[;:{(]\s*$|\bFROM\b|\bTABLE\b|\bINTO\b|\bSET\b|=)
    | -----(?:BEGIN|END) | (?:GET|POST|PUT|PATCH|HEAD)\s/ | HTTP/\d | \d+\s+(?:passed|failed)
    | =+\s.*\s=+$ | (?:PASS|FAIL)\b\s+\S+ | ok\s{2,}\S+
    | \d+\s*\|\s | ~\s?\S+/ | //\s | /\*
    )""",
    re.VERBOSE,
)
_LIST_ITEM = re.compile(r"^\s*(?:[-*•–]\s+|\d{1,2}[.)]\s+|\(?[a-h]\)\s+)")
_SYMBOL = re.compile(r"[{}()\[\];=<>|\\$&*^~]")
_SPOKEN = re.compile(
    r"^\s*(?:so|ok|okay|please|pls|can|could|we|i|i'm|i've|any|what|why|how|remember|note|but|and|turns"
    r"|no|yes|always|never|don't|do|"
    r"fyi|btw|the|our|this|that|it|also|is|are|bitte|wir|ich|kannst|warum|on|je|tu|peux|pourquoi|puedes"
    r"|por|nosotros|usamos|merk|es lag)\b",
    re.IGNORECASE,
)


def _without_marked(text: str) -> str:
    """The text with a blank line in place of each element in marks, from its opening to the next closing of that name.

    A search that looks for the end of each opening by itself would read the rest of the text as often as there are
    openings without an end.
    """
    closings: dict[str, list[re.Match[str]]] = {}
    for closing in reversed(list(_INLINE_CLOSE.finditer(text))):
        closings.setdefault(closing["tag"], []).append(closing)
    kept, at = [], 0
    for opening in _INLINE_OPEN.finditer(text):
        ends = closings.get(opening["tag"], [])
        while ends and ends[-1].start() < opening.end():
            ends.pop()
        if ends and opening.start() >= at:
            kept += [text[at : opening.start()], "\n\n"]
            at = ends[-1].end()
    return "".join([*kept, text[at:]])


def own_lines(text: str) -> list[str]:
    """The lines that are the speaker's own, in order; an empty string stands for what was left out or a blank line."""
    text = text[:CHARS_MAX]
    text = _without_marked(text.replace("\r\n", "\n").replace("’", "'"))
    kept: list[str] = []
    skip = _Skip()
    for line in text.split("\n"):
        kept.append(_LONG_QUOTE.sub("…", skip.own_part(line)).rstrip())
    return kept


def _before_intro(line: str) -> str:
    """What the speaker says in a line before announcing what follows it."""
    said = line.rstrip()
    ends = [match.start() + 1 for match in _BEFORE_INTRO.finditer(said, max(0, len(said) - INTRO_CHARS_MAX))]
    return said[: ends[-1]].rstrip(" ,;") if ends else ""


class _Skip:
    """Where the walk through the lines stands: inside a fence, a mail, a quotation, machine output, or nowhere."""

    def __init__(self) -> None:
        self._until: str = ""  # what the walk is inside of
        self._tag = ""

    def own_part(self, line: str) -> str:
        """What of this line is the speaker's own."""
        match self._until:
            case "fence":
                if _FENCE.match(line):
                    self._until = ""
                return ""
            case "tag":
                if f"</{self._tag}" in line:
                    self._until = ""
                return ""
            case "quote":
                if _CLOSE_QUOTE.search(line):
                    self._until = ""
                return ""
            case "prose":
                if _BREAK.match(line):
                    self._until = ""
                return ""
            case "machine" | "machine-gap":
                if self._inside_machine(line):
                    return ""
        return self._outside(line)

    def _inside_machine(self, line: str) -> bool:
        if not line.strip():
            self._until = "machine-gap"
            return True
        if _FENCE.match(line):  # what was announced has an end of its own
            self._until = "fence"
            return True
        if self._until == "machine-gap" and _SPOKEN.match(line) and not is_machine_line(line):
            self._until = ""
            return False
        self._until = "machine"
        return True

    def _outside(self, line: str) -> str:
        if _FENCE.match(line):
            self._until = "" if line.count("```") == 2 else "fence"
            return ""
        if (tag := _MARKED_OPEN.match(line)) is not None:
            self._until, self._tag = "tag", tag["tag"]
            return ""
        if line.lstrip().startswith((">", "❯", "│", "┃")) or is_machine_line(line):
            return ""
        tail = line.rstrip()[-INTRO_CHARS_MAX:]
        announces = tail.endswith(":")
        if _MAIL_HEADER.match(line) or _MAIL_INTRO.match(line):
            self._until = "prose"
            return ""
        if announces and _HUMAN_INTRO.search(tail):
            self._until = "prose"
            return _before_intro(line)
        if announces and _MACHINE_INTRO.search(tail):
            self._until = "machine"
            return _before_intro(line)
        if _OPEN_QUOTE.match(line):
            self._until = "quote"
            return ""
        return line


def is_machine_line(line: str) -> bool:
    """Whether a program wrote this line: a log, a trace, a diff, code, a table row."""
    if _LIST_ITEM.match(line):
        line = _LIST_ITEM.sub("", line)
    elif line.startswith(("    ", "\t")):
        return True
    if _MACHINE_LINE.match(line):
        return True
    bare = re.sub(r"`[^`]*`", "", line)
    return len(bare) >= 12 and len(_SYMBOL.findall(bare)) > 0.12 * len(bare)


def holds_outside_text(text: str) -> bool:
    """Whether any line of the message was left out as not the speaker's own."""
    lines = text.replace("\r\n", "\n").split("\n")
    return any(line.strip() and not kept for line, kept in zip(lines, own_lines(text), strict=False))
