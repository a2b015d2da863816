"""German: the basics of how lasting things are said."""

from __future__ import annotations

from nightgarden.domain.memory import Category
from nightgarden.remember.language.lexicon import Guard, Lexicon, LexiconCue, compiled, words

_BITTE = r"(?:(?:und|aber|also|ach|bitte|dann) )*"
_HABITS = words(
    """
    benutzen verwenden nutzen nehmen deployen hosten schreiben nennen speichern bauen testen arbeiten mergen
    committen releasen veröffentlichen entwickeln legen halten setzen taggen loggen prüfen reviewen
    dokumentieren unterstützen verzichten vermeiden formatieren rechnen trennen fahren betreiben squashen
    rebasen führen machen
"""
)
_THINGS = words(
    r"""
    staging produktion prod testumgebung umgebung datenbank db server api dienst service backend frontend
    cluster ci pipeline repo repository job cronjob queue bucket cache registry vpn dashboard wiki doku domain
    zertifikat lizenz mandant kunde team firma büro branch deploy deployment release sprint app anwendung
    instanz rechner laptop host container backup log schnittstelle port endpunkt projekt produkt tabelle schema
    index limit timeout standup freigabe wartungsfenster drucker speicher schlüssel übergabe abteilung
    büroserver testdaten tests migrationen
"""
)
_LASTING = (
    r"(?:läuft|laufen|liegt|liegen|hört|lauscht|heißt|heißen|gehört|gehören|zeigt auf|braucht|brauchen"
    r"|benutzt|verwendet|nutzt|erwartet|"
    r"unterstützt|kommt aus|kommen aus|geht über|gehen über|steht in|stehen in|ist auf|sind auf"
    r"|ist unter|ist in|ist hinter|sind in|wird|werden|passiert|dauert|hat|haben|darf|dürfen|muss"
    r"|müssen|verlangt|endet|beginnt|startet)"
)

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
    cues=(
        LexiconCue(
            category=Category.NEGATIVE,
            pattern=compiled(
                rf"^{_BITTE}(?:niemals|nie(?! wieder gesehen)|auf keinen fall|unter keinen umständen"
                rf"|hör (?:bitte )?auf\b|keine (?:emojis|kommentare|floskeln|englischen))\b|^(?:\w+e?|wir dürfen"
                rf"|du darfst|man darf) (?:bitte )?(?:\w+ ){{0,5}}(?:niemals|auf keinen fall)\b"
            ),
            confidence=0.85,
            reason="the user said never to do it",
        ),
        LexiconCue(
            category=Category.PREFERENCE,
            pattern=compiled(
                r"\bich (?:\w+ )?(?:bevorzuge|ziehe [\w ]+ vor|mag (?!das nicht$|es$)|hasse|hätte (?:gerne? "
                r"|es gerne? )?lieber|will (?:immer|nie|keine)|möchte (?:immer|nie|keine|lieber|grundsätzlich)"
                r"|finde [\w ]+ besser als)\b|\bmir ist [\w ]+ lieber\b|^(?:mein\w* (?:lieblings\w+|bevorzugt\w+)) "
                rf"|^{_BITTE}(?:ab jetzt|ab sofort|künftig|in zukunft|zukünftig|von nun an)\b|^{_BITTE}(?:antworte"
                rf"|schreib|erklär)\w* (?:mir )?(?:bitte )?(?:immer |ab jetzt |künftig |nur )*(?:auf (?:deutsch"
                rf"|englisch)|kurz|kürzer|knapp)|\bduz\w* mich\b|\bnenn mich\b|\bich (?:benutze|nutze|verwende"
                rf"|arbeite|nehme|programmiere|schreibe) (?:immer |meistens |nur |lieber )?(?!das\b|es\b|dies)"
            ),
            confidence=0.8,
            reason="the user stated a preference",
            ignores=frozenset({Guard.HYPOTHETICAL, Guard.TRANSIENT}),
        ),
        LexiconCue(
            category=Category.DECISION,
            pattern=compiled(
                r"^(?:wir|das team) (?:haben|hat|sind|ist) (?:[\w,.:`/-]+ ){0,8}?(?:von|vom) (?:[\w.:`/-]+ ){1,5}"
                r"(?:auf|zu|zum|nach|in) (?:[\w.:`/-]+ ){1,5}?(?:geändert|umgezogen|umgestiegen|migriert|verlegt"
                r"|verschoben|erhöht|gesenkt|umbenannt)\b"
                r"|\b(?:wir|ich|das team) (?:haben|habe|hat)(?: uns| mich)? (?:[\w,.`/ -]+ )?(?:entschieden"
                r"|beschlossen|geeinigt|festgelegt|umgestellt|gewechselt|ausgewählt|verworfen)\b"
                r"|\bhaben wir (?:uns )?(?:[\w,.`/ -]+ )?(?:entschieden|beschlossen|geeinigt|umgestellt)\b"
                r"|\bwir (?:bleiben bei|wechseln (?:auf|zu)|steigen (?:auf|um)|gehen (?:jetzt )?(?:auf|mit)"
                r"|stellen (?:[\w ]+ )?auf [\w ]+ um|entscheiden uns)\b|^(?:entscheidung|beschluss|beschlossen):"
                r"|\b(?:lass(?:t)? uns|wir werden) (?:[\w`. -]+ )(?:nehmen|verwenden|benutzen|nutzen|bleiben)\b"
            ),
            confidence=0.8,
            reason="the user reported a decision",
            ignores=frozenset({Guard.TRANSIENT}),
        ),
        LexiconCue(
            category=Category.CONVENTION,
            pattern=compiled(
                rf"^{_BITTE}immer (?!das gleiche|dasselbe|noch|wieder)\w+|\bbitte immer\b"
                rf"|^(?:\w+e?) (?:bitte )?(?:\w+ ){{0,2}}immer\b (?!noch|wieder)|\b(?:bei uns|in diesem (?:repo"
                rf"|projekt|team)|hier im (?:repo|projekt|team)|im team|in unserem (?:team|projekt|repo))\b (?!\?)"
                rf"|\bwir (?:\w+ ){{0,2}}?(?:{_HABITS})\b(?! das\b| es\b)|^(?:{_HABITS}) wir\b"
                rf"|\b(?:{_HABITS}) wir (?:immer|nie|nur|ausschließlich|grundsätzlich|hier|bei uns)\b|\b(?:unsere"
                rf"|die) (?:konvention|regel|vorgabe|richtlinie)\b|^(?:alle|jede[rs]?|neue) [\w-]+ (?:müssen|muss"
                rf"|sollen|soll|brauchen|braucht|kommen|kommt|gehören|werden|wird|bekommt|bekommen)\b|^(?:vor"
                rf"|nach) (?:jedem|jeder|dem|allen) [\w-]+ (?:immer |bitte )?\w+"
            ),
            confidence=0.8,
            reason="the user told how the team works",
        ),
        LexiconCue(
            category=Category.GOTCHA,
            pattern=compiled(
                r"\b(?:(?:die |der |das )?(?:ursache|grund|problem|fehler|lösung|trick)(?: dafür)? (?:war|ist|lag)"
                r"|es lag (?:daran|an)|lag (?:daran|an)\b|stellt sich heraus|stellte sich heraus|achtung|vorsicht"
                r"|aufpassen|funktioniert nur|geht nur|klappt nur|sonst (?:schlägt|geht|hängt|knallt|bricht|stürzt"
                r"|funktioniert|gibt|läuft|kracht|fliegt|verliert))\b"
            ),
            confidence=0.7,
            reason="the user explained a cause or a trap",
        ),
        LexiconCue(
            category=Category.ENTITY,
            pattern=compiled(
                r"\b(?:ich heiße|mein name ist)\b|\b(?-i:[A-Z][a-zäöüß]+) (?:ist|leitet|betreut|verantwortet"
                r"|kümmert sich|macht) (?:bei uns |unser\w* |die |der |das |für |um )(?!\w+ (?:kaputt|fertig|da)\b)"
                r"|\bunser\w* (?:chef\w*|teamlead|designer\w*|admin\w*|ansprechpartner\w*|product owner|leiter\w*"
                r"|kollegin|kollege) (?:ist|heißt)\b|\bansprechpartner(?:in)? (?:für [\w ]+ )?ist\b"
            ),
            confidence=0.75,
            reason="the user named a person and their part",
        ),
        LexiconCue(
            category=Category.FACT,
            pattern=compiled(
                rf"^(?:(?:die|der|das|unser\w*|mein\w*"
                rf"|unsre) )(?:[\w`./-]+ ){{0,3}}?[\w-]*(?:{_THINGS})\w{{0,2}}(?: [\w`./-]+){{0,2}}? {_LASTING}\b"
                rf"|^[\w-]*(?:{_THINGS}) {_LASTING}\b|\bunser\w* (?:[\w`./-]+ ){{0,3}}?{_LASTING}\b|\bich (?:bin"
                rf"|arbeite) (?:auf (?:ubuntu|debian|windows|macos|mac|linux|fedora|arch)|bei|als|in der"
                rf"|entwickler\w*|\w+entwickler\w*|aus)\b|\bwir (?:sind|haben) (?:ein|eine|\d+|zwei|drei|vier|nur"
                rf"|auf)\b(?! (?:problem|fehler|frage|idee))"
            ),
            confidence=0.7,
            reason="the user described the environment",
        ),
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
    clause_start=compiled(
        r"(?:und |aber |außerdem )*(?:wir\b|unser\w*\b|ich\b|bitte\b|immer\b|nie\b|niemals\b|(?:die|der"
        r"|das) [\w-]+ (?:läuft|liegt|ist|heißt|braucht)\b|staging\b|prod\b)"
    ),
    conjunction=compiled(r"(?:,|;| –| —| -)? (?:und|aber|außerdem) |; | – | — "),
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
