"""Which parts of a sentence ask for something, and which say something. Knows how questions and requests begin in seven
languages, no grammar.

"I've never used Zotero, so how do I get started, given that we write in LaTeX?" says two things and asks one. People
who talk with an assistant wrap most of what they tell in requests; read as one, the request drowns the rest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nightgarden.remember.extract.clauses import clause_spans


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A part of a sentence with a subject of its own, without the word that joins it to what stands before."""

    start: int
    end: int
    asks: bool


_JOIN = (
    r"(?:(?:and|but|so|then|also|plus|or|since|because|considering(?: that)?|given(?: that)?|especially|particularly|as"
    r"|though|although|even though|while|now that|by the way|btw|anyway|fyi|ok|okay|hey|hi|well|please"
    r"|und|aber|also|denn|da|weil|wobei|zumal|bitte|et|mais|donc|car|comme|vu que|puisque|sachant que|du coup"
    r"|y|pero|así que|ya que|como|porque|dado que|entonces|e|ma|quindi|siccome|perché|visto che|dato che"
    r"|mas|então|já que|visto que|en|maar|dus|want|omdat|aangezien|trouwens|übrigens|au fait|por cierto"
    r"|tra l['’]altro|aliás),?\s++)"
)
_SUBJECT = (
    r"(?:(?:I|i|we|We|my|My|our|Our|there|There|it's|this is|that's|he|she|they|nobody|everyone"
    r"|everybody)(?:['’]\w+)?\b"
    r"|(?:ich|wir|mein\w*|unser\w*|je|on|nous|mon|ma|mes|notre|nos|yo|mi|mis|nosotros|nuestr\w+|io|il mio|la mia|noi"
    r"|eu|meu|minha|nós|nosso|nossa|ik|mijn|wij|we|ons|onze)\b|j['’]\w)"
)
_OPENS = re.compile(rf"{_JOIN}{{0,3}}(?P<said>{_SUBJECT})", re.IGNORECASE)
_YOU_OR_I = r"(?:you|i|we|it|there|this|that|these|those|they|he|she|the|my|our|anyone|anybody|someone|somebody)\b"
_AUXILIARY = (
    r"(?:can|could|would|will|should|shall|may|do|does|did|is|are|was|were|am|have|has|isn't|aren't|don't|doesn't|won't"
    r"|can't|couldn't|wouldn't|shouldn't)"
)
_ASKS = re.compile(
    rf"{_JOIN}{{0,3}}(?:"
    # English
    rf"{_AUXILIARY} {_YOU_OR_I}"
    rf"|(?:what|how|why|where|when|which|who|whose)(?:['’](?:s|re|d|ll)| (?:\w+ ){{0,3}}?{_AUXILIARY} {_YOU_OR_I}"
    r"| (?:is|are|was|were) (?:the|a|an|some|your|good)\b| (?:else|kind|sort|type|about|much|many|long|often|to|come"
    r"|best)\b)"
    r"|I(?:['’]m| am| was|['’]ve been)? (?:\w+ ){0,3}?(?:wondering|wonder|curious|hoping you|not sure|unsure"
    r"|not certain|looking for (?:\w+ ){0,3}?(?:advice|tips|recommendations?|suggestions?|help|ideas|guidance))\b"
    r"|I(?:['’]d| would)? (?:\w+ )?(?:like|love|need|want|appreciate) (?:you|your|some (?:help|advice|tips|guidance"
    r"|ideas)"
    r"|help|advice|to (?:know|understand|ask|hear|get your|see if))\b"
    r"|(?:any|got any|some) (?:tips|advice|ideas?|suggestions?|recommendations?|thoughts|chance|other)\b"
    r"|(?:help|tell|show|give|explain|suggest|recommend|remind|walk|advise|let) (?:me|us)\b|thoughts\b"
    # German
    r"|(?:kannst|könntest|würdest|hast|weißt|meinst|glaubst|findest|magst|machst|gibst|hilfst|sollte?n?|kann"
    r"|könnten?|muss"
    r"|müssen|gibt|ist|sind|wäre|lohnt) (?:du|ihr|ich|wir|es|das|man|sie|mir|mich|sich)\b"
    r"|(?:wie|was|warum|wieso|weshalb|welche[rsnm]?|wo|wann|womit|wofür|worauf) (?:\w+ ){0,2}?(?:kann|könnte|soll"
    r"|sollte"
    r"|sollten|muss|mache?n?|geht|ist|sind|wäre|würdest|würde|gibt|lässt|meinst|hältst)\b"
    r"|ich (?:frage? mich|überlege|bin (?:mir )?(?:\w+ )?(?:nicht sicher|unsicher)|weiß nicht|wüsste gern)\b"
    r"|(?:hilf|zeig|gib|erklär|sag|schreib|mach) (?:mir|uns)\b|hast du (?:tipps|ideen)"
    # French
    r"|(?:peux|pourrais|pourriez|pouvez|sais|crois|penses|as|veux|aurais)[- ](?:tu|vous)\b|tu (?:peux|pourrais"
    r"|saurais|as une)\b"
    r"|(?:est-ce|qu['’]est-ce)\b|(?:comment|pourquoi|quel(?:le)?s?|combien|où|que) (?:\w+ )?(?:je|on|puis|faire|est"
    r"|sont"
    r"|devrais|dois|faut|conseilles|penses)\b|je (?:me demande|ne sais pas|cherche des)\b"
    r"|(?:aide|dis|montre|donne|explique)[sz]?-(?:moi|nous)\b"
    # Spanish
    r"|(?:puedes|podrías|podría|podéis|pueden|sabes|crees|me (?:puedes|podrías|ayudas|recomiendas|explicas|dices))\b"
    r"|(?:cómo|qué|cuál(?:es)?|por qué|cuándo|dónde|cuánt\w+)\b|(?:me pregunto|no sé (?:si|cómo|qué)"
    r"|no estoy segur\w)\b"
    r"|(?:ayúda|di|muéstra|da|explíca)me\b"
    # Italian, Portuguese, Dutch
    r"|(?:puoi|potresti|mi (?:aiuti|puoi|sai|dici|spieghi)|sai|pensi|credi|aiutami|dimmi|spiegami)\b"
    r"|(?:come|cosa|quale|quali|quando|dove) (?:\w+ )?(?:posso|faccio|devo|dovrei|potrei|è|sono|conviene|consigli)\b"
    r"|(?:mi chiedo|non so (?:se|come|cosa)|non sono sicur\w)\b"
    r"|(?:podes|poderia|poderias|consegues|achas|sabes|você (?:pode|acha)|me ajuda|ajuda-me|diz-me|será que)\b"
    r"|(?:como|o que|qual|quais|quando|onde) (?:\w+ )?(?:posso|faço|devo|deveria|é|são)\b|não sei (?:se|como|o que)\b"
    r"|(?:kun|kan|kunt|zou|zul|wil|weet|denk|heb) (?:je|jij|u|ik|jullie|we|wij)\b"
    r"|(?:hoe|wat|welke?|waarom|wanneer|waar) (?:\w+ )?(?:kan|moet|zou|doe|is|zijn|raad|vind)\b"
    r"|(?:ik vraag me af|ik weet niet (?:of|hoe|wat)|help me|geef me|leg me)\b"
    r")",
    re.IGNORECASE,
)


def segments(text: str, start: int, end: int) -> Iterator[Segment]:
    """The parts of a sentence, in order. A clause without a subject of its own goes with the one before it. A question
    mark at the end belongs to the part that began to ask, else to the last one."""
    left: int | None = None
    right = start
    asking = asked = False
    for first, last in clause_spans(text, start, end):
        clause = text[first:last].lstrip()
        first = last - len(clause)
        question, opening = _ASKS.match(clause) is not None, _OPENS.match(clause)
        if left is None or question or opening is not None:
            if left is not None:
                yield Segment(start=left, end=right, asks=asking)
            left = first + opening.start("said") if opening is not None and not question else first
            asking, asked = question, asked or question
        right = last
    if left is not None:
        yield Segment(start=left, end=right, asks=asking or (not asked and _is_question(text[left:right])))


def _is_question(said: str) -> bool:
    return said.rstrip().endswith(("?", "？"))
