"""Whose a statement is, where its words say so: the user's wherever they work, the project's, or somebody else's. Pure.

Exact, in English, German, French and Spanish: "in all my repos", "Tutoie-moi", "our customers prefer …". What says
nothing of the kind is left to the classifier.
"""

from __future__ import annotations

import re
from enum import StrEnum

from nightgarden.domain.text import fold


class Reach(StrEnum):
    """Where a statement holds by its own words."""

    EVERYWHERE = "everywhere"
    PROJECT = "project"


_WORKS = r"(?:projects?|repos?|repositor(?:y|ies)|code ?bases?|projekten?|projets?|depots?|proyectos?|repositorios?)"
_EVERYWHERE = re.compile(
    rf"\b(?:(?:all|each|every one) (?:of )?my (?:\w+ )?{_WORKS}"
    rf"|(?:any|each|every) (?:\w+ )?{_WORKS} of (?:mine|the user's)"
    rf"|all (?:of )?the user's (?:\w+ )?{_WORKS}|my every {_WORKS}"
    rf"|(?:all(?:en)? meinen?|jedem meiner|allen von meinen) (?:\w+ )?{_WORKS}"
    rf"|(?:tous mes|chacun de mes) (?:\w+ )?{_WORKS}|(?:todos mis|cada uno de mis) (?:\w+ )?{_WORKS}"
    r"|(?:wherever|no matter where) (?:i|the user) works?|egal wo ich arbeite|wo (?:auch )?immer ich arbeite"
    r"|ou que je travaille|dondequiera que trabaje|donde sea que trabaje)\b",
    re.IGNORECASE,
)
# Orders on how the user is to be spoken to, at the start of a statement. Who apologises to customers is not meant.
_PLEASE = r"^(?:(?:please|bitte|s'il te plait|por favor|from now on|ab jetzt|desormais|a partir de ahora),? )?"
# What follows says that it is something else: "apologise to customers", "say sorry in error messages", "call me at 5".
_NO_MANNER = (
    r"(?! (?:to|in|bei|im|aupres|dans|ante|con|en) (?!me\b|the user\b|mi\b|general\b)"
    r"| (?:at|when|if|later|tomorrow|tonight|back|once|after|before|as soon|on|again|wenn|an|morgen|quand"
    r"|demain|cuando"
    r"|si|manana)\b| ?\d)"
)
_MANNER = re.compile(
    _PLEASE + r"(?:"
    r"(?:never|don't|do not|stop|no need to|you needn't|always) (?:apologi[sz](?:e|ing)|say(?:ing)? sorry"
    r"|(?:prais|thank|flatter|lectur|patroni[sz])(?:e|ing)? (?:me|the user)|us(?:e|ing) (?:my|the user's) "
    r"(?:(?:first|last|full) )?name)\b"
    r"|(?:(?:never|always|don't|do not|stop) )?(?:address|call)(?:ing)? (?:me|the user)\b"
    r"|(?:duze?|sieze?|ihrze?|nenne?|lobe?) mich\b|sprich mich\b|sage? (?:du|sie) zu mir\b"
    r"|entschuldige? dich (?:nie|nicht|niemals)\b|(?:nie|niemals) entschuldigen\b"
    r"|(?:tutoie|tutoyez|vouvoie|vouvoyez|appelle|appelez)-moi\b|ne me (?:tutoie|vouvoie|felicite|flatte|appelle)\b"
    r"|(?:ne t'excuse|ne vous excusez|arrete de t'excuser)\b"
    r"|(?:tuteame|tratame|llamame|hablame de (?:tu|usted))\b|no me (?:tutees|felicites|llames|trates)\b"
    r"|no te disculpes\b"
    r"|deja de (?:disculparte|felicitarme)\b)" + _NO_MANNER,
    re.IGNORECASE,
)
_LANGUAGE = (
    r"(?:english|german|french|spanish|italian|dutch|deutsch|englisch|franzosisch|spanisch|allemand|anglais|francais"
    r"|espagnol|aleman|ingles|frances|espanol)"
)
_COMMENTS = re.compile(
    r"\b(?:(?:code )?comments?|(?:code-?)?kommentare?n?|commentaires?|comentarios?|docstrings?)\b[^.!?\n]{0,30}?"
    rf"\b{_LANGUAGE}\b|\b{_LANGUAGE} (?:code )?comments\b",
    re.IGNORECASE,
)
_GROUP = (
    r"(?:customers?|clients?|users|colleagues?|co-?workers?|team(?:mates?)?|boss|manager|company|reviewers|readers"
    r"|kunden|kundinnen|kollegen|kolleginnen|nutzer|anwender|chef|chefin|leser"
    r"|clientes|collegues?|utilisateurs|equipe|equipo|lecteurs|companeros|colegas|usuarios|jefe|jefa)"
)
_SOMEBODY_ELSE = re.compile(
    r"^(?:(?:the )?user and (?:his|her|their) |me and (?:my|the) |"
    r"(?:(?:our|my|the user's|the|their|most|all|some|many|unsere?|meine?|die|der|das|nos|notre|mes|mon|les|le|l'"
    rf"|nuestros?|nuestras?|mis?|los|el) )(?:\w+ ){{0,2}})?{_GROUP}\b",
    re.IGNORECASE,
)
_TASTE = re.compile(
    r"\b(?:prefers?|likes?|dislikes?|loves?|hates?|wants?|mogen|mag|wollen|will|hassen|bevorzug\w+|lieben|wunschen"
    r"|prefer\w+|aim\w+|detest\w+|veu(?:t|lent)|prefier\w+|quier\w+|odia\w*|gusta\w*)\b",
    re.IGNORECASE,
)

# Those who do not work here, at the start of a statement; "customer data" is ours.
_ANOTHER_PARTY = re.compile(
    r"^(?:(?:our|my|the|their|a|one of (?:our|the)|unsere?r?|mein[e]?|der|die|das|ein[e]?|nos|notre|le|la|les"
    r"|l'|mon|ma|un"
    r"|une|nuestr[oa]s?|mis?|los|las|el|il|lo|i|gli|il nostro|la nostra|o|a|os|as|nosso|nossa|de|het|onze?|ons"
    r"|nasz\w?"
    r"|наш\w?) (?:\w+ )?)?"
    r"(?:(?:customer|client|vendor|supplier|competitor|contractor)(?<!the client)(?= (?:\w+ly )?(?:has|is|was"
    r"|\w+ed|\w+s|went|left)\b)"
    r"|(?:kunde|kundin|lieferant|dienstleister|wettbewerber)|(?:client|fournisseur|prestataire|concurrent)"
    r"|(?:cliente|proveedor|competidor|fornecedor|concorrente|fornitore)"
    r"|(?:klant|leverancier|concurrent)|(?:klient|dostawca|konkurent)|(?:клиент|заказчик|поставщик|конкурент)"
    r"|(?:other|another|sister|neighbou?ring) (?:team|company|department|project|group)s?"
    r"|ander(?:e|es|er) (?:team|firma|abteilung|projekt)|autre (?:equipe|entreprise|projet)"
    r"|otr[oa] (?:equipo|empresa|proyecto)|outr[oa] (?:equipe|time|empresa|projeto)"
    r"|(?:altr[oa] )(?:team|squadra|azienda|progetto)|andere (?:team|bedrijf|afdeling))\b"
    r"|^(?:我们的)?(?:客户|供应商)|^(?:另一个|其他)(?:团队|公司)|^(?:うちの)?(?:顧客|お客|取引先)|^(?:別"
    r"|他)の(?:チーム|会社)",
    re.IGNORECASE,
)
# What one is called: "Je m'appelle Élodie" says nothing of whatever else is known of her.
_OWN_NAME = re.compile(
    r"^\W*(?:(?:(?:the )?user is|i'm|i am) (?:called|named)|(?:my|the user's) name is|ich hei(?:ss|ß)e|mein name ist"
    r"|je m'appelle|mon (?:pre)?nom est|me llamo|mi nombre es|mi chiamo|me chamo|o meu nome e|ik heet|mam na imie"
    r"|меня зовут)\s+(?-i:[A-ZА-ЯÀ-Þ])",
    re.IGNORECASE,
)
_ANSWERS = re.compile(r"\b(?:answers?|repl(?:y|ies)|antwort(?:en|e)?|reponses?|respuestas?)\b", re.IGNORECASE)


def stated_reach(text: str) -> Reach | None:
    """Where it holds by its own words; None when they say nothing of it."""
    plain = _plain(text)
    if _EVERYWHERE.search(plain) or orders_manner(text):
        return Reach.EVERYWHERE
    if _COMMENTS.search(plain) or _SOMEBODY_ELSE.search(plain):
        return Reach.PROJECT
    return None


def orders_manner(text: str) -> bool:
    """Whether it is an order on how the user is to be spoken to, which lasts however short it is."""
    return _MANNER.search(_plain(text)) is not None


def tells_own_name(text: str) -> bool:
    """Whether it says what the user is called."""
    return _OWN_NAME.search(_plain(text)) is not None


def other_holders(one: str, other: str) -> bool:
    """Whether one is what customers, colleagues and the like prefer, and the other what the user does."""
    return (_is_taste_of_others(one) and _is_own(other)) or (_is_own(one) and _is_taste_of_others(other))


def is_of_another_party(text: str, known: str) -> bool:
    """Whether it is about what a customer or another team does, of whom the known statement says nothing."""
    match = _ANOTHER_PARTY.search(_plain(text))
    return match is not None and match[0].split()[-1].casefold() not in _plain(known).casefold()


def _is_taste_of_others(text: str) -> bool:
    plain = _plain(text)
    return _SOMEBODY_ELSE.search(plain) is not None and _TASTE.search(plain) is not None


def _is_own(text: str) -> bool:
    plain = _plain(text)
    return _SOMEBODY_ELSE.search(plain) is None and (_TASTE.search(plain) or _ANSWERS.search(plain)) is not None


def _plain(text: str) -> str:
    return fold(text).replace("’", "'").strip()
