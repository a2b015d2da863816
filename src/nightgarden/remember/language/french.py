"""French: requests, corrections, guards and small words."""

from __future__ import annotations

from nightgarden.remember.language.lexicon import Guard, Lexicon, compiled

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
    forbids=compiled(
        r"^(?:et |mais |s'il te plaît,? |stp,? )*(?:ne |n')(?:\w+ )(?:jamais|surtout pas|plus jamais)\b"
        r"|^(?:et |stp,? )*ne (?:jamais|pas) \w+er\b|^jamais (?:de |d')\w+|^(?:arrête|évite) (?:de "
        r"|d')\w+(?! (?:ça|ce|cette)\b)|^(?:pas|plus) d(?:e |')(?:emojis?|commentaires?|blabla)"
        r"|^(?:il ne faut|on ne doit) (?:jamais|surtout pas|pas)\b"
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
