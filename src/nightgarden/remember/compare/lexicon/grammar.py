"""Small words and what they do: function words, negators, verbs that take one or many values. Knows words only.

English first; the basics of German, French and Spanish.
"""

from __future__ import annotations

from nightgarden.remember.compare.lexicon.alike import lemma


def _stems(listed: str) -> frozenset[str]:
    return frozenset(lemma(word) for word in listed.split())


ARTICLES = frozenset("a an the this that these those".split())
FUNCTION_WORDS = ARTICLES | frozenset(
    """is are was were be been being am 's do does did have has had will would shall should can could may might must
    of to in on at by for from with as into onto about over under up down out off through during per via than then
    and or
    i we you they it he she me us them my our your their its his her there here who which what that's also just so
    too very really
    some any each every all please always already still currently now today right quite rather pretty actually
    basically""".split()
)
# Of other languages; only where the statement is in one of them, because "hat", "die" and "son" are English words too.
FOREIGN_FUNCTION_WORDS = frozenset(
    """der die das den dem des ein eine einen einem einer ist sind war hat haben wird werden im am auf bei mit von
    zu fur und oder auch ich wir er sie es mein unser sehr in an
    le la les un une est sont a ont dans sur avec de du en pour et ou je nous il elle mon notre sa son ses au aux l
    d qu j c s
    el los las una unos unas son esta es con por para y o mi nuestro su se lo al del""".split()
)
ENGLISH_MARKS = frozenset("the is are to of and with for user we not at uses has does use it from this".split())
FOREIGN_MARKS = frozenset(
    """der die das dem den ist nicht kein keine keinen ich wir nutzt mag wohnt am im und auf le la les est pas une
    ne dans du projet l el los las
    es una ya usuario en proyecto usa vive utilise aime habla""".split()
)
PREPOSITIONS = frozenset(
    "in on at near by from to into inside outside with for of during under over im am auf bei dans sur".split()
)
# Said or not said, the statement stays the same.
LIGHT = _stems(
    """please note remember that user we i team project currently now already still really very just also always
    generally usually
    basically actually simply today as of here there our my the own own's s make sure ensure be must should want
    would will has have do
    somewhat quite rather main new"""
)

NEGATORS = frozenset(
    """not no never without neither nor nobody nothing nowhere none cannot hardly barely avoid avoids avoiding
    refuse refuses refused lack lacks lacking except excluding instead_of rather_than as_opposed_to unlike""".split()
)
# Deny what follows only before an activity: "stop using", not "a man stops".
STOPPING = frozenset("stop stops stopped stopping quit quits".split())
# Deny what follows only where somebody gave it up: "we dropped X", not "dropped into a pot".
DROPPING = frozenset("dropped abandoned removed retired ditched".split())
DROPPERS = frozenset("we i they team project have has user was were".split())
FOREIGN_NEGATORS = frozenset(
    """kein keine keinen keiner keinem keines nie niemals ohne weder ne sans aucun aucune jamais ni no nunca jamas
    sin ningun ninguna ninguno tampoco""".split()
)
# Placed after what they deny, or denying the whole clause: "X is deprecated", "Kaffee mag ich nicht".
CLAUSE_NEGATORS = frozenset(
    """nicht deprecated obsolete forbidden prohibited banned disallowed discontinued unsupported
    gone anymore verboten interdit prohibido unnecessary""".split()
)
# French "ne … pas" is one negation, and so are "not … anymore" and "no longer".
NEGATION_PARTNERS = frozenset("pas plus jamais rien anymore any_more mehr longer".split())
CLAUSE_ENDS = frozenset(
    """but because since so when if while unless until although though whereas aber weil wenn damit mais parce quand
    si pero porque cuando""".split()
)

# Objects of these may be many when it is a habit ("drinks tea"), one when it happens now ("is drinking tea").
HABITS = _stems(
    """use have has drink eat play wear drive run ride cook sing listen need require take get write provide nutzt
    verwendet hat trinkt isst utilise boit mange usa utiliza tiene bebe come using"""
)
# What a thing has one of, so that another value replaces it: "the port is", "her manager is", "default branch:".
SINGLE_NOUNS = _stems(
    """name port version branch default path url host hostname address email phone birthday age manager boss wife
    husband spouse partner capital
    license licence timezone deadline price cost budget size limit timeout color colour theme format location office
    owner lead leader maintainer ceo cto
    status priority level favorite favourite region endpoint salary title password username nickname surname start
    end date time
    maximum minimum threshold interval ttl framework runner editor shell provider prefix suffix directory folder
    file entrypoint schema
    height weight duration length width goal target reviewer captain president mayor teacher doctor dentist landlord
    hometown
    hauptstadt chef adresse farbe sprache chemin langue puerto rama nombre base frist standard"""
)
# "Anna leads the team", "Ben owns billing": one holder at a time.
SINGLE_HOLDER = _stems("lead own owns manage head maintain chair responsible charge supervise ceo cto leiter")
CHANGE_VERBS = _stems(
    """switch move migrate change upgrade downgrade transition convert replace rename relocate swap wechsel
    gewechselt umgestiegen umgezogen migre passe cambio
    migro mudo bump replaced moved switched adopt adopted geandert umgestellt migriert verlegt verschoben erhoht gesenkt
    umbenannt deplace renomme passes cambiado migrado movido"""
)
# These tell of a change only with both ends: "the limit went from 10 to 20".
SHIFT_VERBS = _stems(
    """went gone raise raised lower lowered increase increased decrease decreased reduce reduced extend extended
    shorten shortened grew rose postpone postponed reschedule rescheduled"""
)
# A project has many of these: what stands before them says which.
COMMON_THINGS = _stems(
    """service server module code system app application project cluster component library package job task team tool
    database table queue cache api endpoint page site worker pipeline repo repository environment"""
)
# When something happened; not what it happened to.
MOMENTS = frozenset(
    """yesterday today tonight week month year last ago monday tuesday wednesday thursday friday saturday sunday january
    february march april june july august september october november december morning evening""".split()
)
CHANGE_MARKS = frozenset(
    """now nowadays meanwhile anymore no_longer from_now_on as_of since instead jetzt inzwischen neuerdings desormais
    maintenant ahora finally recently""".split()
)

# Who or what: in a statement about nobody in particular, another of these is another one.
BEINGS = _stems(
    """man woman boy girl guy lady gentleman male female person people child kid baby toddler adult mother father
    son daughter brother sister
    dog cat horse puppy kitten bird he she him her"""
)
QUANTIFIERS = {
    "always": 3,
    "often": 2,
    "usually": 2,
    "sometimes": 1,
    "rarely": 0,
    "all": 3,
    "every": 3,
    "each": 3,
    "most": 2,
    "many": 2,
    "some": 1,
    "any": 0,
    "few": 1,
    "no": -1,
    "none": -1,
}
COPULAS = frozenset("is are was were be been now called named ist sind heisst est es equals to".split())
BARE_CLAUSE_NEGATORS = frozenset("nicht anymore".split())
# "left Siemens and now works at Bosch": what they govern is over.
LEAVING = frozenset("left leaving sold quit cancelled canceled ditched abandoned".split())
