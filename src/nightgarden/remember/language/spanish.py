"""Spanish: requests, corrections, guards and small words."""

from __future__ import annotations

from nightgarden.remember.language.lexicon import Guard, Lexicon, compiled

SPANISH = Lexicon(
    code="es",
    frequent=frozenset(
        """el la los las un una y es no que de en con para por del al se lo nos yo tú nosotros mi mis
        nuestro nuestra nuestros
        siempre nunca más pero o si sí este esta eso como está están son hay usamos prefiero recuerda por favor gracias
        cuando porque ya muy también antes todo todos a su sin ese usa tiene hemos""".split()
    ),
    openers=compiled(
        r"^(?:(?:ok|vale|bueno|pues|oye|hola|ah|oh|eh|sí|gracias|genial|perfecto|por cierto|para tu info"
        r"|fyi|btw|y|pero|así que|de hecho|una cosa|importante|nota|ps|entonces|listo|claro"
        r"|ojo)(?:[,.!:;–—-]+ |[:,] ?|$)|(?:y|pero|pues|bueno|por cierto,?|oye,?|entonces|ah) )+"
    ),
    closers=compiled(r"(?:[,;.!–— -]+(?:ok|vale|por favor|porfa|gracias|de acuerdo|por cierto|eh)\W*)+$|[\s:;,–—-]+$"),
    request=compiled(
        r"^(?:(?:y|ok|vale|sí|ah|exacto)[,.!]* )*(?:por favor,? |porfa,? )?(?:recuerda(?:lo)?"
        r"|acuérdate(?: de)?|ten (?:en cuenta|presente)|toma nota|apunta|anota|memoriza"
        r"|no (?:te )?olvides(?: de)?|para (?:el futuro|la próxima|más tarde|futura referencia|que conste)"
        r"|nota para (?:luego|después|más tarde|el futuro))(?= que| :|:|,| esto)(?:,? (?:de )?(?:que |esto)"
        r"| ?:|,)[\s:,–—-]*"
    ),
    request_after=compiled(
        r"[\s,;.!–—(-]+(?:y )?(?:recuérdalo|recuerda (?:eso|esto)|tenlo en cuenta|ten eso en cuenta"
        r"|apúntalo|anótalo|no lo olvides|acuérdate)\W*$"
    ),
    pointer=compiled(r"^(?:eso|esto|lo|por favor|\W)*$"),
    guards=(
        (
            Guard.QUESTION,
            compiled(
                r"\?\W*$|^\W*¿|^(?:(?:y|pero|entonces),? )*(?:por qué|cómo|dónde|quién|cuándo|cuál\w*|cuánto\w*|qué"
                r"|puedes|podrías|me puedes|deberíamos|sabes|explícame|muéstrame|dime|me pregunto)\b"
            ),
        ),
        (
            Guard.HYPOTHETICAL,
            compiled(
                r"\b(?:quizás?|tal vez|a lo mejor|probablemente|posiblemente|podríamos|podría|deberíamos|debería"
                r"|sería|habría|creo que|pienso que|supongo|imagina|supongamos|y si|si (?:usáramos|usásemos"
                r"|pasáramos|cambiáramos|migráramos|tuviéramos)|algún día|en teoría|no (?:estoy )?segur[oa]"
                r"|me gustaría|estaba pensando|estoy pensando|parece|por ejemplo)\b"
            ),
        ),
        (
            Guard.REPORTED,
            compiled(
                r"\b(?:(?-i:[A-Z][a-záéíóú]+)|él|ella|el (?:cliente|jefe)|mi (?:jefe|jefa|compañer[oa])"
                r"|alguien) (?:dice|dijo|piensa|quiere|quería|propone|sugiere|prefiere|cree|opina|insiste|me dijo"
                r"|comentó)\b|\b(?:según|al parecer|por lo visto|supuestamente|he leído|he oído|dicen que)\b"
            ),
        ),
        (
            Guard.SARCASTIC,
            compiled(
                r"🙄|😒|🙃|😂|😅|\b(?:jaja\w*|lol|sí,? claro|claro,? porque|me encanta cuando|qué podría salir mal"
                r"|qué sorpresa|quién necesita)\b|^(?:genial|fantástico|estupendo|maravilloso|perfecto"
                r"|qué bien)[,!.]* (?:otra|otro|ahora|más|y|ya|justo|de nuevo)\b"
            ),
        ),
        (
            Guard.TRANSIENT,
            compiled(
                r"\b(?:ahora(?: mismo)?|en este momento|actualmente|por ahora|de momento|hoy|mañana|ayer"
                r"|esta (?:mañana|tarde|semana|noche)|todavía|aún no|temporalmente|otra vez|estoy (?:cansad[oa]"
                r"|enferm[oa]|de vuelta|\w+ndo)|está (?:rot[oa]|caíd[oa]|fallando|lent[oa]|roj[oa]|verde|colgad[oa]"
                r"|corriendo|tardando)|no (?:funciona|arranca|compila)|voy a|luego|ya vuelvo)\b"
            ),
        ),
        (
            Guard.ONE_OFF,
            compiled(
                r"\b(?:(?:este|esta|ese|esa) (?:archivo|fichero|función|método|test|línea|caso|pr|commit|clase|rama"
                r"|script|correo|frase|párrafo|texto|respuesta|versión|vez)|aquí(?= |\W|$)|la (?:primera|segunda"
                r"|última) (?:versión|opción)|tu (?:versión|solución)|arriba|abajo)\b"
            ),
        ),
    ),
    forbids=compiled(
        r"^(?:y |pero |por favor,? )*(?:nunca|jamás) \w+(?! (?:he|había)\b)|^(?:por favor,? )?no (?:uses"
        r"|pongas|hagas|toques|subas|commitees|añadas|escribas|borres|edites|despliegues|metas|mezcles"
        r"|guardes|incluyas) (?:nunca )?(?!eso\b|esto\b|nada\b|ese\b|esta?\b|aún|todavía)\S+|^(?:deja de"
        r"|evita) \w+(?! (?:eso|esto)\b)|^(?:no se puede|está prohibido|prohibido) \w+|^(?:sin"
        r"|nada de) (?:emojis|comentarios|relleno)\b"
    ),
    refusal=compiled(
        r"^(?:(?:hm+|ah|oh|espera|eh)[,.! –-]+)*(?:no|nop|falso|incorrecto|eso (?:no es (?:así|correcto"
        r"|cierto)|está mal|es incorrecto)|no exactamente|en realidad|corrección|mal)(?=\W"
        r"|$)[\s,.!:;–—-]+(?:(?:en realidad|perdón|por favor|mejor)[\s,.!:;–—-]+)*"
    ),
    refusal_chatter=compiled(
        r"^no[,.!]? (?:gracias|pasa nada|hace falta|importa|hay|te preocupes|todavía|aún|sé|entiendo"
        r"|está bien|más|era)\b"
    ),
    amendment=(
        compiled(
            r"^(?:por favor )?(?:usa|utiliza|pon|escribe|guarda|llama|llámalo|despliega|ejecuta|instala|haz"
            r"|mete|toma) (?!(?:eso|esto|ese|esa|el otro|la otra|el primero|la primera|este|esta)\b)\S+"
        ),
        compiled(
            r"^(?:nosotros|nuestr\w+|el|la|los|las|es|todos|aquí) (?:[\w`./-]+ ){0,5}?(?:es|son|está|están"
            r"|corre|usa|usamos|tiene|tienen|debe|deben|se llama|escucha|va|van|hay|vive)\b|^(?:usamos"
            r"|utilizamos|desplegamos|trabajamos|tenemos|guardamos) \w+"
        ),
    ),
    bare_value=compiled(
        r"^(?:es |se llama |está en )(?:el |la |en "
        r"|puerto )*(?P<value>[\w./:@+#~`-]+)(?:,? (?:y )?no (?:el |la "
        r"|en )*(?P<old>[\w./:@+#~`-]+))?[.!]*$"
    ),
    assent=compiled(
        r"^(?:(?:sí|exacto|exactamente|correcto|eso es|así es|justo|claro que sí"
        r"|efectivamente)[\s,.!]*)+(?:(?:y )?(?:recuérdalo|apúntalo|anótalo"
        r"|tenlo en cuenta)[\s,.!]*(?:por favor|gracias)?\W*)?$"
    ),
    success=compiled(
        r"\b(?:ya funciona|funciona ahora|ahora funciona|arreglado|solucionado|era eso|los tests pasan"
        r"|resuelto)\b"
    ),
    session_only=compiled(
        r"\b(?:solo (?:por )?hoy|por hoy|para esta (?:sesión|conversación)|en esta (?:sesión|conversación)"
        r"|solo en esta sesión)\b"
    ),
    seasonal=compiled(
        r"\b(?:durante|en|a|antes de|después de)(?: la| el| los| cada)? ?(?P<season>semana de (?:release"
        r"|lanzamiento|entrega)|congelación de código|(?:fin|final) de(?:l)? (?:sprint|mes|trimestre|año)"
        r"|navidad|verano|invierno)\b"
    ),
)
