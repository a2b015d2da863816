"""Whether a text says nothing once its secret or personal number is cut out. Pure; English, German, French, Spanish.

"The password is always [redacted: credential]" leaves nothing to know, whoever's password it is; "we log in to staging
as deploy with the password [redacted: credential]" leaves the user name. Looks at the words beside the notes and at the
form "X is [redacted]"; does not judge whether what is left is worth keeping.
"""

from __future__ import annotations

import re

from nightgarden.domain.redact import NOTE
from nightgarden.domain.verdict import Rule

NOTHING_LEFT = Rule(
    id="nothing-left", sentence="it names a credential or personal data, and says nothing else that may be kept"
)

_GAP = "\ufffc"  # stands for a note: the sign for an object that is not there
_IS = r"(?:is|are|was|equals|ist|sind|war|lautet|lauten|heißt|est|sont|était|es|son|era|:|=)"
_ALWAYS = (
    r"(?:always|still|now|just|again|currently|simply|also|too|everywhere|immer|noch|jetzt|nun|weiterhin|einfach"
    r"|überall|auch|derzeit|wieder|toujours|encore|maintenant|désormais|simplement|partout|aussi|actuellement"
    r"|siempre|todavía|ahora|simplemente|también|actualmente|sigue|siendo|aún)"
)
# "for the staging server": what the secret opens, told in at most four words.
_FOR = r"(?:for|to|into|of|on|at|in|from|für|zu|zum|zur|bei|beim|auf|von|vom|im|pour|de|du|des|sur|à|au|para|del|en)"
# A statement whose whole predicate was cut out. What stands before says whose it is, and is of one clause.
_PREDICATE_GONE = re.compile(
    rf"(?:(?!\s{_IS}\s)[^{_GAP},;:=()/]){{1,80}}?(?:\s|(?=[:=])){_IS}\s+(?:{_ALWAYS}\s+){{0,3}}{_GAP}(?:\s+{_GAP}){{0,3}}"
    rf"(?:\s+{_ALWAYS}){{0,3}}(?:\s+{_FOR}(?:\s+[^\s{_GAP}]{{1,40}}){{1,4}})?",
    re.IGNORECASE,
)
_TARGET = re.compile(rf"(?<!\w){_FOR}(?:\s+(?:the|our|my|den|dem|der|die|das|unser\w{{0,2}}|le|la|les|notre|el|los))?"
                     rf"\s+[^\s{_GAP}]{{1,40}}", re.IGNORECASE)  # fmt: skip
_LOG_IN = re.compile(
    r"\b(?:log(?:s|ged|ging)?(?:[ -]?(?:in|on)|(?=\s+into))|sign(?:s|ed|ing)?(?:[ -]?in|(?=\s+into))|meld\w{1,3}"
    r"|anmeld\w{1,3}|einlogg\w{1,3}|logg\w{1,3}|connecte[zr]?|connectons|connexion|inici\w{1,4} sesión"
    r"|acced\w{1,4}|entr\w{1,4})\b",
    re.IGNORECASE,
)
_SECRETS = """password passwords passwd passphrase passcode pin pins key keys token tokens secret secrets credential
    credentials login logins user username code codes api access private public recovery backup wifi wi-fi ssh
    passwort passworte passwörter kennwort zugang zugangsdaten schlüssel geheimnis benutzer benutzername anmeldedaten
    pin-code zugangscode
    mot passe mots clé clés code secret identifiant identifiants jeton accès
    contraseña contraseñas clave claves código secreto usuario credenciales acceso privada""".split()
_NUMBERS = """mail e-mail email address phone telephone mobile number iban card credit account social security tax id
    adresse mailadresse telefon telefonnummer handynummer nummer karte kreditkarte konto steuernummer steuer-id
    sozialversicherungsnummer numéro téléphone carte bancaire compte sécu sécurité sociale
    correo número teléfono tarjeta cuenta crédito""".split()
_FILLER = """a an the my our your his her their its this that it i we you he she they me us is are was be use used uses
    using has have with by as and or for to of in on at log logs sign into please remember note keep always
    still now just again never change only everywhere too also same here enter type call reach write der die
    das den dem des ein eine einen einem mein meine meinen unser unsere unseren dein deine sein ihr ich wir du
    er sie es ist sind war lautet heißt nutze nutzen benutze benutzen verwende verwenden nimm nehmen mit als
    und oder für zu zum zur bei immer noch jetzt nun nur auch bitte merk merke dir melde melden dich mich uns
    unter ruf le la les l un une mon ma mes notre nos votre ton ta son sa leur je j nous vous tu il elle est
    sont utilise utilisons utiliser utilisez avec par comme et ou pour de d au à toujours encore maintenant
    aussi connecte connectons connecter se toi el los las lo una mi mis nuestro nuestra su yo nosotros uso usa
    usamos usar usad con como y o para del en siempre todavía ahora también por inicia iniciar entra entrar
    sesión""".split()
_SAYS_NOTHING = frozenset((*_SECRETS, *_NUMBERS, *_FILLER))
_WORD = re.compile(r"[^\W_](?:[\w-]*\w)?")
# A credential that is only named: "the private key", "-----BEGIN RSA PRIVATE KEY-----".
_NAMED_MAX = 4  # different words; more of them may say something
_OPENS_A_NAME = """the a an my our your his her their das der die mein meine unser unsere le la les mon ma mes notre nos
    el los las mi mis nuestro nuestra de begin end rsa ec dsa openssh pgp block encrypted""".split()
_NAMED = frozenset((*_SECRETS, *_OPENS_A_NAME)) - {"user", "username", "benutzer", "benutzername", "usuario"}


def says_nothing(text: str) -> bool:
    """Whether the text only names a credential, or nothing is left of it beside the notes of what was cut out."""
    gapped = NOTE.sub(f" {_GAP} ", text) if "[redacted: " in text else text
    if gapped == text:
        return _is_a_name(text)
    if _is_glued(text):
        return False
    bare = " ".join(gapped.split()).strip(" .!,;\"'`")
    if _PREDICATE_GONE.fullmatch(bare) is not None:
        return True
    if _LOG_IN.search(bare):
        bare = _TARGET.sub(" ", _LOG_IN.sub(" ", bare))
    return all(word.lower() in _SAYS_NOTHING for word in _WORD.findall(bare))


def _is_glued(text: str) -> bool:
    """Whether a note stands inside a longer word: an address keeps its host, an assignment its name."""
    return any(text[: note.start()][-1:].strip(" \t\n\"'`(:=,.") or text[note.end() :][:1].strip(" \t\n\"'`),.;:!?")
               for note in NOTE.finditer(text))  # fmt: skip


def _is_a_name(text: str) -> bool:
    if len(text) > 4_000 or not any(word in text.lower() for word in _SECRETS):
        return False
    words = {word.lower() for word in _WORD.findall(text)}
    return 0 < len(words) <= _NAMED_MAX + 2 and words <= _NAMED and bool(words & set(_SECRETS))
