"""French: the basics of how lasting things are said."""

from __future__ import annotations

from nightgarden.domain.memory import Category
from nightgarden.remember.language.lexicon import Guard, Lexicon, LexiconCue, compiled, words

_HABITS = words(
    """
    utilise utilisons emploie déploie déployons héberge hébergeons écrit écrivons nomme nommons stocke stockons
    teste testons travaille travaillons publie publions merge mergeons commite committe range rangeons met
    mettons garde gardons passe passons suit suivons évite évitons préfixe préfixons livre livrons fait faisons
    developpe développe développons sauvegarde sauvegardons documente documentons gère gérons relit relisons
"""
)
_THINGS = words(
    """
    staging prod production préprod recette base serveur serveurs api service services backend frontend cluster
    ci pipeline dépôt repo job cron file bucket cache registre vpn tableau wiki doc documentation domaine
    certificat licence client équipe société bureau branche déploiement déploiements release sprint appli
    application instance machine portable hôte conteneur sauvegarde sauvegardes logs port projet produit table
    schéma index limite timeout environnement site standup réunion livraison tests migrations données
"""
)
_LASTING = (
    r"(?:tourne|tournent|écoute|écoutent|s'appelle|se trouve|se trouvent|est hébergée?s?"
    r"|sont hébergée?s?|est sur|sont sur|est dans|sont dans|est géré\w*|"
    r"appartient|pointe vers|utilise|utilisent|nécessite|exige|attend|supporte|expire|passe par"
    r"|passent par|vient de|dépend de|doit|doivent|est limité\w*|"
    r"est en (?:version )?\d|a lieu|ont lieu|se fait|se font|est sous|sont sous|est écrit\w*|a un|a une"
    r"|vit|vivent|part|partent)"
)

FRENCH = Lexicon(
    code="fr",
    frequent=frozenset(
        """le la les un une des du de et est pas nous je tu il elle on ne que qui pour avec dans sur en au aux ce cette
        ces
        mon ma mes notre nos toujours jamais plus mais ou donc c'est c est s'il te plaît plait oui non si tout tous chez
        j ai d l qu n se sont être à merci souviens rappelle toi même utilise préfère par""".split()
    ),
    openers=compiled(
        r"^(?:(?:ok|bon|alors|bref|salut|bonjour|hé|ah|oh|euh|oui|ouais|merci|super|parfait|d'accord"
        r"|au fait|pour info|btw|fyi|et|mais|donc|en fait|par contre|petite précision|important|note|ps"
        r"|voilà|trouvé)(?:[,.!:;–—-]+ |[:,] ?| : |$)|(?:et|mais|donc|alors|bon|ah|au fait,?|en fait,?"
        r"|pour info,?) )+"
    ),
    closers=compiled(r"(?:[,;.!–— -]+(?:ok|s'il te pla[iî]t|stp|svp|merci|d'accord|voilà|au fait)\W*)+$|[\s:;,–—-]+$"),
    request=compiled(
        r"^(?:(?:et|ok|oui|ah|bon|exact)[,.!]* )*(?:s'il te pla[iî]t,? "
        r"|stp,? )?(?:souviens[- ]toi(?: bien)?|rappelle[- ]toi|retiens(?: bien)?|mémorise|n'oublie (?:pas"
        r"|jamais)|garde (?:bien )?(?:en tête|à l'esprit|en mémoire)|prends? (?:bien )?note|note(?: bien)?"
        r"|à retenir|à noter|pour (?:la prochaine fois|plus tard|référence|mémoire|info future))(?= que"
        r"| qu'| :|:|,| ceci| ça)(?:,? (?:que |qu'|ceci|ça)| ?:|,)[\s:,–—-]*"
    ),
    request_after=compiled(
        r"[\s,;.!–—(-]+(?:et )?(?:souviens-t'en|souviens-toi de ça|retiens(?:-le| ça| bien ça)?"
        r"|garde[- ](?:le|ça) en (?:tête|mémoire)|n'oublie pas(?: ça)?|note[- ]le"
        r"|pour la prochaine fois)\W*$"
    ),
    pointer=compiled(r"^(?:ça|ceci|cela|le|stp|\W)*$"),
    guards=(
        (
            Guard.QUESTION,
            compiled(
                r"\?\W*$|^(?:(?:et|mais|donc),? )*(?:pourquoi|comment|où|qui|quand|quel\w*|combien|qu'est-ce|est-ce"
                r"|peux-tu|pourrais-tu|tu peux|tu pourrais|as-tu|devrait-on|faut-il|dis-moi|explique|montre-moi"
                r"|je me demande)\b"
            ),
        ),
        (
            Guard.HYPOTHETICAL,
            compiled(
                r"\b(?:peut-être|probablement|sans doute|éventuellement|on pourrait|pourrait|pourrions|devrait"
                r"|devrions|serait|aurait|je pense|je crois|je suppose|imagine|supposons|et si|si on (?:utilisait"
                r"|passait|avait|faisait|migrait)|si nous|un jour|j'hésite|en théorie|pas sûre?|il paraît"
                r"|j'aimerais|je me demande|à mon avis|on dirait|il semble|par exemple)\b"
            ),
        ),
        (
            Guard.REPORTED,
            compiled(
                r"\b(?:(?-i:[A-Z][a-zéèà]+)|il|elle|le (?:client|chef|patron)|mon (?:chef|collègue)"
                r"|quelqu'un) (?:dit|a dit|pense|veut|voulait|propose|suggère|préfère|prétend|affirme|m'a dit"
                r"|trouve|insiste|aimerait)\b|\b(?:selon|d'après|apparemment|soi-disant|j'ai lu|j'ai entendu)\b"
            ),
        ),
        (
            Guard.SARCASTIC,
            compiled(
                r"🙄|😒|🙃|😂|😅|\b(?:mdr|lol|ptdr|haha\w*|bien sûr,? (?:parce|et)|j'adore quand|quelle surprise"
                r"|qu'est-ce qui pourrait mal|ben voyons|c'est ça,? oui|qui a besoin)\b|^(?:super|génial|formidable"
                r"|bravo|magnifique|parfait|oh génial|ah super)[,!.]* (?:encore|toujours|maintenant|il|ça|et|un|une"
                r"|le|la|on)\b"
            ),
        ),
        (
            Guard.TRANSIENT,
            compiled(
                r"\b(?:en ce moment|actuellement|pour l'instant|aujourd'hui|demain|hier|ce (?:matin|soir)"
                r"|cette semaine|là,|maintenant|tout à l'heure|pas encore|provisoirement|temporairement"
                r"|encore (?:en panne|rouge|cassé)|en train de|je suis (?:fatigué\w*|de retour|malade|en)"
                r"|est (?:cassé\w*|en panne|rouge|vert\w*|lent\w*|planté\w*|tombé\w*)|ne marche (?:pas|plus)"
                r"|je reviens|je vais)\b"
            ),
        ),
        (
            Guard.ONE_OFF,
            compiled(
                r"\b(?:ce(?:t|tte)? (?:fichier|fonction|méthode|test|ligne|cas|pr|commit|classe|branche|script|mail"
                r"|phrase|paragraphe|texte|réponse|version)|cette fois|ici(?= |\W|$)|la (?:première|deuxième"
                r"|dernière) (?:version|option)|ta (?:version|solution)|ci-dessus|ci-dessous)\b"
            ),
        ),
    ),
    cues=(
        LexiconCue(
            category=Category.NEGATIVE,
            pattern=compiled(
                r"^(?:et |mais |s'il te plaît,? |stp,? )*(?:ne |n')(?:\w+ )(?:jamais|surtout pas|plus jamais)\b"
                r"|^(?:et |stp,? )*ne (?:jamais|pas) \w+er\b|^jamais (?:de |d')\w+|^(?:arrête|évite) (?:de "
                r"|d')\w+(?! (?:ça|ce|cette)\b)|^(?:pas|plus) d(?:e |')(?:emojis?|commentaires?|blabla)"
                r"|^(?:il ne faut|on ne doit) (?:jamais|surtout pas|pas)\b"
            ),
            confidence=0.85,
            reason="the user said never to do it",
        ),
        LexiconCue(
            category=Category.PREFERENCE,
            pattern=compiled(
                r"\bje (?:préfère|veux toujours|ne veux (?:jamais|plus|pas) (?:de |d'|que)|déteste|n'aime pas"
                r"|bosse sur|travaille (?:sur|sous|avec|chez)|code (?:en|sur)|n'utilise (?:que|jamais)"
                r"|utilise (?:toujours|plutôt)?)\b(?! (?:ça|la première|la deuxième|ta|le premier)\b)"
                r"|\bj'(?:utilise|aime (?:que|les|mes|le|la|quand)|ai horreur)\b|^(?:stp,? )?(?:désormais"
                r"|dorénavant|à partir de maintenant|à l'avenir)\b|\b(?:désormais|dorénavant|à partir de maintenant"
                r"|à l'avenir)\W*$|^(?:réponds|écris|explique)(?:-moi)? (?:toujours |moi )?(?:en (?:français"
                r"|anglais)|brièvement|court)|\btutoie-moi\b|\bappelle-moi\b(?! (?:quand|si))"
            ),
            confidence=0.8,
            reason="the user stated a preference",
            ignores=frozenset({Guard.HYPOTHETICAL, Guard.TRANSIENT}),
        ),
        LexiconCue(
            category=Category.DECISION,
            pattern=compiled(
                r"^(?:(?:nous sommes|on est) passés?|(?:on a|nous avons|l'équipe a) (?:déplacé|changé|passé|renommé"
                r"|augmenté|réduit)) (?:[\w'’.:`/-]+ ){0,8}?(?:de|du|d') ?(?:[\w.:`/-]+ ){1,5}(?:à|au|vers|en) \w"
                r"|\b(?:on a|nous avons|on s'est|nous nous sommes|j'ai|l'équipe a) (?:finalement |enfin |bien "
                r"|donc )?(?:décidé|choisi|opté|retenu|convenu|tranché|acté|mis d'accord|abandonné|adopté|migré"
                r"|remplacé)\w*\b|\bon (?:part sur|reste sur|passe (?:à|sur|de)|bascule (?:sur|vers)|va (?:utiliser"
                r"|partir|rester|garder)|abandonne|migre)\b|^(?:décision|décidé) ?:|\bc'est (?:décidé|acté)\b"
            ),
            confidence=0.8,
            reason="the user reported a decision",
            ignores=frozenset({Guard.TRANSIENT}),
        ),
        LexiconCue(
            category=Category.CONVENTION,
            pattern=compiled(
                rf"\b(?:chez nous|dans ce (?:dépôt|repo|projet)|dans notre (?:équipe|dépôt|projet)|dans l'équipe)\b"
                rf"|\b(?:on|nous) (?:n'|ne )?(?:{_HABITS})\b(?! (?:ça|cela|ce|cette)\b)|^(?:toujours"
                rf"|systématiquement) \w+|^\w+[- ]?\w* toujours \w+|\bil faut toujours\b|\b(?:notre"
                rf"|la) (?:convention|règle)\b|^(?:tous|toutes|chaque|tout|toute) (?:les |nouvelle "
                rf"|nouveau )?[\w-]+ (?:\w+ ){{0,3}}?(?:doit|doivent|va|vont|passe|passent|est|sont|commence\w*|a"
                rf"|ont|se)\b|^(?:avant|après) (?:de |d'|chaque|tout)[\w' ]+,? (?:lance|fais|mets|vérifie|pense|on"
                rf"|il faut|exécute|relance|ajoute)\b"
            ),
            confidence=0.8,
            reason="the user told how the team works",
        ),
        LexiconCue(
            category=Category.GOTCHA,
            pattern=compiled(
                r"\b(?:(?:la |le )?(?:cause|raison|problème|souci|coupable|solution)(?: \w+)? (?:était|est|venait"
                r"|vient|c'était)|c'était (?:à cause|parce que|dû)|il s'avère|en fait c'était|attention"
                r"|ça ne (?:marche|fonctionne) que|ne (?:marche|fonctionne|démarre) que|sinon (?:ça|le|la|on|il"
                r"|elle|tout))\b"
            ),
            confidence=0.7,
            reason="the user explained a cause or a trap",
        ),
        LexiconCue(
            category=Category.ENTITY,
            pattern=compiled(
                r"\b(?:je m'appelle|mon nom est)\b|\b(?-i:[A-Z][\wéèàç]+) (?:est (?:notre|le|la|l'|mon|ma"
                r"|responsable|chargée?)|s'occupe (?:de|du|des)|gère|dirige|maintient)\b|\b(?:notre|ma"
                r"|mon) (?:chef\w*|responsable|designer|collègue|manager|lead|directeur|directrice"
                r"|contact) (?:\w+ )?(?:est|s'appelle|c'est)\b"
            ),
            confidence=0.75,
            reason="the user named a person and their part",
        ),
        LexiconCue(
            category=Category.FACT,
            pattern=compiled(
                rf"^(?:(?:le|la|les|notre|nos|mon|ma|mes) "
                rf"|l')(?:[\w`./'-]+ ){{0,4}}?(?:{_THINGS})(?: [\w`./'-]+){{0,3}}? {_LASTING}\b"
                rf"|^(?:{_THINGS}) {_LASTING}\b|\b(?:notre|nos) (?:[\w`./'-]+ ){{0,4}}?{_LASTING}\b"
                rf"|\bje suis (?:sur|sous|sous) (?:ubuntu|debian|windows|macos|mac|linux|fedora|arch)"
                rf"|\bje suis (?:développeu\w+|ingénieure?|basée? à|data|chez)\b|\bon (?:est|a) (?:sur|en"
                rf"|une équipe|\d+|deux|trois|quatre)\b(?! (?:problème|souci))"
            ),
            confidence=0.7,
            reason="the user described the environment",
        ),
    ),
    refusal=compiled(
        r"^(?:(?:hm+|ah|oh|attends|euh)[,.! –-]+)*(?:non|faux|c'est (?:faux|pas ça|incorrect)"
        r"|ce n'est pas (?:ça|juste|correct)|pas (?:tout à fait|exactement)|en fait|erreur)(?=\W"
        r"|$)[\s,.!:;–—-]*(?:(?:en fait|plutôt|pardon|stp)[\s,.!:;–—-]+)*"
    ),
    refusal_chatter=compiled(r"^non[,.!]? (?:merci|c'est bon|pas de|pas encore|ça va|laisse|rien|plus|je)\b"),
    amendment=(
        compiled(
            r"^(?:stp,? )?(?:utilise|prends|mets|écris|garde|nomme|appelle|déploie|stocke|lance|installe"
            r"|fais) (?!(?:ça|celui|celle|l'autre|le premier|la première|cette|ce)\b)\S+"
        ),
        compiled(
            r"^(?:on|nous|notre|nos|le|la|les|l'\w+|c'est|il|elle|tous) (?:[\w`./'-]+ ){0,5}?(?:est|sont|tourne"
            r"|utilise|utilisons|déploie|a|ont|doit|doivent|s'appelle|écoute|passe|faut|commence\w*|vit|va"
            r"|vont)\b"
        ),
    ),
    bare_value=compiled(
        r"^(?:c'est |il s'appelle |elle s'appelle )(?:le |la |sur "
        r"|port )*(?P<value>[\w./:@+#~`-]+)(?:,? (?:et )?pas (?:le |la "
        r"|sur )*(?P<old>[\w./:@+#~`-]+))?[.!]*$"
    ),
    assent=compiled(
        r"^(?:(?:oui|exactement|exact|c'est (?:ça|exact|correct|bien ça)|tout à fait|voilà|correct"
        r"|absolument)[\s,.!]*)+(?:(?:et )?(?:retiens(?:-le| ça)?|souviens-t'en|note-le"
        r"|garde ça en tête)[\s,.!]*(?:stp|merci)?\W*)?$"
    ),
    success=compiled(
        r"\b(?:ça (?:marche|fonctionne)(?: maintenant)?|c'est réglé|c'est corrigé|c'était ça"
        r"|les tests passent|problème résolu)\b"
    ),
    clause_start=compiled(
        r"(?:et |mais )*(?:on\b|nous\b|notre\b|nos\b|je\b|j'|toujours\b|ne \w+ jamais|(?:le|la"
        r"|les) [\w-]+ (?:tourne|écoute|est|s'appelle)\b)"
    ),
    conjunction=compiled(r"(?:,|;| –| —| -)? (?:et|mais) |; | – | — "),
    session_only=compiled(
        r"\b(?:juste (?:pour )?aujourd'hui|seulement aujourd'hui|pour aujourd'hui|pour cette (?:session"
        r"|conversation|discussion)|dans cette (?:session|conversation))\b"
    ),
    seasonal=compiled(
        r"\b(?:pendant|en|à|lors de|avant|après)(?: la| le| l'| les"
        r"| chaque)? ?(?P<season>semaine de (?:release|livraison|mise en prod)|gel du code|fin (?:de"
        r"|du) (?:sprint|mois|trimestre|l'année)|fêtes|été|hiver)\b"
    ),
)
