"""Text that tries to give orders, and text that we put there ourselves.

Knows the turns of phrase of prompt injection in several languages, the marks of roles and tool calls, and characters
that hide text. Knows the fence around what nightgarden injects, so that it is never taken for something new. Does not
understand a text: an order in unusual words passes, and the rule is for text from outside alone, because people give
orders to their agents all day.
"""

from __future__ import annotations

import re
import unicodedata

from nightgarden.domain.verdict import Finding, Rule

INSTRUCTION_LIKE = Rule(id="instruction-like", sentence="it comes from outside and reads like an order to the agent")
OWN_INJECTION = Rule(
    id="own-injection", sentence="it is text that nightgarden itself put into the session", overridable=False
)

FENCE_NAME = "nightgarden-recall"
FENCE_OPEN = f"<{FENCE_NAME}>"
FENCE_CLOSE = f"</{FENCE_NAME}>"
_EITHER = re.compile(rf"<(?P<close>/)?{FENCE_NAME}(?:\s[^<>]{{0,400}})?>", re.IGNORECASE)

_OLD = (
    r"(?:previous|prior|above|earlier|preceding|former|existing|original|system|all|any|your|the|these|those|my|other)"
)
_RULES = (
    r"(?:instructions?|prompts?|rules?|directives?|guidelines?|guardrails?|orders?|commands?"
    r"|programming|training|context|messages?|constraints?|restrictions?|polic(?:y|ies)|safety)"
)
_PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE), what)
    for pattern, what in (
        (
            rf"\b(?:ignore|disregard|forget|override|bypass|skip|drop|discard|neglect|do not (?:follow|obey)|don't"
            rf" (?:follow|obey)|stop (?:following|obeying))"
         rf"\s+(?:(?:about|of)\s+)?(?:{_OLD}\s+(?:of\s+)?){{1,4}}(?:\w+\s+){{0,2}}{_RULES}\b",
         "order to ignore instructions"),
        (
            r"\b(?:ignore|disregard|forget)\s+(?:everything|all|anything)\s+(?:\w+\s+){0,3}(?:above|before"
            r"|previously|prior|so far|told|said|learned)\b", "order to ignore instructions"),
        (
            rf"\b(?:new|updated|revised|real|actual|hidden|secret|important"
            rf"|urgent)\s+(?:system\s+)?{_RULES}\s*(?::|-->|follow|from (?:the )?(?:admin|system|developer))",
            "new instructions"),
        (
            r"\b(?:you (?:must|shall|will|should|have to|need to) (?:now|immediately|always obey|comply)|from now"
            r" on,? you(?:'re| are| will| must| shall)?\b"
         r"|you are (?:now|no longer|going to be)\s+(?:an?|the|in|bound|my|dan|free|acting|required)\b)",
         "order to the agent"),
        (
            r"\b(?:act|behave|respond|roleplay|role-play|pretend)\s+(?:as|like|to be)\s+(?:if\s+)?(?:you\s+(?:are"
            r"|were|have)\s+)?(?:an?\s+)?(?:\w+\s+){0,3}"
         r"(?:unrestricted|jailbroken|unfiltered|uncensored|evil|dan\b|developer mode|without (?:any"
         r" )?(?:restrictions|limits|filters|rules)|no (?:restrictions|limits|rules))", "order to change role"),
        (
            r"\b(?:enable|enter|activate|switch to|in)\s+(?:dan|developer|debug|god|sudo|admin|jailbreak"
            r"|unrestricted|maintenance)\s+mode\b(?=.{0,80}(?:\byou\b|restrict|ignore|comply|answer|respond"
            r"|unlock))", "order to change role"),
        (
            r"\b(?:reveal|print|show|output|repeat|leak|expose|dump|disclose|display|tell me|give me|send me"
            r"|share)\s+(?:\w+\s+){0,4}(?:system prompt|hidden (?:prompt|instructions)|initial (?:prompt"
            r"|instructions)|your (?:instructions|prompt|rules|guidelines|configuration)|developer message)",
            "request for the prompt"),
        (
            r"\b(?:send|post|upload|forward|e-?mail|transmit|exfiltrate|leak|copy|submit|paste|append|include|encode"
            r"|deliver|report)\s+(?:\w+[\s,]+){0,8}?(?:(?:api[ _-]?)?keys?|credentials?|passwords?|secrets?|tokens?"
            r"|\.env|environment variables|env vars|conversation|chat (?:history|log)|private (?:data|keys?)|ssh"
            r" keys?|id_rsa|cookies?|contents? of|memory|memories|files?)\b"
         r".{0,80}?\b(?:to|at|via|into|in|as)\s+(?:\w+\s+){0,4}(?:https?://|[\w.+-]+@[\w-]+\.|this (?:url"
         r"|address|server|endpoint|webhook)|the (?:url|following|attacker|webhook|image)|my (?:server|email"
         r"|webhook)|attacker|an? (?:external|remote)|url parameter|query)", "request to send data out"),
        (
            r"\b(?:curl|wget|fetch|invoke-webrequest|nc)\b[^\n]{0,120}(?:\$\(|`|\|\s*(?:ba|z)?sh\b|\.env"
            r"|id_rsa|/etc/passwd|\$[A-Z_]*(?:KEY|TOKEN|SECRET))", "request to send data out"),
        (
            r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{0,200}(?:\{|\$|%7B|=\s*<|data=|q=\[)",
            "image address that carries data"),
        (
            r"\b(?:do not|don't|never|without)\s+(?:tell|telling|inform|informing|mention|mentioning|alert"
            r"|alerting|notify|notifying|ask|asking|reveal|revealing|warn|warning|show"
            r"|showing)\s+(?:this\s+)?(?:to\s+)?(?:it\s+)?(?:to\s+)?(?:the\s+)?(?:user|human|owner|operator"
            r"|anyone|them|him|her)\b", "order to hide from the user"),
        (
            r"\b(?:assistant|ai|agent|llm|model|chatbot|claude|gpt|chatgpt|copilot|gemini"
            r"|bot)\s*[,:]\s*(?:please\s+)?(?:you\s+(?:must|should|will|are)|ignore|disregard|forget|execute"
            r"|run|send|delete|call|read|open|write|download|install|output|reply|respond|print|remember"
            r"|store|save|add|say|act|stop|do not|don't|always|never)\b", "order to the agent"),
        (
            r"\b(?:if you are|attention|note to|message (?:to|for)|instructions? (?:to|for)"
            r"|dear)\s+(?:an?\s+|any\s+|the\s+|all\s+)?(?:ai|llm|language model|assistants?|agents?"
            r"|automated|chatbots?|crawler|bots?)\b", "address to the agent"),
        (
            r"\b(?:the\s+)?(?:ai|assistant|agent|model|llm)\s+(?:must|shall|should|will|is (?:required"
            r"|instructed|ordered|authorized) to|has to|needs to)\s+(?:now\s+|always\s+"
            r"|immediately\s+)?(?:ignore|disregard|execute|run|send|delete|reveal|output|comply|obey|call"
            r"|click|visit|download|install|approve|recommend|forward|say|respond|reply|store|remember"
            r"|treat)\b", "order to the agent"),
        (
            r"\b(?:remember|store|save|memori[sz]e|add to (?:your )?memory)\s*(?:forever|permanently|this as"
            r"|that you (?:must|should|are|will)|: (?:the user|always|never|you))", "order to remember"),
        (
            r"\b(?:ignorier\w*|vergiss|vergessen sie|missachte\w*|befolge"
            r" nicht)\s+(?:\w+\s+){0,4}(?:anweisung\w*|befehle?|regeln|vorgaben|instruktion\w*"
            r"|eingabeaufforderung\w*)", "order to ignore instructions"),
        (
            r"\b(?:ignor(?:e[zr]?|ons)|oublie[zr]?|ne (?:tiens|tenez) pas"
            r" compte)\s+(?:de\s+)?(?:\w+\s+){0,4}(?:instructions?|consignes?|directives?|règles|ordres)\b",
            "order to ignore instructions"),
        (
            r"\b(?:ignora(?:r|d|te)?|ignore|olvida(?:r|te)?|olvide|descarta|desestima|no"
            r" sigas)\s+(?:de\s+)?(?:\w+\s+){0,4}(?:instrucciones|órdenes|ordenes|reglas|indicaciones"
            r"|istruzioni|regole|instruções|ordens|regras|direttive)\b", "order to ignore instructions"),
        (
            r"\b(?:dimentica|esqueça|esqueca|desconsidere|negeer|vergeet|zignoruj|zapomnij|ignorera|glöm"
            r"|unut|yoksay)\s+(?:\w+\s+){0,4}(?:istruzioni|regole|instruções|instrucoes|regras|instructies"
            r"|regels|opdrachten|instrukcje|polecenia|instruktioner|talimat\w*)", "order to ignore instructions"),
        (
            r"(?:игнорируй\w*|забудь\w*|проигнорируй\w*|не следуй\w*)\s+(?:\w+\s+){0,4}(?:инструкци\w+"
            r"|указани\w+|правил\w*|команд\w*)", "order to ignore instructions"),
        (
            r"(?:忽略|无视|無視|忘记|忘掉|不要遵循|绕过)[^\n。]{0,12}(?:指令|指示|说明|提示|规则|規則|命令)|(?:以前|前|上記|これまで"
            r"|すべて)の?[^\n。]{0,8}(?:指示|命令|ルール|プロンプト)[^\n。]{0,6}(?:無視|忘れ|従わない)|(?:이전|위의?|모든)[^\n.]{0,10}(?:지시"
            r"|명령|규칙|프롬프트)[^\n.]{0,8}(?:무시|잊)", "order to ignore instructions"),
        (
            r"(?:تجاهل|انسَ?|انس)\s+(?:\w+\s+){0,3}(?:التعليمات|الأوامر|القواعد)|(?:पिछले|सभी"
            r"|उपरोक्त)[^\n।]{0,20}(?:निर्देश|आदेश)[^\n।]{0,20}(?:अनदेखा|भूल|नज़रअंदाज़)",
            "order to ignore instructions"),
    )
)  # fmt: skip
_MARKS = tuple(
    (re.compile(pattern, re.IGNORECASE | re.MULTILINE), what)
    for pattern, what in (
        (
            r"^[ \t>*#]{0,8}\[?(?:system|assistant|developer)(?: (?:prompt|message|instruction|override"
            r"|note))?\]?[ \t]*(?::|\]:)[ \t]*\S", "role mark"),
        (
            r"<\|(?:im_start|im_end|system|user|assistant|endoftext|end|eot_id|start_header_id|end_header_id"
            r"|begin_of_text|tool|tool_call|fim_\w{1,10})\|?>?", "role mark"),
        (
            r"\[/?(?:INST|SYS|SYSTEM|TOOL_CALLS?|AVAILABLE_TOOLS)\]|<</?SYS>>|###\s{0,3}(?:system"
            r"|instruction|human|assistant)\s{0,3}:", "role mark"),
        (
            r"</?(?:system|system-reminder|system_prompt|assistant|developer|human|instructions?|user_query"
            r"|important|admin|tool_result|tool_response|function_results?)(?:\s[^<>\n]{0,100})?>", "role tag"),
        (
            r"</?(?:antml:)?(?:function_calls?|invoke|tool_calls?|tool_use|parameter|tool_code|use_mcp_tool"
            r"|execute_command|function)(?:[\s=][^<>\n]{0,200})?>", "tool call"),
        (
            r"\"(?:tool_calls?|function_call|tool_use)\"\s{0,4}:|\"type\"\s{0,4}:\s{0,4}\"(?:tool_use"
            r"|function_call|tool_result)\"|\{\s{0,4}\"(?:name"
            r"|tool)\"\s{0,4}:\s{0,4}\"\w{1,60}\"\s{0,4},\s{0,4}\"(?:arguments|parameters|input|args)\"", "tool call"),
        (r"\b(?:BEGIN|START|END) (?:OF )?(?:SYSTEM|ADMIN|HIDDEN|NEW) (?:PROMPT|INSTRUCTIONS?|MESSAGE)", "role mark"),
    )
)  # fmt: skip

# Characters that show nothing: tags (which can spell a hidden text), direction overrides, and runs of zero width.
# One zero-width joiner is part of emoji and of several scripts; a run of them, or one between Latin letters, is not.
_HIDDEN = re.compile(
    "[\U000e0001\U000e0020-\U000e007f]{6,}|[\u202a-\u202e\u2066-\u2069]"
    "|[\u200b-\u200d\u2060-\u2064\ufeff\u00ad\u180e]{3,}"
    "|(?<=[A-Za-z])[\u200b-\u200d\u2060-\u2064\ufeff](?=[A-Za-z])|[\ufe00-\ufe0e\U000e0100-\U000e01ef]{4,}"
    "|<!--(?=[^>]{0,400}(?:ignore|instruction|assistant|system|prompt|you must))"
)
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")


def instruction_like(text: str) -> tuple[Finding, ...]:
    """Where a text from outside reads like an order to an agent, or hides something."""
    found = [(match.start(), match.end(), "hidden characters") for match in _HIDDEN.finditer(text)]
    found += [(m.start(), m.end(), what) for pattern, what in (*_PHRASES, *_MARKS) for m in pattern.finditer(text)]
    if not found and _INVISIBLE.search(text):
        # Split words are read as the agent would read them; their places in the text are then not known.
        plain = _INVISIBLE.sub("", text)
        found += [(0, len(text), what) for pattern, what in (*_PHRASES, *_MARKS) if pattern.search(plain)]
    return tuple(
        Finding(rule=INSTRUCTION_LIKE, start=start, end=end, what=what) for start, end, what in sorted(set(found))
    )


def fence(text: str, *, note: str = "") -> str:
    """What is injected, marked as ours. Fences inside it are taken out first, so that it cannot end early."""
    opening = f"<{FENCE_NAME} {note}>" if note else FENCE_OPEN
    return f"{opening}\n{blunt_marks(_EITHER.sub('', text))}\n{FENCE_CLOSE}"


def blunt_marks(text: str) -> str:
    """The text with angle brackets blunted wherever it names our fence, in whatever letters: full-width and other
    compatible forms, other dashes and invisible characters read the same to a model."""
    return text.translate(_BLUNT) if FENCE_NAME in _as_read(text) else text


def _as_read(text: str) -> str:
    """In plain letters, with nothing between them."""
    if not text.isascii():
        folded = unicodedata.normalize("NFKC", text)
        text = "".join(_PLAIN.get(unicodedata.category(character), character) for character in folded)
    return "".join(text.split()).casefold()


_PLAIN = {"Pd": "-", "Cf": ""}  # every dash, and what does not show
_BLUNT = {ord(sharp): blunt for sharps, blunt in (("<＜﹤", "‹"), (">＞﹥", "›")) for sharp in sharps}


def contains_injected(text: str) -> bool:
    """Whether any mark of our injections is in a text, complete or not."""
    return _EITHER.search(text) is not None


def strip_injected(text: str) -> str:
    """The text without the blocks we injected; an opening without an end takes the rest, a lone end only itself."""
    if not contains_injected(text):
        return text
    kept: list[str] = []
    reached = depth = 0
    for mark in _EITHER.finditer(text):
        if depth == 0:
            kept.append(text[reached : mark.start()])
        depth = max(0, depth - 1) if mark["close"] else depth + 1
        reached = mark.end()
    if depth == 0:
        kept.append(text[reached:])
    whole = "".join(kept)
    # Taking a block out can bring the halves of another mark together.
    return strip_injected(whole) if contains_injected(whole) else whole
