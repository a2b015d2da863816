"""Sentences that say which thing took another's place: "Vitest replaced Jest", "Jest wurde durch Vitest ersetzt". Pure.

In English, German, French and Spanish, in the forms that name both things. Does not see an end told with one name only
("Jest is history"), and takes what is denied, planned or asked for no replacement that has happened.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from nightgarden.domain.text import fold
from nightgarden.remember.compare.align import agree
from nightgarden.remember.compare.entities import EntityKind
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.statement import Statement, Word, read

# Written without accents, as `fold` leaves a text.
_OLD, _NEW = (rf"(?P<{name}>[^,;:!?()\n]{{1,50}}?)" for name in ("old", "new"))
_END = r"(?=$|[,;:!?()\n]|\.(?:\s|$))"
_BY_US = r"\b(?:we|i|they|the team)(?:'ve| have| had)?(?: \w{3,9}){0,1} "
_WIR = r"\b(?:haben wir|wir haben|habe ich|ich habe)(?: \w{3,10})?? "
_ON = r"\b(?:nous avons|on a|j'ai)(?: \w{3,10})?? "
_FORMS = tuple(
    re.compile(form + _END, re.IGNORECASE)
    for form in (
        # what was done to the old one
        rf"{_BY_US}(?:replaced|dropped|ditched|swapped(?: out)?|traded|abandoned|left|exchanged|retired|scrapped"
        rf"|gave up|binned)"
        rf" {_OLD} (?:for|with|by|in favou?r of) {_NEW}",
        rf"{_WIR}{_OLD} (?:durch|gegen|zugunsten von|fur) {_NEW} (?:ersetzt|(?:aus|ein)?getauscht|abgelost"
        rf"|aufgegeben)",
        rf"{_ON}(?:remplace|abandonne|laisse tomber|quitte|lache|troque) {_OLD} (?:par|pour|au profit de|contre)"
        rf" {_NEW}",
        rf"\b(?:sustituimos|reemplazamos|cambiamos|dejamos|abandonamos|hemos (?:sustituido|reemplazado|cambiado"
        rf"|dejado"
        rf"|abandonado)) (?:a )?{_OLD} por {_NEW}",
        # what became of the old one
        rf"{_OLD} (?:was|is|were|are|got|gets|has been|have been|is being)(?: now)? (?:replaced|superseded"
        rf"|supplanted|succeeded|swapped)"
        rf" (?:by|with|for) {_NEW}",
        rf"{_OLD} (?:has |have )?(?:made (?:way|room) for|gave way to|given way to|gives way to) {_NEW}",
        rf"{_OLD} (?:wurde|wurden|wird|ist|sind)(?: \w{{3,10}})?? (?:durch|von) {_NEW} (?:ersetzt|abgelost"
        rf"|verdrangt)(?: worden)?",
        rf"{_OLD} (?:a|ont) ete (?:remplacee?s?|supplantee?s?) par {_NEW}",
        rf"{_OLD} (?:est|sont|fut)(?: \w{{3,10}})?? (?:remplacee?s?|supplantee?s?) par {_NEW}",
        rf"{_OLD} (?:a |ont )?(?:cede|laisse) (?:la |sa )?place a {_NEW}",
        rf"{_OLD} (?:fue|fueron|ha sido|han sido|esta)(?: \w{{3,10}})?? (?:sustituid|reemplazad)[oa]s? por {_NEW}",
        rf"{_OLD} (?:dio|ha dado|dejo|ha dejado) (?:paso|su lugar|lugar) a {_NEW}",
        # what the new one did
        rf"{_NEW} (?:has |have |is |are )?(?:now |fully |finally )?(?:took|takes|taken|taking) {_OLD}(?:'s|s'|’s"
        rf"|') (?:place|spot|role)",
        rf"{_NEW} (?:took|takes|has taken|have taken|is taking) (?:over from|the place of) {_OLD}",
        rf"{_NEW} (?:has |have )?(?:now |fully |finally |already )?(?:replaces?d?|supersedes?d?|supplants?(?:ed)?"
        rf"|succeeded|displaced)"
        rf" {_OLD}",
        rf"{_NEW} (?:hat|haben)(?: (?:jetzt|inzwischen|mittlerweile|endlich|nun|bereits))? {_OLD} (?:ersetzt"
        rf"|abgelost|verdrangt)",
        rf"{_NEW} (?:ersetzt|ersetzte|ersetzen)(?: (?:jetzt|inzwischen|nun|ab sofort))? {_OLD}",
        rf"{_NEW} (?:lost|loste)(?: (?:jetzt|inzwischen|nun))? {_OLD} ab",
        rf"{_NEW} (?:tritt|trat|ist) an die stelle von {_OLD}(?: getreten)?",
        rf"{_NEW} (?:a |ont )?(?:maintenant |desormais )?(?:remplacent|remplace|remplaca|supplante|detrone) {_OLD}",
        rf"{_NEW} (?:a pris|prend|prit|ont pris) la place (?:de |d')(?:l')?{_OLD}",
        rf"{_NEW} (?:ha |han )?(?:sustitu(?:yo|ye|yeron|ido)|reemplaz(?:o|a|aron|ado)|desplaz(?:o|a|ado)) (?:al?"
        rf" )?{_OLD}",
        rf"{_NEW} (?:ocupo|ocupa|tomo|toma|ha ocupado|ha tomado) el lugar de(?:l)? {_OLD}",
        # the one instead of the other
        rf"{_NEW} (?:instead of|in place of|statt|anstatt|anstelle von|au lieu d[e'] ?|en lugar de|en vez de) {_OLD}",
    )
)
# What is denied is what went.
_CONTRASTS = tuple(
    re.compile(form + _END, re.IGNORECASE)
    for form in (
        rf"\bno longer (?:use[sd]?|using|on|with|runs?(?: on)?|in) {_OLD},? but(?: (?:use[sd]?|on|with|in))? {_NEW}",
        rf"\bnicht mehr (?:mit |auf |bei |in )?{_OLD},? sondern(?: jetzt| nun)? (?:mit |auf |bei |in )?{_NEW}",
        rf"\bya no (?:usa(?:mos|n)?|utiliza(?:mos|n)?|va(?:mos|n)? con|est(?:a|amos|an) en) {_OLD},? sino "
        rf"(?:que usa(?:mos|n)? )?{_NEW}",
        rf"\bn['e] ?(?:utilis(?:e|ent|ons)|emploie|tourne (?:sur|avec)|passe par) plus {_OLD},? mais {_NEW}",
    )
)
# Denied, planned, supposed or asked. "wird" is also what happens now.
_NOT_SO = re.compile(
    r"\b(?:not|never|will|would|might|may|could|should|shall|plans?|planning|want|wants|if|whether|going to"
    r"|nobody|nicht|nie"
    r"|niemals|kein|keine|falls|wenn|soll|sollte|sollten|konnte|konnten|werden|will|wollen|ne|pas|jamais|si|va"
    r"|vont|pourrait|devrait"
    r"|nunca|podria|deberia|quiza|quizas|puede)\b|n't\b|n['’]a\b|\?|\bno\b",
    re.IGNORECASE,
)
_CUT = re.compile(  # what stands after a name: where, when or why
    r"\s(?:in|on|at|for|since|last|this|as|because|and|when|after|im|am|seit|bei|fur|und|weil|en|dans|pour|depuis"
    r"|desde|para|sur"
    r"|con|y|et|hace|porque|car|yesterday|today|gestern|heute|hier|ayer|hoy|now|jetzt|completely|everywhere"
    r"|entirely|again)\s?\b.*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;.:!?(\n]")
_NOBODY = frozenset("we i they it that this you wir ich sie es das on nous ils il elle ca eso esto".split())
_USED = frozenset(
    """use uses using used run runs running deploy deploys write writes written build builds built test tests render
    rendered renders host hosted send sent store stored lint linted format formatted track tracked chat
    monitor monitored

    work works go goes
    nutzen nutzt benutzen benutzt verwenden verwendet laufen lauft bauen gebaut schreiben geschrieben testen hosten
    utilise utilisons utilisent tourne tournent passe passent usa usamos usan utilizamos utiliza corre corren escribimos
    trabajamos funciona funcionan""".split()
)
_BEFORE_NAME = frozenset(
    "with on in by via through using mit auf bei uber avec sur dans en con sobre por the our der die das".split()
)
_GERMAN = frozenset("der die das wir mit ist sind wird werden lauft laufen nutzen unser unsere".split())
_SEVERAL = frozenset("and or und oder et ou y o".split())
_USAGE_WORDS_MAX = 9  # longer statements say more than that something is used
_LEFT_OPEN = frozenset("again completely entirely everywhere finally wir uns alles tout partout todo todos".split())


@dataclass(frozen=True, slots=True)
class Replacement:
    """What went, what came, whether that happened, and what else the sentence says."""

    old: tuple[Word, ...]
    new: tuple[Word, ...]
    happened: bool
    rest: tuple[Word, ...]

    def concerns(self, known: Statement) -> bool:
        """Whether a statement names what went and not what came."""
        return _all_in(self.old, known) and not _all_in(self.new, known)

    def narrower(self, known: Statement) -> bool:
        """Whether the sentence says where or for what, and the known statement does not."""
        return any(not any(agree(word, each) for each in known.content) for word in self.rest)

    def ends(self, known: Statement) -> bool:
        """Whether a statement says that what went is used, and nothing else."""
        words, names = known.words, {word.key for word in self.old}
        if len(words) > _USAGE_WORDS_MAX or known.negators or known.changes:
            return False
        nouns = {EntityKind.NAME} if known.lows & _GERMAN else set()  # German writes every noun like a name
        others = [word.kind for word in known.content if word.specific and word.key not in names]
        if known.lows & _SEVERAL or set(others) - nouns:
            return False
        at = next((at for at, word in enumerate(words) if word.key in names), 0)
        before = words[at - 1].low if at else ""
        if before in grammar.COPULAS or any(word.low in _USED for word in words[:at] if word.key not in names):
            return all(not word.content or word.key in names for word in words[at:]) or _purpose_after(words[at + 1 :])
        return before in _BEFORE_NAME and words[-1].low in _USED


def _purpose_after(words: tuple[Word, ...]) -> bool:
    return bool(words) and words[0].low in ("for", "fur", "pour", "para", "as", "als", "comme", "como")


def _all_in(words: tuple[Word, ...], known: Statement) -> bool:
    return bool(words) and all(any(agree(word, each) for each in known.content) for word in words)


@lru_cache(maxsize=1024)
def find_replacement(text: str) -> Replacement | None:
    """What took whose place, if a text says so."""
    plain = fold(text)
    for form in (*_CONTRASTS, *_FORMS):
        for match in form.finditer(plain):
            names = {side: _CUT.sub("", match[side]) for side in ("old", "new")}
            old, new = (_named(names[side]) for side in ("old", "new"))
            if (
                not old
                or not new
                or all(word.numeric for word in old)
                or len(old) > 3
                or names["new"].strip().lower() in _NOBODY
            ):
                continue
            tails = " ".join(match[side][len(names[side]) :] for side in ("old", "new"))
            rest = [
                word
                for word in read(
                    f"{plain[: match.start()]} {tails} {_CLAUSE.split(plain[match.end() :], maxsplit=1)[0]}"
                ).content
                if _tells(word)
            ]
            if form is _FORMS[-1]:  # "my laptop runs SQLite instead of Postgres"
                rest += [word for word in new[:-1] if not word.specific]
            happened = form in _CONTRASTS or _NOT_SO.search(plain) is None
            return Replacement(old, new, happened, tuple(rest))
    return None


def _named(text: str) -> tuple[Word, ...]:
    words = read(text).content
    return tuple(word for word in words if word.key not in grammar.LIGHT and word.low not in _USED | _NOBODY)


def _tells(word: Word) -> bool:
    idle = grammar.MOMENTS | grammar.CHANGE_MARKS | _LEFT_OPEN | _NOBODY
    return word.low not in idle and word.key not in grammar.LIGHT and not word.numeric
