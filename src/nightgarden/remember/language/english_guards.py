"""English: what looks like a lasting statement and is none."""

from __future__ import annotations

from nightgarden.remember.language.lexicon import Guard, compiled, words

_PEOPLE_SPEAKING = (
    r"(?:he|she|they|someone|somebody|everyone|everybody|people|(?-i:[A-Z][a-zà-ÿ]+)(?: (?-i:[A-Z][a-z]+))?"
    r"|(?:my|our|the|a|an|some|this|that|one|his|her|their) (?:[\w-]+ )?(?:boss|manager|lead|cto|ceo|pm"
    r"|colleague|coworker|teammate|guy|team|dev"
    r"|engineer|designer|vendor|consultant|reviewer|client|customer|docs?|documentation|readme|article|blog|post|book"
    r"|tutorial|guide|error|message|log|ticket|issue|email|mail|linter|compiler|speaker|talk|thread|friend|intern"
    r"|stackoverflow|answer|llm|model|review|comment|management|marketing|sales|legal|security|wiki|page|rfc|spec))"
)
_STATES = words(
    """
    failing broken down slow stuck hanging red green done ready back gone missing empty finished crashing weird
    wrong good nice great working fine ok okay dead busy full wip off annoying tricky ugly terrible awful bad
    better worse huge confusing unclear perfect correct clean happy tired sick hungry late early home sure
    afraid sorry lost confused curious glad ill exhausted frustrated annoyed here there close almost nearly
    about going not waiting trying getting looking seeing having thinking stumped baffled impressed free bored
    alone hoping okay-ish merged pushed fixed passing over happening acting behaving useful useless impossible
    easy hard simple complicated grown shrunk changed become gotten stopped crashed vanished disappeared
"""
)


GUARDS = (
    (
        Guard.QUESTION,
        compiled(
            r"\?\W*$|\bhow (?:do|can|would|should|could) (?:i|we|you)\b|^(?:(?:and|so|but|also|ok|hey|hm+"
            r"|wait),? )*(?:what|why|how|where|who|which|whose"
            r"|when (?:do|does|did|is|are|will|should|can|would))(?:'s|'re)?\b"
            r"(?! (?:matters|counts|works|bit|broke|happened|helped) )"
            r"|^(?:(?:and|so|but|also|ok|hey|hm+|wait),? )*(?:can|could|would|will|should|shall|may|do|does|did"
            r"|is|are|was|were|has|have|isn't|aren't|doesn't|didn't|won't|can't|shouldn't|wouldn't) (?:you|we|i"
            r"|it|this|that|the|there|they|he|she|our|my|these|those|any|someone|somebody)\b"
            r"|^(?:i wonder|i was wondering|wondering|any idea|any chance|not sure (?:if|whether|why|how|what)"
            r"|tell me|explain (?:this|that|what|how|why|the|it|to me|me)|show me|let me know|do you"
            r"|remind me)\b"
        ),
    ),
    (
        Guard.HYPOTHETICAL,
        compiled(
            r"\b(?:what if|suppose|imagine|hypothetically|let's say|in theory|assuming|maybe|perhaps|possibly"
            r"|probably|presumably|not sure|unsure|no idea|i guess|i suppose|i think|i believe|i assume"
            r"|i reckon|i feel like|i doubt|afaik|iirc|afair|someday|one day|some day|eventually|at some point"
            r"|in an ideal world|ideally|tempted|toying|debating|leaning|considering|wonder|wondering"
            r"|thinking (?:about|of)|thought about|i wish|hopefully|might|could|i'd consider|sounds like|seems?"
            r"|looks like|supposed to|not certain|guessing|would be|would have|would've|should've|could've"
            r"|should have|could have|it'd be|there'd be|for example|e\.g\.|for instance|say we|pretend"
            r"|in case we ever|if only|or something|unless you think|what about|how about|pros and cons"
            r"|either)\b"
            r"|\b(?:if|when|once) (?:we|i|you|they|it) (?:ever|used|were|was|switched|moved|went|had|did"
            r"|migrated|adopted|decided?|wanted|would|could|hadn't|didn't|do decide|choose|go with|switch|move"
            r"|migrate|adopt|get around)\b"
            r"|\bwe (?:should|can|could|may|would) (?!only|always|never|not|n't)|\bwe'd\b|\bi'd (?:like|love"
            r"|want|say|go|use|do|try|hope|expect)\b"
        ),
    ),
    (
        Guard.REPORTED,
        compiled(
            r"\b(?:my|our|the|a|his|her) [\w-]+(?: \w+)? (?:wants?|says?|said|thinks?|told|insists?|suggests?"
            r"|suggested) (?:us|me|that|to|we|it)\b|"
            rf"(?:^|[,;:–-] |\b(?:and|but|because|so|since|that|as|like|what|how|fyi"
            rf"|btw) ){_PEOPLE_SPEAKING}(?: \w+ly| also| just| always| still| once| again| keeps?| kept| has"
            rf"| have| had| even)?"
            r" (?:says?|said|saying|thinks?|thought|claims?|claimed|wants?|wanted|suggests?|suggested"
            r"|suggesting|tells?|told|mentions?|mentioned|insists?|insisted|argues?|argued|recommends?"
            r"|recommended|proposes?|proposed|believes?|reckons?|swears?|would like|would prefer|would rather"
            r"|prefers?|asked|asks|wrote|reads|hates?|loves?|likes?|pushes|pushing|is pushing|is convinced"
            r"|is asking|complains?|complained|promised|vouches|advised|advises|feels?)\b"
            r"|\b(?:according to|apparently|supposedly|allegedly|reportedly|rumou?r|heard (?:that|from|about)"
            r"|i (?:read|saw|heard) (?:that|somewhere|on|in|about|a|an|it)|was told|were told|been told|word is"
            r"|quote|per the (?:docs?|article|readme)|in the (?:article|blog|docs?) they)\b"
            r"|^(?:he|she|they)\b"
        ),
    ),
    (
        Guard.SARCASTIC,
        compiled(
            r"\bcan't believe\b|🙄|😒|🙃|😂|🤡|😅|(?:^| )/s\b"
            r"|\b(?:yeah,? right|as if|lol|lmao|rofl|haha\w*|hehe|kidding|jk"
            r"|what could (?:possibly )?go wrong|thanks for nothing|living the dream|because why not"
            r"|why not just|who needs|who doesn't|just what (?:i|we) needed|exactly what (?:i|we) needed"
            r"|slow clap|genius|for fun and profit|of course it)\b"
            r"|\blove(?:s)? (?:it )?(?:how|when|that|it when|a good|debugging|waiting|chasing)\b"
            r"|^(?:oh|ah|wow|great|awesome|fantastic|wonderful|brilliant|lovely|perfect|amazing|sure|yeah|yay"
            r"|right|cool|nice|excellent|super|neat|joy)[,!.…]* (?:great|sure|right|because|another|yet|just"
            r"|exactly|now|of course|let's|joy|wonderful|perfect|good|yes|fantastic|lovely|we love|i love"
            r"|so now|more|nothing|what)\b"
            r"|\bmy (?:absolute |all[- ]time )?favou?rite (?:thing|part|hobby|pastime|kind of|error|bug|game"
            r"|way|sport|feature of)\b"
            r"|\bbecause (?:that|who|nothing|everyone|everybody|obviously|of course|clearly"
            r"|that's)(?:'s)? (?:always|needs|went|worked|ever|never|exactly|totally|clearly|says|wants|how"
            r"|loves)\b"
            r"|\b(?:clearly|obviously|totally|surely|definitely) (?:the best|the (?:right|smart)|a (?:great"
            r"|good|brilliant)|nobody|nothing|everybody|not)\b"
            r"|\b(?:production|prod) is (?:just )?(?:a )?(?:suggestion|the best test)|\bmust be (?:magic"
            r"|a feature)\b|\btruly\b.*\b(?:art|masterpiece|gift)\b|\b(?:as is|as per) tradition\b"
        ),
    ),
    (
        Guard.TRANSIENT,
        compiled(
            r"\bfailing \w+|\band then (?:it|i|the|open|run|click|see|get)\b|\b(?:currently|right now|rn"
            r"|at the moment|atm|for now|for the moment|for the time being"
            r"|temporarily|today|tonight|this (?:morning|afternoon|evening|week|month|sprint|run|session)"
            r"|tomorrow|yesterday|last (?:night|week|time|month|run)|next (?:week|month)|on (?:monday|tuesday"
            r"|wednesday|thursday|friday) morning|just (?:now|started|finished|pushed|merged|ran|got|saw"
            r"|noticed|tried|realized|realised|deployed|restarted|had|did|a sec)|not yet|yet|brb|gtg"
            r"|in a (?:sec|second|minute|bit|meeting|moment|hurry)|(?:an hour|a minute|\d+ (?:minutes?|hours?"
            r"|days?|mins?)) ago|so far|in the meantime|later|until (?:i|we|you|then|monday|tomorrow)"
            r"|while (?:i|you|we)|as of this|again|already)\b"
            rf"|\b(?:is|are|was|were|'s|'re|'m|am|looks?|seems?|feels?|got|gets) (?:all |so |now |very |really "
            rf"|pretty |quite |totally |completely |a bit |kinda |too |still |just )*(?:{_STATES})\b(?! (?:in|on"
            rf"|by|via|with|when|if|unless|for|to|because) )"
            r"|\b(?:is|are|'s|'re|i'm|am|we're) (?:now |still |just |currently )?(?:building|compiling"
            r"|deploying|loading|installing|downloading|testing|debugging|reading|writing|refactoring|working"
            r"|looking|trying|seeing|getting|about to|gonna|wondering|starting|pushing|merging|failing|crashing"
            r"|restarting|waiting|taking|investigating)\b"
            r"|\b(?:is|are|am|'s|'re|'m) (?:[\w']+ )?(?!(?:running (?:on|in|at|under|with)|using|going with"
            r"|moving|switching|migrating|dropping|adopting|sticking|standardi[sz]ing|keeping|replacing"
            r"|sunsetting|deprecating|launching|targeting|based|during|string|king|thing|nothing|everything"
            r"|something|anything|billing|staging|existing|mapping|logging|testing|working (?:at|for|from|as)"
            r"|living|training|marketing|accounting|engineering|pricing|reporting|caching|routing|hosting"
            r"|monitoring|breaking|missing|bring|being (?:phased|sunset|retired"
            r"|replaced))\b)\w{2,}ing\b(?! (?:team|department|lead|service|system)\b)"
            r"|\b\d+ (?:restarts?|errors?|failures?|warnings?|commits?|conflicts?|changes?)\b|\b(?:left|behind"
            r"|ahead|next|again)\W*$|\bha(?:s|ve) been \w+ing\b|\band then (?:it|i|the)\b"
            r"|\b(?:is|are) (?:on|due|due on|at) (?:next |this )?(?:monday|tuesday|wednesday|thursday|friday"
            r"|saturday|sunday|\d{1,2}(?::\d\d)? ?(?:am|pm)?)\W*$"
            r"|\b(?:when|if|as soon as|every time|whenever|after|once) i (?:run|try|do|call|click|add|remove"
            r"|use|start|push|open|press|type|hit|load|save|submit|scroll|select|log in|enter|change|build)\b"
            r"|\b(?:is|are) (?:on fire|a mess|in trouble|a disaster|a pain)\b"
            r"|\bkeeps? \w+ing\b|\bi'll\b|\bi will\b|\blet me\b|\bi've (?:just|been|got|no)\b|\bwon't (?:start"
            r"|compile|build|load|work|run)\b|\bstill (?:fails?|not|no|get|getting|see|seeing|broken|failing"
            r"|doesn't|red|hangs|same|the same)\b|\bnow (?:it|the|i|we)\b|\b(?:step|phase) \d\b"
        ),
    ),
    (
        Guard.ONE_OFF,
        compiled(
            r"\bbe able to\b|\bin there\b|\bthe new (?:design|layout|screen|form|ui|look)\b"
            r"|\b(?:restart|rerun|run|fix|change|move|delete|remove|revert|push|merge) (?:it|them)\b"
            r"|\b(?:is|was|were) (?:undefined|null|none|nil|nan)\b|\bnull checks?\b|\btypo\b"
            r"|\boff[- ]by[- ]one\b|\bsyntax error\b|\bmissing (?:import|comma|bracket|semicolon|paren\w*"
            r"|argument|await|return)\b|\bthe (?:variable|argument|parameter|loop|function|method"
            r"|whole (?:thing|file|output|log)|entire (?:file|output|log))\b"
            r"|\buse (?:a|an) (?:\w+ )?(?:loop|dict|list|set|regex|class|function|helper|lambda|ternary|tuple"
            r"|variable|constant|switch|map|flag|parameter|string|comprehension|generator|decorator|thread|join"
            r"|subquery|hook|struct)\b"
            r"|^(?:please )?(?:use|put|write|make|add|run|call|name|keep|let's use|return)\b[^.]*\bhere[.!]*$"
            r"|\b(?:this|that|the (?:first|second|third|last|next|other|new|same|above|previous|current|latter"
            r"|former|following|failing|existing)) (?:one|file|function|method|class|snippet|test|line|case|pr"
            r"|commit|script|component|query|loop|block|version|option|approach|variable|bug|issue|ticket"
            r"|change|branch|answer|reply|example|section|paragraph|page|table|column|field|button|error|email"
            r"|mail|message|draft|sentence|module|migration|endpoint|parameter|argument|param|name|idea"
            r"|solution|variant|feature|helper|import|diff|refactor|patch|cell|plot|figure|notebook|slide"
            r"|chapter|part|bit|thing|review|task|step|stuff|mess|directory|folder|package|column|log|output"
            r"|time|round|run|call|list|item|image|picture|word|title|heading|release|deploy|rule|check|value"
            r"|hotfix|experiment|spike|demo|prototype|exercise|homework|essay|letter|post)\b"
            r"|\bbranch (?:is|was) called [\w-]+/|\b(?:this time|just (?:this )?once|in this (?:case|instance)"
            r"|as an exception|exceptionally|option (?:[a-d]|\d)|your (?:version|last|first|second|solution"
            r"|approach|suggestion|proposal|change|code|patch|answer|diff)|above|below|line \d+|lines \d+)\b"
            r"|\b(?:in|on|for|to|with|from|of|into|like|about|at) (?:this|that|these|those|here)(?:[.,!;)]|$"
            r"| (?:and|because|so|please|instead|as well|too|first|then)\b)"
        ),
    ),
)
