"""Words by which somebody takes back what they said: "scratch that", "forget what I said about …". Pure.

Knows how it is said in English, German, French and Spanish, and which words name what is meant; not what was said
before. Only plain words for taking back count ("never mind, found it" ends a search, not a statement), at the start of
a clause, said in earnest and without a condition. Anything else that is forgotten, ignored or dropped is left alone: a
warning, a table, a gate.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nightgarden.domain.text import fold, query_terms, terms

CHARS_MAX = 8_000  # of a message; nobody types more, and what is pasted takes nothing back


@dataclass(frozen=True, slots=True, kw_only=True)
class TakingBack:
    """What somebody takes back, and what they say besides."""

    named: str = ""  # as written; empty when what was said last is meant
    own_words: bool = False  # "what I said about …": it can only be the speaker's own statement, whenever it was made
    before: str = ""  # the sentences before it
    after: str = ""  # what follows it

    @property
    def topic(self) -> frozenset[str]:
        """The terms that name what is taken back."""
        return topic_terms(self.named)


_LEAD = (
    r"(?:(?:please|just|ok|okay|actually|no+|wait|sorry|well|hm+|oh|oops|ups|oups|uy|ah|and|but|so|you (?:can"
    r"|may|should)|we can"
    r"|let's|(?:can|could|would) you|bitte|nein|doch|stopp?|halt|ach|äh|moment|kannst du|du kannst|und|aber|also"
    r"|perdón|espera|ay|y|pero|por favor|puedes|attends|non|pardon|désolée?|s'il te plaît|stp|et|mais|tu peux)"
    r"[,.!…]{0,3}\s+){0,6}"
)
_STARTS = rf"(?:^|(?<=[.!?,;…\n])|(?<=\s[-–—]))\s{{0,3}}{_LEAD}"
_END = r"(?=\s*(?:$|[.!?,;:…)\n–—-]|(?:and|because|since|as|i|we|it|please|und|ich|wir|y|porque|et|car|parce)\b))"
_WHEN = (
    r"(?:\s+(?:earlier|before|yesterday|today|just now|above|previously|last (?:week|time|month)|this morning"
    r"|the other day)){0,2}"
)
# What is named: words up to a mark, or up to where a reason begins.
_TOPIC = (
    r"\s+(?P<topic>(?:(?!(?:because|since|weil|denn|porque|parce|puisque|ya que|and (?:we|i|it|that)|und (?:wir"
    r"|ich)|y (?:nos|yo)"
    r"|et (?:on|nous|je))\b|[-–—]\s)[^\s.!?,;:\n]+(?:[.:][^\s.!?,;:\n]+)?(?:\s+|(?=[.!?,;:\n]|$))){1,8})"
)
_NAMED = r"[^\s.!?,;:]+(?:\s+[^\s.!?,;:]+){0,4}?"  # the same, where more words of the form follow
_ABOUT = r"(?:about|regarding|concerning|on|with|of)"
_I_SAID = (
    rf"(?:what|everything|all|whatever) i(?:'ve| have)? (?:just |once |also |ever )?(?:said|told you|wrote"
    rf"|mentioned|claimed|stated){_WHEN}"
)
_MY_REMARK = r"my (?:last |earlier |previous |old )?(?:remark|comment|statement|note|message|claim|instruction|words)s?"
_UEBER = r"(?:über|zu|zum|zur|von|vom|mit|bezüglich|wegen)"
_ICH = r"was ich (?:(?:dir|euch|eben|gerade|vorhin|gestern|früher|zuvor|neulich|heute|mal|schon) ){0,3}"
_GESAGT = r"(?:gesagt|geschrieben|erzählt|behauptet|erwähnt)(?:\s+(?:habe?|hatte))?"
_SOBRE = r"(?:sobre|acerca de|respecto a|de|del|con)"
_DIJE = (
    r"lo que (?:te |os )?(?:he dicho|dije|comenté|conté|escribí|mencioné|había dicho)(?: (?:antes|ayer|hoy"
    r"|hace un rato))?"
)
_SUR = r"(?:sur|à propos (?:de|du|des)|au sujet (?:de|du|des)|concernant|de|du|des)"
_DIT = (
    r"ce que (?:je (?:t'ai|vous ai|viens de(?: te)?|t'avais)|j'ai|j'avais) (?:dit|dire|écrit|raconté|mentionné)"
    r"(?: (?:hier|avant|plus tôt|tout à l'heure))?"
)
_DROP = (
    r"(?:forget(?: about)?|ignore|disregard|scratch|strike|drop|cancel|retract|withdraw|take back|i(?:'ll"
    r"| want to| have to| must)? (?:take back|retract|withdraw))"
)
_VERGISS = r"(?:vergiss|vergesst|ignorier(?:e|t)?|streich(?:e|t)?|verwirf)"
_OLVIDA = r"(?:olvida(?:te de|d)?|olvide|ignora|ignore|descarta|anula|(?:yo )?retiro)"
_OUBLIE = r"(?:oublie[sz]?|ignore[sz]?|annule[sz]?|(?:je )?retire)"
_FALSE_EN = (
    r"(?:(?:was|is) (?:wrong|not (?:true|right|correct)|no longer true|nonsense|a mistake)"
    r"|(?:wasn't|isn't) (?:true|right|correct))"
)


# Said by itself: "ignore the 3 failing tests" names tests.
_FIGURE = r"\d[\w.:%-]{0,11}(?=\s*(?:$|[,;!?…\n–—]|\.(?:\s|$)|(?:and|it|i|ich|es|und|y|es|et|c)\b))"


def _forms(*forms: str) -> re.Pattern[str]:
    """The forms as one pattern; each names its topic by a group of its own."""
    numbered = (
        form.replace("TOPIC", _TOPIC.replace("topic", f"topic{number}")).replace(
            "NAMED", rf"(?P<topic{number}>{_NAMED})"
        )
        for number, form in enumerate(forms)
    )
    return re.compile(_STARTS + "(?P<form>" + "|".join(numbered) + ")", re.IGNORECASE)


# The speaker's own words about something.
_OWN = _forms(
    rf"{_DROP} (?:{_I_SAID}|{_MY_REMARK}) {_ABOUT}TOPIC",
    r"(?:scratch|strike|disregard|ignore|drop|take back) (?:my|the) NAMED remarks?\b",
    rf"{_I_SAID} {_ABOUT}\s+NAMED\s+{_FALSE_EN}",
    rf"{_VERGISS},?\s+(?:bitte,?\s+)?(?:alles,?\s+|das,?\s+)?{_ICH}{_UEBER}\s+NAMED\s+{_GESAGT}",
    rf"{_VERGISS}\s+(?:bitte\s+)?meine (?:letzte |vorige )?(?:bemerkung|aussage|anmerkung|angabe|äußerung"
    rf"|behauptung) {_UEBER}TOPIC",
    rf"ich nehme (?:meine (?:bemerkung|aussage|behauptung) )?(?:{_UEBER}\s+)NAMED\s+zurück",
    rf"(?:ich nehme (?:alles |das )?zurück,? )?{_ICH}{_UEBER}\s+NAMED\s+{_GESAGT},?"
    r" (?:nehme ich (?:wieder )?zurück|stimmt(?:e)? nicht|war (?:falsch|quatsch|unsinn)|gilt nicht(?: mehr)?"
    r"|ist falsch)",
    rf"(?:{_OLVIDA}|borra|tacha|quita|elimina) (?:todo )?(?:{_DIJE}|mi (?:comentario|mensaje"
    rf"|observación)) {_SOBRE}TOPIC",
    rf"{_DIJE} {_SOBRE}\s+NAMED\s+(?:era falso|estaba mal|no (?:es|era) (?:cierto|verdad)|no vale|lo retiro)",
    rf"(?:{_OUBLIE}|efface|raye) (?:tout )?(?:{_DIT}|ma (?:remarque|consigne|phrase)|mon (?:commentaire"
    rf"|message)) {_SUR}TOPIC",
    rf"{_DIT} {_SUR}\s+NAMED\s+(?:est faux|était faux|n'(?:est|était) pas vrai|ne vaut plus)",
)
# "The thing about …": what it is shows only in this conversation.
_THING = _forms(
    rf"(?:forget(?: about)?|disregard|scratch|strike|ignore|i take back|take back) (?:that|the"
    rf"|this)(?: whole)? (?:thing|bit|stuff|business) {_ABOUT}TOPIC",
    r"(?:forget(?: about)?|disregard|scratch|strike|ignore) (?:that|the|this|my)(?: (?:whole|entire))?\s+NAMED\s+"
    r"(?:thing|stuff|business|story)\b",
    rf"(?:forget(?: about)?|disregard|scratch|strike|ignore) (?:that|the|my)\s+(?P<figure>{_FIGURE})",
    rf"{_VERGISS}\s+(?:bitte\s+)?die\s+(?P<zahl>{_FIGURE})",
    rf"{_VERGISS}\s+(?:bitte\s+)?(?:die|das)(?: ganze)? (?:sache|geschichte|ding|zeug)s? {_UEBER}TOPIC",
    rf"{_OLVIDA} (?:el|la|los)\s+(?P<cifra>{_FIGURE})",
    rf"{_OLVIDA} (?:todo )?(?:el (?:tema|asunto)|la historia) (?:de|del|sobre)TOPIC",
    rf"{_OUBLIE} (?:le|la|les)\s+(?P<chiffre>{_FIGURE})",
    r"(?:dimentica|lascia stare) (?:la (?:storia|cosa|faccenda)|il discorso) (?:de\w{0,4}|su\w{0,4})TOPIC",
    r"esquece (?:isso|a (?:história|coisa)|o negócio) d[aeo]s?TOPIC",
    r"vergeet (?:dat|het)(?: hele)? (?:gedoe|verhaal|ding) (?:over|met|van)TOPIC",
    rf"i (?:was (?:wrong|mistaken)|misspoke) {_ABOUT}TOPIC",
    rf"{_VERGISS}\s+(?:bitte\s+)?das\s+(?:bitte\s+)?{_UEBER}TOPIC",
    rf"(?:ich nehme )?das {_UEBER}\s+NAMED\s+(?:nehme ich (?:wieder )?zurück|(?:wieder )?zurück"
    r"|war (?:mein (?:fehler|irrtum)|(?:ein )?(?:irrtum|versehen)|quatsch|unsinn|blödsinn|falsch von mir))",
    r"(?:ich habe? mich bei|bei)\s+(?P<bei>[^\s.!?,;:]+(?:\s+[^\s.!?,;:]+){0,4}?)\s+(?:habe? ich mich )?"
    r"(?:geirrt|vertan)",
    rf"{_OLVIDA} (?:lo|eso) (?:de|del|sobre)TOPIC",
    r"lo (?:de|del)\s+(?P<lo>[^\s.!?,;:]+(?:\s+[^\s.!?,;:]+){0,4}?),?\s+(?:lo retiro|olvídalo|fue un error mío"
    r"|era mentira|fue culpa mía)",
    r"me (?:equivoqué|he equivocado) (?:con|en|sobre)(?: lo (?:de|del))?TOPIC",
    rf"{_OUBLIE} (?:mon histoire|cette histoire|mes histoires|l'histoire|le truc|ce truc) (?:de|du|des|sur"
    rf"|avec)TOPIC",
    r"je me suis trompée? (?:sur|pour|avec|concernant)TOPIC",
)
# What was said last.
_LAST = re.compile(
    _STARTS + r"(?P<form>(?:"
    r"(?:scratch|strike|disregard|cancel) (?:that|this|it|what i (?:just )?(?:said|wrote)|my last (?:message"
    r"|remark|statement|comment|sentence|instruction))"
    r"|(?:forget|ignore) (?:that last bit|what i (?:just )?(?:said|told you|wrote)|my last (?:message|remark"
    r"|statement|comment|sentence|instruction))"
    r"|i take (?:that|it|this|what i (?:just )?said) back|i take back what i (?:just )?said|i misspoke"
    rf"|{_VERGISS} (?:das (?:wieder|bitte|von eben)|das|was ich (?:(?:eben|gerade|vorhin) )?{_GESAGT}"
    rf"|meine letzte nachricht)"
    r"|ich nehme das (?:wieder )?zurück|das nehme ich (?:wieder )?zurück"
    rf"|{_OLVIDA} (?:eso|{_DIJE}|mi último mensaje)|retiro lo dicho"
    rf"|{_OUBLIE} (?:ça|cela|{_DIT}|mon dernier message))" + _END + ")",
    re.IGNORECASE,
)
# The speaker was somewhere else in mind. By itself it takes back only what was said just before.
_PLACE_EN = r"(?:project|repo|repository|codebase|service|app|team|client|customer|company|product)"
_PLACE_DE = r"(?:projekt|repo|repository|dienst|service|team|kunden?|firma|produkt)"
_PLACE_ES = r"(?:proyecto|repo|repositorio|servicio|equipo|cliente|empresa)"
_PLACE_FR = r"(?:projet|dépôt|repo|service|équipe|client|boîte)"
_ELSEWHERE = re.compile(
    _STARTS + r"(?P<form>"
    rf"(?:i was (?:in |on |thinking of )?|that was (?:for |about |in )?)?(?:the )?wrong {_PLACE_EN}"
    rf"|(?:that's|that is|that was|it's|it was) (?:about |for |from |in |on )?(?:the other|another|a different"
    rf"|my other|my old) {_PLACE_EN}"
    rf"|i (?:mixed up|confused|was thinking of) (?:two|the|another|my other|a different) {_PLACE_EN}s?"
    r"|i was (?:wrong|mistaken)"
    rf"|(?:ich war |das war |war )?(?:im |das |der |beim )?falsche[nrsm]? {_PLACE_DE}"
    rf"|das (?:war|ist|gilt|galt) (?:für |in |im )?(?:ein(?:e[nmrs]?)?|das|der|dem|den|die) andere[nmrs]? {_PLACE_DE}"
    r"|(?:da )?(?:habe? ich mich|ich habe? mich) (?:da )?(?:geirrt|vertan)"
    rf"|(?:estaba en )?(?:el )?{_PLACE_ES} equivocado|(?:eso )?era (?:de|para|en) otro {_PLACE_ES}"
    rf"|me (?:equivoqué|he equivocado)(?: de {_PLACE_ES})?"
    rf"|(?:j'étais dans |c'était )?(?:le )?mauvais {_PLACE_FR}|c'(?:était|est) (?:pour |dans )?(?:un |une "
    rf"|l')autre {_PLACE_FR}"
    rf"|je me suis trompée?(?: de {_PLACE_FR})?"
    r")" + _END,
    re.IGNORECASE,
)
_SMALL_TALK = re.compile(
    rf"{_LEAD}|that(?:'s| is| was) (?:wrong|not right)|(?:forget|ignore) (?:it|that)|my (?:bad|mistake)|oops"
    rf"|ups|oups|uy|sorry|wait|no+"
    r"|das (?:stimmt nicht|ist falsch|war falsch)|vergiss (?:es|das)|falsch|tut mir leid|entschuldigung"
    r"|mein fehler|nein|perdón|lo siento"
    r"|olvídalo|olvida eso|désolée?|pardon|laisse tomber|oublie(?: ça)?|[\s.!?,;:…–—-]",
    re.IGNORECASE,
)
# Not meant so, not now, or not about what the speaker said: a condition, an exception, a quotation, a document.
_NOT_SO = re.compile(
    r"🙄|😒|🙃|😂|😅|😉|\b(?:if|unless|until|once|whenever|for now|this time|this once|for (?:this|today)\b"
    r"|just (?:this|once)|why not|lol"
    r"|haha\w{0,8}|like everyone|as (?:usual|always)|yeah right|said to|says|said,|wrote,|told me|you said"
    r"|pretend|imagine"
    r"|wenn|falls|sobald|ausnahmsweise|diesmal|vorerst|erstmal|wie immer|von dir|du (?:gesagt|geschrieben)"
    r"|sagte?|meinte?|angenommen"
    r"|por ahora|esta vez|como siempre|dijiste|has dicho|cuando|dice|imagina|ojalá"
    r"|pour (?:l'instant|le moment|cette fois)|cette fois|comme toujours|tu as dit|quand|imagine)\b"
    r"|\b(?:from|in|out of|of) (?:the |this |that |your |my )?(?:readme|docs?|documentation|ticket|issue|diff"
    r"|log|logs|output|e-?mail|file"
    r"|spec|contract|letter|changelog|pull request|pr)\b|\b(?:aus|in) (?:der|dem) (?:readme|doku|ticket|mail"
    r"|datei|log|ausgabe)\b"
    r"|\bsi\b(?!\s*,)",
    re.IGNORECASE,
)
_SARCASTIC_START = re.compile(
    r"^\W*(?:oh,? )?(?:sure|great|fantastic|brilliant|wonderful|right|of course|toll|super|klar|na klar"
    r"|natürlich|wunderbar|genial"
    r"|claro|por supuesto|bravo|bien sûr|génial)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\b(?:can|could|would) you\b|\bkannst du\b|\bpuedes\b|\btu peux\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?…])\s+|\n+")
_QUOTES = re.compile(r"[\"“”„«»]")
_SMALL_WORDS = frozenset(
    """den dem der die das des ein eine einen einem einer und oder von vom mit zu zum zur im in unser unsere
    unseren unserem mein meine meinen el la los las lo un una de del en y o con nuestro nuestra nuestros
    nuestras mi mis le les l d du des un une et ou sur notre nos mon ma mes au aux thing stuff part bit whole
    all using use used usage""".split()
)
_FORGETTING = re.compile(
    r"\b(?:forget|vergiss|vergesst|olvida|olvide|oublie|oubliez)\b|\b(?:from|out of|aus dem|aus der) (?:your "
    r"|deinem )?"
    r"(?:memory|memories|gedächtnis|erinnerung)",
    re.IGNORECASE,
)
_ENDINGS = ("e", "n", "en", "er", "es", "s", "ne")
_STEM_CHARS_MIN = 5  # of a word that is taken for another form of one: "migration", "migrationen"


def read_taking_back(text: str) -> TakingBack | None:
    """What is taken back in plain words, or None."""
    text = text[:CHARS_MAX].replace("’", "'")
    for pattern, own_words in ((_OWN, True), (_THING, False), (_LAST, False)):
        for match in pattern.finditer(text):
            if not _meant(text, match):
                continue
            named = next((said for name, said in match.groupdict().items() if said and name != "form"), "").strip()
            if pattern is not _LAST and not topic_terms(named):
                continue
            before, after = _around(text, match)
            return TakingBack(named=named, own_words=own_words, before=before, after=after)
    return None


def was_elsewhere(text: str) -> bool:
    """Whether the speaker says only that they had something else in mind: "sorry, wrong repo"."""
    text = text[:CHARS_MAX].replace("’", "'")
    match = _ELSEWHERE.search(text)
    if match is None or not _meant(text, match):
        return False
    return not _SMALL_TALK.sub("", text[: match.start("form")] + " " + text[match.end() :]).strip()


def gives_reason_elsewhere(clause: str) -> bool:
    """Whether a clause only tells why something was wrong: "I was in the wrong repo"."""
    return _ELSEWHERE.match(clause.replace("’", "'").strip()) is not None


def takes_back(text: str) -> bool:
    """Whether something said before is taken back."""
    return read_taking_back(text) is not None


def topic_taken_back(text: str) -> frozenset[str]:
    """The terms of the topic about which somebody takes back their own words; none when there is no such topic."""
    found = read_taking_back(text)
    return found.topic if found is not None and found.own_words else frozenset()


def topic_terms(named: str) -> frozenset[str]:
    """The terms that tell what is named; small words of the four languages say nothing."""
    plain = re.sub(r"[-_/.'’`]", " ", named)
    kept = " ".join(word for word in plain.split() if fold(word).lower().strip('"“”«»()') not in _SMALL_WORDS)
    return frozenset(query_terms(kept.lower())) if kept else frozenset()


def share_named(topic: frozenset[str], content: str) -> float:
    """How much of a topic a statement names, 0 to 1; other forms of a word count as it."""
    there = frozenset(terms(re.sub(r"[-_/.'’`]", " ", content))) | frozenset(terms(content))
    return sum(_is_in(term, there) for term in topic) / len(topic) if topic else 0.0


def speaks_of_forgetting(text: str) -> bool:
    """Whether the speaker wants something forgotten, in whatever words: weaker than taking back, so that an agent which
    forgets something now does as it was told."""
    return _FORGETTING.search(text) is not None


def _is_in(term: str, there: frozenset[str]) -> bool:
    if term in there:
        return True
    return len(term) >= _STEM_CHARS_MIN and any(_same_word(term, other) for other in there)


def _same_word(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _STEM_CHARS_MIN and long.startswith(short) and long[len(short) :] in _ENDINGS


def _meant(text: str, match: re.Match[str]) -> bool:
    """Whether it is said in earnest, without a condition, and not quoted."""
    start = max((m.end() for m in _SENTENCE.finditer(text, 0, match.start("form"))), default=0)
    stop = _SENTENCE.search(text, match.end())
    sentence = text[start : stop.start() if stop else len(text)]
    if sentence.rstrip().endswith("?") and not _ASKS.search(sentence):
        return False
    if len(_QUOTES.findall(text[: match.start("form")])) % 2:
        return False
    return _NOT_SO.search(sentence) is None and _SARCASTIC_START.match(sentence) is None


def _around(text: str, match: re.Match[str]) -> tuple[str, str]:
    start = max((m.end() for m in _SENTENCE.finditer(text, 0, match.start("form"))), default=0)
    return text[:start].strip(), text[match.end() :].lstrip(" ,.;:!…–—-").strip()
