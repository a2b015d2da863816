"""German: requests, corrections, guards and small words."""

from __future__ import annotations

from nightgarden.remember.language.lexicon import Guard, Lexicon, compiled

_BITTE = r"(?:(?:und|aber|also|ach|bitte|dann) )*"

GERMAN = Lexicon(
    code="de",
    frequent=frozenset(
        """der die das und ist nicht wir ich du sie es ein eine einen dem den des mit auf für von zu im in bitte
        immer nie
        bei uns unser unsere mein meine dass auch noch aber oder nur wie was kann mal kein keine haben hat sind merk dir
        nein ja wenn werden wird lieber beim zum zur schon jetzt doch denn über aus nach statt""".split()
    ),
    openers=compiled(
        r"^(?:(?:ok(?:ay)?|also|so|hey|hallo|hi|moin|ach|ah|hm+|ja|genau|gut|super|danke|übrigens|btw|fyi"
        r"|nur so zur info|zur info|und|aber|nochmal|wichtig|noch was|kurz|naja|klar|stimmt|passt|achso|ps"
        r"|prima|perfekt|gefunden|aha|hinweis|tipp)(?:[,.!:;–—-]+ |[:,] ?|$)|(?:also|und|aber|übrigens|ach"
        r"|ja|so|denn) )+"
    ),
    closers=compiled(
        r"(?:[,;.!–— -]+(?:ok|okay|bitte|danke|ja|gell|alles klar|übrigens|btw|verstanden)\W*)+$"
        r"|[\s:;,–—-]+$"
    ),
    request=compiled(
        r"^(?:(?:und|ok|okay|ach|bitte|also|genau"
        r"|ja)[,.!]* )*(?:bitte )?(?:merk(?:e)? dir(?: bitte)?(?: für (?:später|die zukunft|nächstes mal"
        r"|das nächste mal))?(?:,? dass|:| das:?|,)?|(?:denk|denke) (?:bitte )?(?:daran|dran)(?:,? dass|:"
        r"|,)(?! zu\b)|vergiss (?:bitte )?(?:nicht|nie)(?:,? dass|:)|behalt(?:e)?(?: bitte)? im (?:kopf"
        r"|hinterkopf)(?:,? dass|:)?|(?:notiz|merke|merksatz)(?: (?:für später|an mich))?:"
        r"|notier(?:e)? (?:dir )?(?:bitte )?(?:,? ?dass|:|das:)|für (?:später|die zukunft|nächstes mal"
        r"|das nächste mal|künftige \w+)[:,]|zum merken:|gut zu wissen:)[\s:,–—-]*"
    ),
    request_after=compiled(
        r"[\s,;.!–—(-]+(?:und |also )?(?:bitte )?(?:merk dir das(?: bitte)?|merk's dir|bitte merken"
        r"|denk dran|behalt das im (?:kopf|hinterkopf)|notier dir das|vergiss das nicht"
        r"|nicht vergessen)\W*$"
    ),
    pointer=compiled(r"^(?:das|dies|es|bitte|mal|\W)*$"),
    guards=(
        (
            Guard.QUESTION,
            compiled(
                r"\?\W*$|^(?:(?:und|aber|also|ok),? )*(?:was|warum|wieso|weshalb|wie|wo|wer|welche\w*|wann|woher"
                r"|wohin|kannst|könntest|könnten|sollen|sollte\w*|können|würdest|hast|ist|sind|gibt|geht|machst"
                r"|weißt) (?:du|wir|ich|es|das|man|die|der|ihr|sie|eigentlich)\b|^(?:erklär|zeig|sag) mir\b"
                r"|^(?:keine ahnung|weiß nicht)\b"
            ),
        ),
        (
            Guard.HYPOTHETICAL,
            compiled(
                r"\b(?:vielleicht|evtl|eventuell|möglicherweise|wahrscheinlich|vermutlich|könnte\w*|würde\w*"
                r"|wäre\w*|hätte\w*|sollten wir|angenommen|mal angenommen|ich glaube|ich denke|ich schätze"
                r"|überlege\w*|theoretisch|irgendwann|falls wir|wenn wir (?:mal|irgendwann)"
                r"|bin (?:mir )?nicht sicher|mal schauen|soweit ich weiß|glaub ich|wohl|scheint|womöglich"
                r"|zum beispiel|z\.b\.)\b"
            ),
        ),
        (
            Guard.REPORTED,
            compiled(
                r"\b(?:(?-i:[A-Z][a-zäöü]+)|er|chef|kollege|kollegin|kunde|jemand|alle) (?:sagt\w*|meint\w*|möchte"
                r"|will|wollte|behauptet\w*|findet|schlägt|schlug|glaubt|hat (?:gesagt|gemeint|geschrieben"
                r"|vorgeschlagen))\b|\b(?:laut|angeblich|scheinbar|anscheinend|hab gehört|habe gehört"
                r"|soll angeblich|steht in der doku)\b"
            ),
        ),
        (
            Guard.SARCASTIC,
            compiled(
                r"🙄|😒|🙃|😂|😅|\b(?:ja klar|na klar,? weil|haha\w*|lol|ganz toll|na toll|wie schön,? dass"
                r"|ich liebe es,? wenn|wer braucht schon|was soll schon schiefgehen|natürlich geht|super idee"
                r"|herzlichen glückwunsch|genau mein humor)\b|^(?:toll|super|klasse|großartig|na super|oh toll"
                r"|na prima|wunderbar)[,!.]* (?:schon wieder|wieder|jetzt|noch|dass|genau|nicht|und)"
            ),
        ),
        (
            Guard.TRANSIENT,
            compiled(
                r"\b(?:gerade|grad|momentan|im moment|derzeit|heute|morgen|gestern|vorhin|jetzt|erstmal|vorerst"
                r"|vorläufig|noch nicht|diese woche|nächste woche|später|gleich|schon wieder|immer noch|bin (?:müde"
                r"|krank|zurück|gleich|weg)|läuft (?:noch|gerade|wieder|nicht|durch)|kaputt|hängt|schlägt fehl"
                r"|fehlgeschlagen|dauert noch)\b"
            ),
        ),
        (
            Guard.ONE_OFF,
            compiled(
                r"\b(?:diese[mnrs]? (?:datei|funktion|methode|test|zeile|fall|pr|commit|klasse|branch|skript|stelle"
                r"|mail|satz|abschnitt|absatz|text|antwort|variante)|hier(?= |$)(?! in)|diesmal|ausnahmsweise"
                r"|die (?:erste|zweite|letzte|andere) (?:variante|option|version)|deine (?:version|lösung)|oben"
                r"|unten)\b"
            ),
        ),
    ),
    forbids=compiled(
        rf"^{_BITTE}(?:niemals|nie(?! wieder gesehen)|auf keinen fall|unter keinen umständen"
        rf"|hör (?:bitte )?auf\b|keine (?:emojis|kommentare|floskeln|englischen))\b|^(?:\w+e?|wir dürfen"
        rf"|du darfst|man darf) (?:bitte )?(?:\w+ ){{0,5}}(?:niemals|auf keinen fall)\b"
    ),
    refusal=compiled(
        r"^(?:(?:hm+|ach|oh|stopp?|moment|äh)[,.! –-]+)*(?:nein|nee|nö|falsch|stimmt nicht"
        r"|das (?:ist falsch|stimmt (?:so )?nicht|ist nicht (?:richtig|korrekt))|nicht ganz|eigentlich"
        r"|quatsch|korrektur)(?=\W|$)[\s,.!:;–—-]*(?:(?:bitte|eigentlich|sondern|falsch"
        r"|sorry)[\s,.!:;–—-]+)*"
    ),
    refusal_chatter=compiled(
        r"^(?:nein|nee|nö)[,.!]? (?:danke|passt|schon gut|alles gut|kein problem|lass|egal|noch nicht"
        r"|keine)\b"
    ),
    amendment=(
        compiled(
            r"^(?:bitte )?(?:nimm|benutze?|verwende?|nutze?|schreib\w*|speicher\w*|leg\w*|nenn\w*|mach\w*"
            r"|deploy\w*|installier\w*) (?!(?:es|das|dies|die andere|den anderen|das andere|die erste"
            r"|den ersten)\b)\S+"
        ),
        compiled(
            r"^(?:wir|unser\w*|der|die|das|es|alle) (?:[\w`./-]+ ){0,5}?(?:ist|sind|läuft|liegt|heißt|benutzen"
            r"|verwenden|nutzen|nehmen|haben|hat|muss|müssen|wird|werden|gehört|deployen|braucht)\b"
        ),
    ),
    bare_value=compiled(
        r"^(?:(?:es|das) (?:ist|heißt|läuft auf) )(?:der |die |das |auf "
        r"|port )*(?P<value>[\w./:@+#~`-]+)(?:,? (?:und )?nicht (?:der |die |das |auf "
        r"|port )*(?P<old>[\w./:@+#~`-]+))?[.!]*$"
    ),
    assent=compiled(
        r"^(?:(?:ja|genau|richtig|stimmt|korrekt|exakt|jawohl|jup"
        r"|jep)[\s,.!]*)+(?:(?:und )?(?:bitte )?(?:merk dir das|merken|notier das)[\s,.!]*(?:bitte)?\W*)?$"
    ),
    success=compiled(
        r"\b(?:jetzt (?:geht|läuft|klappt) (?:es|'s)|funktioniert jetzt|klappt jetzt|das war's|läuft wieder"
        r"|tests? (?:sind )?grün)\b"
    ),
    session_only=compiled(
        r"\b(?:nur (?:für )?heute|für heute|nur (?:in|für) diese[r]? (?:session|sitzung|unterhaltung)"
        r"|in dieser sitzung|für diese (?:session|sitzung))\b"
    ),
    seasonal=compiled(
        r"\b(?:während|in|am|im|vor|nach|zum)(?: der| dem| jedem| jeder)? (?P<season>release-?woche"
        r"|code-?freeze|sprint-?ende|monatsende|quartalsende|jahresende|urlaubszeit|weihnachtszeit|sommer"
        r"|winter)\b"
    ),
)
