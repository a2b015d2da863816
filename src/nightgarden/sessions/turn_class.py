"""Whether a user's turn wants memory: not at all, if there is some, or before anything is changed. Pure.

Reads words (English, German, French, Spanish), paths, code fences and attachments; does not understand sentences. A
turn in another language is soft when it is long enough, because silence there would be a loss that nobody notices.
"""

from __future__ import annotations

import re
from enum import StrEnum

from nightgarden.domain.text import fold, squash

SHORT_CHARS = 12  # below this a turn that asks for no work says nothing to look for
_READ_CHARS_MAX = 4000  # enough to tell; a pasted log is not read to its end


class TurnClass(StrEnum):
    """What a turn wants of memory."""

    NONE = "none"
    SOFT = "soft"
    REQUIRED = "required"


# Work verbs: what changes code or looks for a fault. Beginnings of words,
# because German, French and Spanish bend theirs.
_WORK = re.compile(
    r"\b(?:fix|debug|implement|refactor|migrat|deploy|releas|install|configur|upgrad|downgrad|rewrit|rewrot|renam|replac"
    r"|remov|delet|add(?:s|ed|ing)?\b|creat|build|built|writ(?:e|ing)\b|wrote\b|chang|updat|bump|merg|rebas|revert|commit"
    r"|push\b|ship\b|publish|pull request|prs?\b|branch|squash"
    r"|test(?:s|ed|ing)?\b|error|fail|crash|broken?\b|bug\b|optimi[sz]|lint|run\b|set ?up\b|generat|port\b"
    # German
    r"|behebe|reparier|korrigier|umbau|baue?\b|schreib|ander[en]|aktualisier|losch|entfern|erstell|installier|einricht"
    r"|fehler|teste?\b|ersetz|fuge?\b|umbenenn|veroffentlich|bereitstell"
    # French
    r"|corrige|repar|implement|ajout|cree[rz]?\b|ecri[strv]|modifi|supprim|renomm|remplac|installe|deplo[iy]|erreur"
    r"|plante|met(?:s|tre|tez)? a jour"
    # Spanish
    r"|arregl|corrig|anad|agreg|crea[r]?\b|escrib|cambi|actuali[cz]|borra|elimin|renombr|reemplaz|instala|desplie|despleg"
    r"|fallo?\b|falla)\w*"
)
_ASKS = re.compile(
    r"\?|\b(?:explain|why|how|what|which|where|when|who|plan|review|compare|describe|summari[sz]e|remember|recall|remind"
    r"|prefer|should|suggest|recommend|think|discuss|architecture|design"
    r"|erklar\w*|warum|wieso|wie|was|welche\w*|wo|wann|wer|plane?|vergleich\w*|erinner\w*|sollt\w*"
    r"|explique\w*|pourquoi|comment|quel\w*|ou|quand|qui|compare\w*|rappel\w*|dois"
    r"|explica\w*|por que|como|que|cual\w*|donde|cuando|quien\w*|recuerd\w*|deberia\w*)\b"
)
_TALK = """
hi hello hey hallo moin servus bonjour salut hola buenas good morning evening afternoon night guten morgen tag abend
thanks thank you very much so a lot danke schon sehr vielen dank merci beaucoup gracias muchas cheers ta thx ty
ok okay k yes yep yeah yup no nope nah ja nein oui non si vale gut perfekt perfect great nice cool awesome super
good job well done lgtm looks sounds fine sure please bitte continue weiter go ahead on next proceed do it that this
one mach continue vas-y adelante sigue stop wait bye tschuss ciao au revoir adios see later got makes sense i
understand understood all works working now works for me it is the thing there wow haha lol bravo genial parfait
perfecto excellent exzellent prima klasse alles klar das d'accord again to everyone team and we are done for today
never mind nevermind hmm aha test testing ping pong
"""
_TALK_WORDS = frozenset(_TALK.split())
_TALK_WORDS_MAX = 9  # a longer turn of such words is said about something
_COMMAND = re.compile(r"[/!:][a-z][\w:-]*(?:\s|$)")
# What clients put into the user's place themselves: reminders, results of commands, notes of compaction.
_INTERNAL = re.compile(
    r"<(?:system-reminder|command-(?:name|message)|local-command|bash-(?:input|stdout)|task-notification)\b"
    r"|\[request interrupted|this session is being continued from|caveat: the messages below|continue\.?$",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t]*+(?:```|~~~)", re.MULTILINE)
_PATH = re.compile(
    r"(?<![\w/:.-])(?:~?/|\.{1,2}/)?(?:[\w.-]++/)++[\w.-]+\.\w{1,8}\b|(?<![\w/])(?:~|\.{1,2})?/[\w.-]+/[\w./-]+"
    r"|(?<![\w-])[\w-]++\.(?:py|js|jsx|ts|tsx|rs|go|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|scala|sh|sql|toml|ya?ml|json|md|css"
    r"|scss|html|vue|svelte|tf|ini|cfg|lock|proto|ex|exs|lua|ipynb)\b"
)
_WORDS = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def classify_turn(text: str, *, attachments: int = 0) -> TurnClass:
    """The class of one user turn. `attachments` counts files or pictures that came with it."""
    plain = squash(fold(text[:_READ_CHARS_MAX])).lower().replace("’", "'")
    if _COMMAND.match(plain) or _INTERNAL.match(plain):
        return TurnClass.NONE
    if attachments or _FENCE.search(text[:_READ_CHARS_MAX]):
        return TurnClass.REQUIRED
    if _is_talk(plain):
        return TurnClass.NONE
    if _PATH.search(text[:_READ_CHARS_MAX]) or _WORK.search(plain):
        return TurnClass.REQUIRED
    if len(plain) < SHORT_CHARS:
        return TurnClass.NONE
    if _ASKS.search(plain):
        return TurnClass.SOFT
    return TurnClass.SOFT if len(plain) >= 2 * SHORT_CHARS else TurnClass.NONE


def _is_talk(plain: str) -> bool:
    """Greetings, thanks and consent: nothing but small words of talk."""
    said = _WORDS.findall(plain)
    return len(said) <= _TALK_WORDS_MAX and all(word in _TALK_WORDS for word in said)
