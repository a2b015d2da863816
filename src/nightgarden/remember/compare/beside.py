"""Signs that a statement stands beside a known one and does not end it, and signs that it means to end a rule. Pure.

Exact, in English, German, French and Spanish: words that add ("too", "auch"), words that allow a case ("is fine for",
"está bien en"), a subject with a modifier that the known one has not ("the admin API"), one more thing forbidden, and
words that take a rule back ("from now on", "again", "wir … jetzt doch"). Does not see a special case that is told by
its place alone, without a word for it.
"""

from __future__ import annotations

import re

from nightgarden.domain.text import fold, query_terms, stem, words
from nightgarden.remember.compare.align import AlignmentGap, agree, align
from nightgarden.remember.compare.change import find_change
from nightgarden.remember.compare.guards import denied
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.lexicon.classes import exclusive
from nightgarden.remember.compare.statement import Statement, Word, read

# All without accents, as `fold` leaves a text.
_ADDS = re.compile(
    r"\btoo(?=\s*(?:[.,;:!)]|$))|(?<!see )\b(?P<english>also)\b|\bas well\b|\badditionally\b|\bin addition\b"
    r"|\banother\b(?! (?:\d|two|three|four|five|six|ten|few|couple))"
    r"|\bauch\b(?! (?:wenn|nicht|kein\w*|nie|immer|so)\b)|\bzusatzlich|\bau(?:ss|ß)erdem\b|\bebenfalls\b"
    r"|\bein(?:e|en|em|er)? weitere[rsnm]?\b|\baussi\b(?! \w+ qu)|\begalement\b|\bune? autre\b|\btambien\b"
    r"|\bademas\b|(?<!el )(?<!la )\botr[oa]\b",
    re.IGNORECASE,
)
_PERMITS = re.compile(
    r"\b(?:(?:is|are|stays?|remains?) (?:\w{2,10} )?(?:fine|okay|ok|allowed|permitted|acceptable|enough|alright"
    r"|all right)"
    r" (?:for|in|on|at|when|if|during|inside|within|as long)"
    r"|except|unless|only (?:for|in|on|when|during|if)"
    r"|(?:ist|sind) (?:\S+ ){0,3}?(?:okay|ok|erlaubt|in ordnung|zulassig|gestattet)|reicht|genugt|au(?:ss|ß)er"
    r" (?:bei|in|fur|wenn)|nur (?:fur|in|bei|wenn)"
    r"|sauf|excepte|hormis|(?:est|sont) (?:autorise|permis|accepte|acceptable|toleree?)\w{0,2}|suffit|suffisent"
    r"|seulement (?:pour|dans|en)"
    r"|uniquement (?:pour|dans|en)|salvo|excepto|(?:esta|estan) (?:bien|permitid[oa]s?) (?:en|para|cuando|si)"
    r"|basta|bastan|solo (?:en|para|cuando)"
    r"|(?:es|son) aceptables? (?:en|para))\b",
    re.IGNORECASE,
)
_CASE = re.compile(  # a case that the whole sentence is of: "For release branches we …", "…, when we talk about X"
    r"^\W*(?:for|in|on|at|during|fur|bei|im|in der|in den|pour|dans|para|en)\s[^\W\d]", re.IGNORECASE
)
_WHEN = re.compile(r"\b(?:when|if|wenn|falls|quand|lorsque|cuando)\b", re.IGNORECASE)
_ONLY = re.compile(
    r"\b(?:only|just|nur|ausschliesslich|seulement|uniquement|solo|solamente|unicamente|exclusively)\b", re.IGNORECASE
)
_GERMAN = frozenset(
    "der die das den dem ist sind und wir ich mir mich wie so was nicht ein eine bei mit".split()
)  # "also" is "so"
_ASIDE_WORDS = 5  # before a comma; what adds after them adds to something else
_TAKES_BACK = re.compile(
    r"\bnow\b|\bas of (?:now|today|this)|\bagain\b|\bno longer\b|\bany ?more\b|\bafter all\b|\b(?:we|i|you|they"
    r"|it) (?:actually )?do(?:es)? (?!not\b)[a-z]{3}"
    r"|\bstarting (?:today|now|from|next|this)\b"
    r"|\bchanged (?:my|our) minds?\b|\bjetzt\b|\bnun\b|\bab (?:jetzt|sofort|heute|morgen)\b|\bkunftig\b|\bdoch\b"
    r"|\bwieder\b|\bnicht mehr\b|\binzwischen\b"
    r"|\bmittlerweile\b|\bdesormais\b|\bdorenavant\b|\bmaintenant\b|\ba partir d|\b(?:de|a) nouveau\b"
    r"|\bfinalement\b|\bdes (?:aujourd|maintenant)"
    r"|\bya (?:se )?pued"
    r"|\bdesde (?:hoy|ahora)\b|\bde nuevo\b|\botra vez\b|\bahora\b|\bya no\b|\bal final\b|\bvolve(?:mos|r) a\b"
    r"|\bvolvimos a\b|\bvuelven? a\b|\bde novo\b|\bdi nuovo\b|\bopnieuw\b|\bznowu?\b|\bснова\b|\bопять\b",
    re.IGNORECASE,
)
_BARE_NOW = re.compile(
    r"(?<!from )(?<!as of )(?<!ab )\b(?:now|jetzt|nun|inzwischen|mittlerweile|maintenant|ahora)\b"
    r"(?! (?:on|doch|wieder)\b)",
    re.IGNORECASE,
)
_BAN_LIFTED = re.compile(
    r"\b(?:ban|rule|freeze|restriction|prohibition)(?: (?:on|against) (?:\w+ ){0,3}?\w+)? (?:is |was "
    r"|has been )?(?:lifted"
    r"|gone|over|off|dropped|revoked)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"\b(?:again|from now on|ya(?= (?:se )?pued)|maintenant(?= \w+(?:er|ir|re)\b)"
    r"|wieder|ab (?:jetzt|sofort|heute)|(?:de|a) nouveau|desormais|finalement|de nuevo|otra vez"
    r"|vuelven? a|desde (?:ahora|hoy)|a partir de (?:ahora|hoy|agora|hoje)|de novo|di nuovo|d['’]ora in poi"
    r"|opnieuw|weer"
    r"|vanaf nu|znowu?|ponownie|снова|опять)\b|又|再次|重新|再び|また",
    re.IGNORECASE,
)
_SMALL_VERB = re.compile(r"(?:use[sd]?|using|benutz|nutz|verwend|utilis|us[aeo]|utiliz)\w{0,4}\Z")
_ALLOWS = re.compile(
    r"\b(?:allowed|permitted|fine|okay|ok|may|erlaubt|gestattet|zulassig|durfen|darf|in ordnung|autorisee?s?"
    r"|permise?s?"
    r"|permitid[oa]s?|podemos|pueden?|peut|peuvent|pouvons|permess[oaie]|consentit[oaie]|podemos|toegestaan|mag|mogen|dozwolon\w"
    r"|wolno|разрешен\w?|можно)\b|允许|可以|許可",
    re.IGNORECASE,
)
# Words that say no more than that something holds, or that it holds again.
_IDLE = (
    grammar.MOMENTS
    | grammar.CHANGE_MARKS
    | frozenset(
        """again after all do does allowed permitted okay ok fine may can free rule ban lifted people everybody everyone
    just on man se ya pouvez wieder doch jetzt ab sofort heute kunftig durfen darf konnen erlaubt nun
    inzwischen partir hoy ahora nuevo vez otra aujourd hui desormais
    maintenant nouveau dorenavant peut peuvent pouvons puede pueden podemos permitido permitida permis autorise nous
    wir uns vuelve vuelven estar""".split()
    )
)
# A short text often has no word by which its language is known.
_FOREIGN_SMALL = frozenset(word for word in grammar.FOREIGN_FUNCTION_WORDS if len(word) <= 3)
_WITHOUT = re.compile(r"\b(?:without|ohne|sans|sin)\b|\b(?:no|nur|not) (?:only|longer|more)\b", re.IGNORECASE)
_CORRECTS = frozenset("new old current former actual correct default right neu neue neuer neues aktuelle".split())
_COVERED_MIN = 0.6  # of a rule's words, from which on a statement is on what the rule is on
_COMPOUND_MIN = 3  # letters of the word that a compound ends with: "Admin-API"


def adds(known: str, new: str) -> bool:
    """Whether the newer statement says of itself that it adds: "on Thursdays too". Not where it ends something besides,
    and not to what the known one says is all there is."""
    plain, other = fold(new), read(new)
    if (denied(new) and not denied(known)) or _ONLY.search(fold(known)):
        return False
    if not any(_is_addition(plain, match, other) for match in _ADDS.finditer(plain)):
        return False
    moves = grammar.CHANGE_VERBS | grammar.SHIFT_VERBS
    return find_change(other) is None and not any(
        word.key in moves or word.low in grammar.LEAVING for word in other.words
    )


def _is_addition(plain: str, match: re.Match[str], statement: Statement) -> bool:
    if match["english"] is not None and len(statement.lows & _GERMAN) > 1:
        return False
    main, comma, _ = plain[: match.start()].rpartition(",")
    return not comma or len(main.split()) < _ASIDE_WORDS


def permits(new: str) -> bool:
    """Whether it allows a case, or says that it holds for one only."""
    return _PERMITS.search(fold(new)) is not None


def is_of_a_case(new: str) -> bool:
    """Whether it begins with where or for what it holds."""
    return _CASE.search(fold(new)) is not None


def tells_a_change(new: str) -> bool:
    """Whether it says that something changed; not by the noun alone ("for docs-only changes")."""
    other = read(new)
    return find_change(other) is not None or not other.lows.isdisjoint(grammar.CHANGE_MARKS)


def says_when(new: str) -> bool:
    return _WHEN.search(fold(new)) is not None


def takes_back(new: str) -> bool:
    """Whether it says of itself that things are otherwise from now on, or again."""
    plain = fold(new)
    return _TAKES_BACK.search(plain) is not None or _BAN_LIFTED.search(plain) is not None


def lifts(new: str) -> bool:
    """Whether it says so in more than "now": again, from now on, allowed. "We use eval now" may be the very mistake
    that was forbidden."""
    plain = fold(new)
    return takes_back(_BARE_NOW.sub(" ", plain)) or _ALLOWS.search(plain) is not None


def allows_again(new: str) -> bool:
    """Whether it allows something that was not allowed, by its own words."""
    plain = fold(new)
    return _BAN_LIFTED.search(plain) is not None or bool(_ALLOWS.search(plain) and _AGAIN.search(plain))


def is_lifted(known: str, new: str) -> bool:
    """Whether it allows again what a rule forbids, and no less: "eval is allowed again", "the ban on it is lifted"."""
    if not allows_again(new) or says_when(new):
        return False
    other = _telling(read(new))
    one = [word for word in _telling(read(known)) if word.key not in grammar.HABITS and not _SMALL_VERB.match(word.low)]
    one = [word for word in one if not denied(word.low)]
    return bool(one) and all(any(agree(word, each) for each in other) for word in one) and len(other) <= len(one) + 2


def says_nothing_new(known: str, new: str) -> bool:
    """Whether all its words are known: after "Don't use emojis", "Use emojis" is the same order without its denial."""
    return words(new) <= words(known)


def forbids(text: str) -> bool:
    """Whether it denies what it says; "without review" denies only a part."""
    return denied(_WITHOUT.sub(" ", text))


def is_on_the_same(known: str, new: str) -> bool:
    """Whether most of what the known one speaks of is in the newer one."""
    one, other = _telling(read(known)), _telling(read(new))
    shared = sum(any(agree(word, each) for each in other) for word in one)
    return bool(one) and shared >= _COVERED_MIN * len(one)


def shared_words(known: str, new: str) -> int:
    """How many words the two have in common; "two approvals" and "one approval" have one."""
    other = _telling(read(new))
    told = sum(any(agree(word, each) for each in other) for word in _telling(read(known)))
    one, two = ({stem(term) for term in query_terms(text) if not term.isdigit()} for text in (known, new))
    return max(told, len(one & two))


def says_of_what(known: str, new: str) -> bool:
    """Whether the main clause of the newer one has something that the known one has not: a modifier, a place, a"
    " case."""
    one, other = read(known), read(new)
    added = [word for word in _telling(other) if not any(agree(word, each) for each in one.content)]
    return any(word.clause == other.content[0].clause for word in added)


def has_narrower_subject(known: str, new: str) -> bool:
    """ "The admin API listens on 8443" beside "The API listens on 8080": a modifier before what differs, and else one
    value for another."""
    one, other = read(known), read(new)
    laid = align(one, other)
    gaps = laid.gaps
    if not laid.pairs or laid.moved or any(gap.old and not gap.new for gap in gaps):
        return False
    if len(gaps) == 1 and _says_where_first(gaps[0], one, other):
        return True
    shared = {id(other.content[j]) for _, j in laid.pairs}
    before: list[int] = []
    values: list[int] = []
    for at, gap in enumerate(gaps):
        gone, come = tuple(one.content[i] for i in gap.old), tuple(other.content[j] for j in gap.new)
        if _narrows(gone, come, other, shared):
            before.append(at)
        if gone and not _compounds(gone, come):
            values.append(at)
    return len(before) == len(values) == 1 and before[0] < values[0]


def forbids_one_more(known: str, new: str) -> bool:
    """ "No deploys on Mondays" beside "No deploys on Fridays": two things forbidden; of two limits one holds, and
    "tabs, not spaces" is the opposite of "spaces, not tabs"."""
    one, other = read(known), read(new)
    if not (forbids(known) and forbids(new)) or other.changes or takes_back(new):
        return False
    if says_nothing_new(known, new):
        return False
    return not any(word.numeric for each in (one, other) for word in each.content)


def differ_in_one_word(known: str, new: str) -> bool:
    return len(words(known) - words(new)) == len(words(new) - words(known)) == 1


def _telling(statement: Statement) -> list[Word]:
    idle = _IDLE | _FOREIGN_SMALL
    return [word for word in statement.content if word.low not in idle and word.key not in grammar.LIGHT]


def _narrows(old: tuple[Word, ...], new: tuple[Word, ...], statement: Statement, shared: set[int]) -> bool:
    if _compounds(old, new):
        return True
    if old or any(word.numeric or word.denied for word in new):
        return False
    moves = grammar.CHANGE_VERBS | grammar.SHIFT_VERBS | grammar.LIGHT
    if any(word.low in _IDLE | _CORRECTS or word.key in moves for word in new):
        return False
    return _belongs(new, statement.words, shared)


def _says_where_first(gap: AlignmentGap, one: Statement, other: Statement) -> bool:
    """ "Messages in the legacy repo are in German": a place, then the verb, then the other value."""
    if len(gap.old) != 1 or len(gap.new) < 2:
        return False
    replaced, new = one.content[gap.old[0]], tuple(other.content[j] for j in gap.new)
    if not _are_of_one_kind(replaced, new[-1]):
        return False
    words = other.words
    first, last, value = (next(at for at, word in enumerate(words) if word is new[each]) for each in (0, -2, -1))
    led = next((word.low for word in reversed(words[:first]) if word.low not in _ARTICLES), "")
    return led in _INSIDE and any(word.low in grammar.COPULAS for word in words[last + 1 : value])


def _are_of_one_kind(one: Word, other: Word) -> bool:
    named = one.kind is not None and one.kind is other.kind
    return named or (one.numeric and other.numeric) or exclusive(one.key, other.key)


def _belongs(new: tuple[Word, ...], words: tuple[Word, ...], shared: set[int]) -> bool:
    """Whether added words stand right before a shared one ("admin API", "importer in the backend"), or after"
    " "for"."""
    first, last = (next(at for at, word in enumerate(words) if word is each) for each in (new[0], new[-1]))
    led = [word for word in reversed(words[:first]) if word.low not in _ARTICLES][:1]
    after = words[last + 1 :]
    within = bool(after) and after[0].low in _INSIDE
    following = [word for word in after if not within or word.low not in _ARTICLES | _INSIDE][:1]
    leads = bool(led) and led[0].low in _INSIDE and len([word for word in words[:first] if id(word) in shared]) > 0
    return leads or any(id(word) in shared for word in following)


_ARTICLES = frozenset(
    "the a an our my der die das dem den des unser unsere le la les l' el los las un una une notre".split()
)
_INSIDE = frozenset("in of for on im fur bei von vom de d' du des dans pour en para del".split())


def _compounds(old: tuple[Word, ...], new: tuple[Word, ...]) -> bool:
    """ "Admin-API" of "API", "Auditlogs" of "Logs"."""
    if len(old) != 1 or len(new) != 1 or new[0].low == old[0].low:
        return False
    return len(old[0].low) >= _COMPOUND_MIN and new[0].low.endswith(old[0].low) and not new[0].numeric
