"""English: how lasting things are said, and what looks like them and is not."""

from __future__ import annotations

from nightgarden.domain.memory import Category
from nightgarden.remember.language.english_parts import (
    ADVERB,
    ALL_OF_A_KIND,
    ARTIFACTS,
    ENVIRONMENT,
    GENERIC_STYLE,
    HABIT_VERBS,
    LASTING_VERBS,
    LEAD,
    NOT_HABITS,
    PEOPLE,
    STATES,
)
from nightgarden.remember.language.lexicon import Cue, Guard, Lexicon, compiled, one_of

_TIMELESS = frozenset({Guard.TRANSIENT})
_POINTED = r"(?:it|this|that|these|those|them|anything|everything|something|me|us|so|any of|one)\b"
_PLACE = (
    r"(?:(?:in|on|for|across|at) (?:this|our|the|my) (?:\w+ )?(?:repo|repository|project|code ?base|team|company|monorepo"
    r"|workspace|org|shop|house|office|squad|app|lab|department)|around here|over here|here|at work|internally)"
)
_NAME = (
    r"(?-i:(?!(?:The|Our|My|This|That|It|Its|Staging|Production|Prod|Everything|Everyone|Nobody|All|Each|Every|We|You|They|He|She|Which|What|There|Here|"
    r"Then|Also|And|But|So|If|When|Nothing|Something|Please|One|No|Only)\b)[A-Z][a-zà-ÿ]+)"
)
_HABIT_PHRASE = one_of(
    "from now on",
    "from here on",
    "going forwards?",
    "in (?:the )?future",
    "henceforth",
    "as a rule",
    "by default",
    "every time",
    "any ?time",
    "whenever",
    "each time",
    "at all times",
    "no matter what",
    "without exception",
    "in general",
)
_PEOPLE_SPEAKING = (
    r"(?:he|she|they|someone|somebody|everyone|everybody|people|(?-i:[A-Z][a-zà-ÿ]+)(?: (?-i:[A-Z][a-z]+))?"
    r"|(?:my|our|the|a|an|some|this|that|one|his|her|their) (?:[\w-]+ )?(?:boss|manager|lead|cto|ceo|pm|colleague|coworker|teammate|guy|team|dev"
    r"|engineer|designer|vendor|consultant|reviewer|client|customer|docs?|documentation|readme|article|blog|post|book"
    r"|tutorial|guide|error|message|log|ticket|issue|email|mail|linter|compiler|speaker|talk|thread|friend|intern"
    r"|stackoverflow|answer|llm|model|review|comment|management|marketing|sales|legal|security|wiki|page|rfc|spec))"
)

_GUARDS = (
    (
        Guard.QUESTION,
        compiled(
            r"\?\W*$|^(?:(?:and|so|but|also|ok|hey|hm+|wait),? )*(?:what|why|how|where|who|which|whose|when (?:do|does|did|is|are|will|should|can|would))(?:'s|'re)?\b"
            r"(?! (?:matters|counts|works|bit|broke|happened|helped) )"
            r"|^(?:(?:and|so|but|also|ok|hey|hm+|wait),? )*(?:can|could|would|will|should|shall|may|do|does|did|is|are|was|were|has|have|isn't|aren't|doesn't|didn't|won't|can't|shouldn't|wouldn't) (?:you|we|i|it|this|that|the|there|they|he|she|our|my|these|those|any|someone|somebody)\b"
            r"|^(?:i wonder|i was wondering|wondering|any idea|any chance|not sure (?:if|whether|why|how|what)|tell me|explain|show me|let me know|do you|remind me)\b"
        ),
    ),
    (
        Guard.HYPOTHETICAL,
        compiled(
            r"\b(?:what if|suppose|imagine|hypothetically|let's say|in theory|assuming|maybe|perhaps|possibly|probably|presumably|not sure|unsure|no idea|i guess|i suppose|i think|i believe|i assume|i reckon|i feel like|i doubt|afaik|iirc|afair|someday|one day|some day|eventually|at some point|in an ideal world|ideally|tempted|toying|debating|leaning|considering|wonder|wondering|thinking (?:about|of)|thought about|i wish|hopefully|might|could|i'd consider|sounds like|seems?|looks like|supposed to|not certain|guessing|would be|would have|would've|should've|could've|should have|could have|it'd be|there'd be|for example|e\.g\.|for instance|say we|pretend|in case we ever|if only|or something|unless you think|what about|how about|pros and cons|either)\b"
            r"|\b(?:if|when|once) (?:we|i|you|they|it) (?:ever|used|were|was|switched|moved|went|had|did|migrated|adopted|decided?|wanted|would|could|hadn't|didn't|do decide|choose|go with|switch|move|migrate|adopt|get around)\b"
            r"|\bwe (?:should|can|could|may|would) (?!only|always|never|not|n't)|\bwe'd\b|\bi'd (?:like|love|want|say|go|use|do|try|hope|expect)\b"
        ),
    ),
    (
        Guard.REPORTED,
        compiled(
            rf"(?:^|[,;:–-] |\b(?:and|but|because|so|since|that|as|like|what|how|fyi|btw) ){_PEOPLE_SPEAKING}(?: \w+ly| also| just| always| still| once| again| keeps?| kept| has| have| had| even)?"
            r" (?:says?|said|saying|thinks?|thought|claims?|claimed|wants?|wanted|suggests?|suggested|suggesting|tells?|told|mentions?|mentioned|insists?|insisted|argues?|argued|recommends?|recommended|proposes?|proposed|believes?|reckons?|swears?|would like|would prefer|would rather|prefers?|asked|asks|wrote|reads|hates?|loves?|likes?|pushes|pushing|is pushing|is convinced|is asking|complains?|complained|promised|vouches|advised|advises|feels?)\b"
            r"|\b(?:according to|apparently|supposedly|allegedly|reportedly|rumou?r|heard (?:that|from|about)|i (?:read|saw|heard)|was told|were told|been told|word is|quote|per the (?:docs?|article|readme)|in the (?:article|blog|docs?) they)\b"
            r"|^(?:he|she|they)\b"
        ),
    ),
    (
        Guard.SARCASTIC,
        compiled(
            r"🙄|😒|🙃|😂|🤡|😅|(?:^| )/s\b|\b(?:yeah,? right|as if|lol|lmao|rofl|haha\w*|hehe|kidding|jk|what could (?:possibly )?go wrong|thanks for nothing|living the dream|because why not|why not just|who needs|who doesn't|just what (?:i|we) needed|exactly what (?:i|we) needed|slow clap|genius|for fun and profit|of course it)\b"
            r"|\blove(?:s)? (?:it )?(?:how|when|that|it when|a good|debugging|waiting|chasing)\b"
            r"|^(?:oh|ah|wow|great|awesome|fantastic|wonderful|brilliant|lovely|perfect|amazing|sure|yeah|yay|right|cool|nice|excellent|super|neat|joy)[,!.…]* (?:great|sure|right|because|another|yet|just|exactly|now|of course|let's|joy|wonderful|perfect|good|yes|fantastic|lovely|we love|i love|so now|more|nothing|what)\b"
            r"|\bmy (?:absolute |all[- ]time )?favou?rite (?:thing|part|hobby|pastime|kind of|error|bug|game|way|sport|feature of)\b"
            r"|\bbecause (?:that|who|nothing|everyone|everybody|obviously|of course|clearly|that's)(?:'s)? (?:always|needs|went|worked|ever|never|exactly|totally|clearly|says|wants|how|loves)\b"
            r"|\b(?:clearly|obviously|totally|surely|definitely) (?:the best|the (?:right|smart)|a (?:great|good|brilliant)|nobody|nothing|everybody|not)\b"
            r"|\b(?:production|prod) is (?:just )?(?:a )?(?:suggestion|the best test)|\bmust be (?:magic|a feature)\b|\btruly\b.*\b(?:art|masterpiece|gift)\b|\b(?:as is|as per) tradition\b"
        ),
    ),
    (
        Guard.TRANSIENT,
        compiled(
            r"\b(?:currently|right now|rn|at the moment|atm|for now|for the moment|for the time being|temporarily|today|tonight|this (?:morning|afternoon|evening|week|month|sprint|run|session)|tomorrow|yesterday|last (?:night|week|time|month|run)|next (?:week|month)|on (?:monday|tuesday|wednesday|thursday|friday) morning|just (?:now|started|finished|pushed|merged|ran|got|saw|noticed|tried|realized|realised|deployed|restarted|had|did|a sec)|not yet|yet|brb|gtg|in a (?:sec|second|minute|bit|meeting|moment|hurry)|(?:an hour|a minute|\d+ (?:minutes?|hours?|days?|mins?)) ago|so far|in the meantime|later|until (?:i|we|you|then|monday|tomorrow)|while (?:i|you|we)|as of this|again|already)\b"
            rf"|\b(?:is|are|was|were|'s|'re|'m|am|looks?|seems?|feels?|got|gets) (?:all |so |now |very |really |pretty |quite |totally |completely |a bit |kinda |too |still |just )*(?:{STATES})\b(?! (?:in|on|by|via|with|when|if|unless|for|to|because) )"
            r"|\b(?:is|are|'s|'re|i'm|am|we're) (?:now |still |just |currently )?(?:building|compiling|deploying|loading|installing|downloading|testing|debugging|reading|writing|refactoring|working|looking|trying|seeing|getting|about to|gonna|wondering|starting|pushing|merging|failing|crashing|restarting|waiting|taking|investigating)\b"
            r"|\bkeeps? \w+ing\b|\bi'll\b|\bi will\b|\blet me\b|\bi've (?:just|been|got|no)\b|\bwon't (?:start|compile|build|load|work|run)\b|\bstill (?:fails?|not|no|get|getting|see|seeing|broken|failing|doesn't|red|hangs|same|the same)\b|\bnow (?:it|the|i|we)\b|\b(?:step|phase) \d\b"
        ),
    ),
    (
        Guard.ONE_OFF,
        compiled(
            r"\b(?:this|that|the (?:first|second|third|last|next|other|new|same|above|previous|current|latter|former|following|failing|existing)) (?:one|file|function|method|class|snippet|test|line|case|pr|commit|script|component|query|loop|block|version|option|approach|variable|bug|issue|ticket|change|branch|answer|reply|example|section|paragraph|page|table|column|field|button|error|email|mail|message|draft|sentence|module|migration|endpoint|parameter|argument|param|name|idea|solution|variant|feature|helper|import|diff|refactor|patch|cell|plot|figure|notebook|slide|chapter|part|bit|thing|review|task|step|stuff|mess|directory|folder|package|column|log|output|time|round|run|call|list|item|image|picture|word|title|heading|release|deploy|rule|check|value|hotfix|experiment|spike|demo|prototype|exercise|homework|essay|letter|post)\b"
            r"|\b(?:this time|just (?:this )?once|in this (?:case|instance)|as an exception|exceptionally|option (?:[a-d]|\d)|your (?:version|last|first|second|solution|approach|suggestion|proposal|change|code|patch|answer|diff)|above|below|line \d+|lines \d+)\b"
            r"|\b(?:in|on|for|to|with|from|of|into|like|about|at) (?:this|that|these|those|here)(?:[.,!;)]|$| (?:and|because|so|please|instead|as well|too|first|then)\b)"
        ),
    ),
)

_REQUEST = (
    r"^(?:(?:ok|okay|and|also|so|btw|oh|yes|yeah|hey|alright|right|actually|one more thing|thanks|cool|great|correct|exactly)[,.!:]* )*"
    + r"(?:please,? |pls |plz |can you |could you |i want you to |i'd like you to |i need you to |you should |you can |you need to |just |would you |let's )*(?:also |always |just |please )*"
    + one_of(
        r"remember (?:that|this|the following|for (?:later|next time|the future|future \w+))(?: is)?(?: please)?(?=\W|$)(?! (?:bug|time|guy|issue|thing|one)\b)",
        r"remember(?=:| ?[–—-]|, | (?:we|our|my|the|i|i'm|i am|always|never|not to|don't|it's|all|every|any|no|only|to|in|on|for|you|there|when you|before|after)\b)(?! the (?:time|bug|issue|one|thing|last|discussion|problem|incident)\b)(?! (?:i|we) (?:had|were|was|talked|did|saw|said|tried|discussed)\b)",
        r"memori[sz]e(?: that| this)?",
        r"(?:make|take|keep|write|leave yourself) (?:a )?(?:mental )?note(?: of (?:this|that|the following)| that| of)?(?: for (?:later|next time|the future|future \w+))?",
        r"(?:note|notes|reminder|memo) (?:for later|to self|for (?:the )?future(?: \w+)?|for next time|to (?:you|yourself|future you|future me))",
        r"(?:please )?note(?: down)? that",
        r"(?:note|nb|n\.b\.|memo|fact|rule|ground rule|house rule|reminder)(?=:)",
        r"(?:keep|bear|have) (?:this |that |it |the following )?in mind(?: that)?(?: for (?:later|next time|the future|future \w+))?",
        r"(?:don't|do not|never) (?:ever )?forget(?: that|:|,| this:)(?! to\b)",
        r"for (?:future|later|your) (?:reference|sessions?|information|use|work|conversations?|tasks?)",
        r"for (?:the record|next time|your notes|your memory)",
        r"(?:save|store|put|keep|add|commit|write) (?:this|that|it|the following|to memory)(?: (?:to|in|into|for) (?:your |the )?(?:memory|memories|notes|later|long-term memory|next time|future \w+))?(?:(?<=memory)|(?<=memories)|(?<=notes)|(?<=later)|(?<=time))(?: that)?",
        r"it(?:'s| is) worth (?:remembering|noting|knowing) that",
        r"good to know for (?:later|next time|the future)",
    )
    + r"[\s:,.!–—-]*"
)

_CUES = (
    # what never to do
    Cue(
        category=Category.NEGATIVE,
        pattern=compiled(
            rf"^{LEAD}(?:you (?:must|should) )?never (?:ever )?(?!mind|ever mind|again mind|knew|seen|heard|had|thought|happened|works|worked|been|got|tried|understood|liked|a |the same)\w+"
        ),
        confidence=0.9,
        reason="the user said never to do it",
    ),
    Cue(
        category=Category.NEGATIVE,
        pattern=compiled(
            rf"^{LEAD}(?:(?:you|we) (?:must not|mustn't|may not|are not allowed to)|under no circumstances|it's forbidden to|it is forbidden to|(?:nobody|no one) (?:may|should|is allowed to|must|touches|deploys|merges|pushes)) "
        ),
        confidence=0.9,
        reason="the user forbade it",
    ),
    Cue(
        category=Category.NEGATIVE,
        pattern=compiled(
            rf"^{LEAD}(?:do not|don't|dont|stop|avoid|quit|no more|refrain from) (?:ever |always |just )?"
            r"(?!worry|bother|know|think|see|get|understand|care|mind|forget|you|we|i |ask me|hesitate|panic|rush|be sorry|be silly|be shy|want|need|have|like|love|believe|remember|make me|give up|stop|wait|there|right|right there|it|let|apologi[sz]e for|do |say |start|hold|feel|trust me|take|go )"
            rf"(?:\w+ )(?!{_POINTED})(?!(?:the|a|an|any|my) \w+$)(?!(?:and|or|but|anymore|please|yet|for now)\b)(?:\S+.*)"
        ),
        confidence=0.8,
        reason="the user asked to avoid it in general",
    ),
    # how the user likes things
    Cue(
        category=Category.PREFERENCE,
        pattern=compiled(
            r"\bi (?:(?:really|much|strongly|generally|usually|always|also|still|just|personally|definitely|would|'d) )*(?:prefer|favor|favour)\b(?! (?:the (?:first|second|third|last|latter|former|other)|option|your|that|this|it)\b)"
            r"|\bi'd (?:much |really )?(?:rather|prefer)\b(?! (?:not (?:do|go|talk|say)|we (?:first|start)|you (?:first|start|look|check|fix|focus|did)|the (?:first|second|last)|that|this|it)\b)"
            r"|\bmy (?:preferred|favou?rite|go-to|default|usual) [\w -]+ (?:is|are)\b|\bmy preference (?:is|for)\b"
        ),
        confidence=0.85,
        reason="the user stated a preference",
        ignores=frozenset({Guard.HYPOTHETICAL}),
    ),
    Cue(
        category=Category.PREFERENCE,
        pattern=compiled(
            r"\bi (?:really |absolutely |strongly |just |personally |generally )*(?:like|love|want|need|expect) (?:my|all my|all|every|everything|to have (?:my|all)|to (?:always|see|review|be asked)|to keep (?:my|things|everything|functions|commits|files))\b(?! (?:of this|the above|help))"
            r"|\bi (?:really |absolutely |just |personally |generally )*(?:hate|dislike|loathe|despise|detest|can't stand|cannot stand|can't bear|don't like|do not like|don't want|do not want|never want|don't need)\b(?! (?:it\b|this|that|the (?:new|look|idea|first|second|way|fact|name|result|output|colou?r)|to (?:say|admit|be|do this|touch|bother|break|lose|waste|deal|think|spend|go|have to)|you to (?:touch|change|do|fix)|how this|how that|a |an |any of|mondays|my (?:life|job)))"
            r"|\bi (?:really |much |generally )*(?:like|love|enjoy) [\w'` -]+ (?:better|more than|over|best)\b|\bi'm (?:a|an|not a) (?:big |huge |total |real |long-?time )?(?:[\w-]+ )?(?:fan|person|user|guy|believer)\b|\bi'm allergic to\b|\bi(?:'m| am) (?:a )?(?:vegetarian|vegan|left-handed|colou?r-?blind|dyslexic|lactose intolerant)\b"
        ),
        confidence=0.8,
        reason="the user said what they like or dislike",
    ),
    Cue(
        category=Category.PREFERENCE,
        pattern=compiled(
            rf"^{LEAD}(?:be (?:more |a bit more |as )?(?:{GENERIC_STYLE}|honest|blunt|critical|polite)(?: as possible)?(?:[,. ]|$)"
            rf"|(?:keep|make) (?:your |all |my |our |the )?(?:{ARTIFACTS})(?: [\w ]{{0,30}})?(?: to (?:a|one|two|three|\d+|max)|(?: \w+)? (?:{GENERIC_STYLE}))\b"
            r"|(?:answer|reply|respond|talk|speak|write)(?: to me| back)? (?:only |always )?in (?:english|german|french|spanish|italian|portuguese|dutch|polish|bullet points|plain \w+|full sentences|short sentences|british|american|lowercase)\b"
            r"|(?:call|address) me (?:by )?(?!back|when|if|crazy|later|old|naive|paranoid|lazy)\w+|explain (?:things|stuff|everything|code|concepts|your (?:changes|code|reasoning|steps|answers)|changes) (?!here|to (?:him|her|them))|(?:limit|write|phrase|format|summari[sz]e|word) your \w+s?\b |[\w -]{{4,40}} (?:throughout|everywhere)(?:,? please)?\W*$"
            r"|(?:no|skip the|leave out(?: the)?|cut the|drop the|without|less|fewer|spare me the|omit(?: the)?) (?:more )?(?:emojis?|emoticons|preambles?|fluff|filler|apologies|small talk|intro(?:duction)?s?|summar(?:y|ies) at the end|disclaimers?|pleasantries|bullet points|exclamation marks|buzzwords|jargon|smileys|em-? ?dash(?:es)?|pep talk|flattery|praise|marketing speak|inline comments|semicolons|oxford comma)"
            r"|(?:give|show|ask|tell|send|warn|ping) me (?:\w+ )?(?:first |always )?(?:before (?:you |any |every |each )?\w+|the (?:diff|plan|command|numbers) (?:first|before)))"
        ),
        confidence=0.8,
        reason="the user said how answers should be",
    ),
    Cue(
        category=Category.PREFERENCE,
        pattern=compiled(
            rf"^(?:{LEAD}|i (?:want|need|expect|'d like|would like) you to |you (?:should|can|may|must) )?(?:{_HABIT_PHRASE})\b,? (?!we\b|our\b|the\b|all\b)\w+|\bi(?:'d| would)? (?:want|need|expect|like) you to (?:always|never|only|first)\b|^{LEAD}(?:you should |you must )(?:always|never|only)\b"
            rf"|\b(?:from now on|going forward|from here on|in future)\W*$"
        ),
        confidence=0.85,
        reason="the user asked for it from now on",
        ignores=frozenset({Guard.HYPOTHETICAL, Guard.TRANSIENT}),
    ),
    Cue(
        category=Category.PREFERENCE,
        pattern=compiled(
            rf"\bi (?:{ADVERB} |personally |mainly |mostly |prefer to |tend to |also )*(?:{HABIT_VERBS}|type|read|commute|study|teach|drink|eat|speak|play|run|learn|edit|design|draw|sleep|start work|stop work|finish work)\b (?!into|this|that|it\b|out of|a quick|the (?:tests?|build|command|script|same|code))"
            rf"|\bi (?:always|never|usually|normally|typically|generally|tend to)\b (?!forget|get|wonder|thought|knew|see|mess|wanted|had|said|have (?:to|issues|problems)|confuse|hate|understood|liked|end up)"
        ),
        confidence=0.75,
        reason="the user told a habit of theirs",
    ),
    # decisions
    Cue(
        category=Category.DECISION,
        pattern=compiled(
            r"\b(?:we|i|the team|team|everyone|they all|management and we)(?:'ve| have| had)? (?:just |now |finally |also |all |already |officially |then |today |yesterday )*(?:decided|agreed|chose|chosen|settled|opted|voted|concluded|committed to|standardi[sz]ed|picked|gone with|went with|signed off|ruled out|dropped|abandoned|ditched|rejected|scrapped|approved|moved (?:\w+ )?(?:from|to|off|over)|switched (?:\w+ )?(?:from|to|over)|migrated|replaced|adopted|deprecated|retired|renamed|killed)\b(?! (?:it|this|that|the (?:test|file|variable|function|line|call|check))\b)(?! (?:to (?:look|check|meet|talk|wait|postpone)))"
            r"|^(?:final )?(?:decision|decided|verdict|agreed|resolution)(?: is| was| made)?(?=[:,-])|^it(?:'s| is| was) (?:been )?(?:decided|settled|agreed)\b|\bthe decision (?:is|was|stands)\b"
        ),
        confidence=0.85,
        reason="the user reported a decision",
        ignores=_TIMELESS,
    ),
    Cue(
        category=Category.DECISION,
        pattern=compiled(
            r"(?:^|[,;:–-] |\b(?:so|ok|okay|then|and|yes|yeah|yep|alright|right|fine|good) )let's (?:just |all |then |please )?(?:go (?:with|for)|use|stick (?:with|to)|standardi[sz]e on|switch to|adopt|settle (?:on|for)|commit to|move to|drop|target|support only|not (?:use|support|add|do)|make [\w ]+ the default|keep [\w ]+ (?:as|in|on|at|under|for)|host|store|build (?:it |this )?(?:on|with)|version|do [\w-]+ (?:instead of|over|rather than))\b(?! (?:it|this|that|these|those|your|a (?:for|while|list|dict|set|regex|quick|different|simple|helper|variable|small|bit)|the (?:first|second|last|other|latter|former)|option|for a)\b)"
            r"|\bwe(?:'ll| will| shall|'re going to| are going to|'re gonna) (?:just |only |always |then |definitely |all )?(?:go (?:with|for)|use|stick (?:with|to)|standardi[sz]e|keep (?!it\b|an eye|you|going|this|that)|switch|adopt|support|target|host|store|move (?:everything|to|off|from|all)|migrate|replace|drop|build (?:it |this )?on|not (?:use|support|do|have)|never|always|deprecate|release|launch|ship|sunset|require)\b"
            r"|\bwe(?:'ll)? (?:just )?(?:stay|remain|keep going|stick) (?:on|with|to)\b(?! (?:this|that|it|track)\b)"
            r"|\bwe(?:'re| are) (?:now |officially |definitely |all |not )?(?:going (?:with|for)|moving (?:\w+ )?(?:to|off|away|from|over)|switching (?:\w+ )?(?:to|from|over|off)|migrating|dropping|adopting|sticking (?:with|to)|standardi[sz]ing|keeping|replacing|sunsetting|deprecating|launching|targeting|using)\b"
            r"|^(?:ok |okay |so |then |alright |right )*(?:,? )?(?:going|i'm going|i am going|we go|i'll go|i go) (?:with|for) (?!it\b|that|this|a walk|lunch|coffee|the (?:first|second|last|latter))"
            r"|\b(?:is|are) (?:the|our) (?:way to go|choice|winner|standard|official|database of choice)\b|\bwon out\b"
        ),
        confidence=0.8,
        reason="the user made a decision",
    ),
    # conventions
    Cue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}always (?!been|the same|a |fails|breaks|works|crashes|get|got|thought|wanted|had|so|happy|happens|nice|good|fun|glad)\w+"
            r"|\b(?:our|the|team|house|project|repo|company|naming|coding|commit|branch|style) (?:[\w-]+ )?(?:conventions?|rules?|polic(?:y|ies)|guidelines?|standards?|style guide|practice|etiquette) (?:is|are|says|here|for|we|that|:|=)"
            r"|^(?:convention|rule|policy|guideline|house rule|team rule|standard)s?(?: here)?(?: is)?[:-]"
        ),
        confidence=0.85,
        reason="the user stated a standing rule",
    ),
    Cue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"(?:^|\b(?:and|but|so|because|since|as|that|btw|fyi|,|:|;|–|-) )(?:{_PLACE},? )?(?:{_HABIT_PHRASE},? )?we (?:all |here |both )?(?:(?:{ADVERB}|do not|don't|also|actually|currently|just|exclusively|have to|need to|must|are supposed to|are not allowed to|aren't allowed to) )*(?:{HABIT_VERBS})(?:s)?\b(?! (?:it|this|that|these|those|into|a problem|an issue|an error|the (?:same|following|bug|issue|error))\b)(?!ed\b)"
            rf"|(?:^|[,:;] ){_PLACE},? we (?!{NOT_HABITS}\b)\w+"
            rf"|\bwe (?:{ADVERB}|don't|do not|no longer|aren't allowed to|are not allowed to|never ever) (?!{NOT_HABITS}\b|have (?:time|to|any idea)|need|want|know|see|think|get|understand|care)\w+"
            rf"|\bwe (?!{NOT_HABITS}\b)\w+ (?!it\b|this\b|that\b)[^.?!]*\b{_PLACE}[.!]*$"
        ),
        confidence=0.8,
        reason="the user told how the team works",
    ),
    Cue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}(?:all|every|each|any|no|new) (?:[\w'`/-]+ ){{1,4}}?(?:(?:must|should|shall|has to|have to|needs? to|needs?|requires?|gets?|goes|go|is|are|may|can|lives?|starts?|ends?|belongs?|follows?|uses?|takes?|returns?|carries|carry|runs?|comes?)\b(?! (?:{STATES})\b)|without\b)"
            rf"|^{LEAD}(?:{ARTIFACTS})(?: \w+)? (?:must|should|shall|has to|have to|needs? to|need|go(?:es)? (?:in|into|to|under|through)|live[s]? (?:in|under|next|on)|belongs? (?:in|to)|get(?:s)? (?:a|an|squashed|merged|rebased|tagged|prefixed|named|reviewed)|follows?|start(?:s)? with|end(?:s)? (?:in|with)|(?:is|are) (?:always |only |never )?(?:named|prefixed|squashed|written|kept|sorted|in |on |called|reviewed|tagged|snake|camel|kebab|pascal|lowercase|imperative|singular|plural|generated|merged|stored|mandatory|required|forbidden))\b"
            r"|\b(?:must|should|has to|have to|needs? to) (?:always |never |not |be |all )*[\w ]{3,60}\b(?:before (?:merging|committing|pushing|releas\w+|deploy\w+|each|every|any|you (?:commit|push|merge|deploy))|after (?:each|every|merging|any)|on every|for every|in every|for each)\b"
        ),
        confidence=0.8,
        reason="the user stated a rule for all of a kind",
    ),
    Cue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}{ALL_OF_A_KIND}"
            rf"|^{LEAD}(?:{ARTIFACTS}) (?:in|with|as|under|without|per) [\w' -]+(?:, (?:not|never|no)\b| only\b|,? always\b|,? please\b)"
        ),
        confidence=0.75,
        reason="the user stated how all of a kind are",
    ),
    Cue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}(?:when(?:ever)?|before|after|if|each time|every time|once) (?:you|i|we) (?!are\b|'re|have|'ve|got|had|get|can|want|see fit|feel|think|finish|done|need|like|don't mind|say|back|did|do that|were|was|didn't)(?:ask (?:you )?(?:for|to)|\w+) (?!it\b|this\b|that\b|them\b)[^?]+?,? (?:please |then |you (?:must|should|have to|need to) |we |always |never |don't |do not |make sure )?(?:use|run|add|write|put|keep|check|ask|update|bump|regenerate|make|include|call|tell|show|give|start|end|send|open|create|follow|prefix|name|avoid|don't|do not|never|always|must|should|have to|need to|remember|format|sort|tag|document|mention|assume|answer|reply|use)\b"
            rf"|^{LEAD}(?:use|run|write|add|put|keep|name|prefix|do|check|update|bump|rebase|squash|tag|format|lint|sort|make|include|mention|document|ask|test|review|start|end|link|sign|pull|regenerate|restart|clear|back up|backup|attach|copy|open|create) (?!it\b|this\b|that\b|these\b|those\b|them\b)[^?]*\b(?:before (?:merging|committing|pushing|releasing|deploying|each|every|any|you (?:commit|push|merge|deploy)|a (?:merge|release|deploy|commit|push))|after (?:each|every|merging|any|pulling|deploying)|(?:on|for|in|to|with|at|of) (?:every|each|all|any new|new|everything)|every time|whenever|each time|by default|everywhere|unless (?:i|we) (?:say|tell|ask))\b"
        ),
        confidence=0.8,
        reason="the user stated what to do each time",
    ),
    Cue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}(?:use|prefer|favou?r|write|name|prefix|format|indent|spell|capitali[sz]e|sort|log|store|return|raise|handle|test|mock|commit|stick to) (?!it\b|this\b|that\b|these\b|those\b|them\b|the\b|a\b|an\b|my\b|your\b|one\b)[^?]*(?:, (?:not|never|and not)\b|\b(?:instead of|rather than|over|as opposed to|and never|but never|but not)\b)"
            rf"|^{LEAD}(?:write|name|prefix|format|indent|sort|keep|put|phrase|document|spell|capitali[sz]e|group|wrap|squash|tag|number|separate|order) (?:all |our |your |my )?(?:{ARTIFACTS}) (?:in|with|as|by|under|inside|like|into|alphabetically|lowercase|to|after|next to|at|using|per)\b"
            rf"|^{LEAD}(?:use|prefer) (?:snake_?case|camel_?case|kebab-?case|pascal_?case|conventional commits|semantic versioning|semver|type hints|british|american|utc|iso|tabs|spaces|\w+ (?:spaces|quotes)|dependency injection|early returns|feature branches|uuids?|ulids?|async|functional components|absolute imports|relative imports|parameteri[sz]ed queries) (?:for|in|when|everywhere|throughout|on|as)\b(?! (?:now|today))"
        ),
        confidence=0.75,
        reason="the user stated a general way to do it",
    ),
    # traps
    Cue(
        category=Category.GOTCHA,
        pattern=compiled(
            r"^(?:(?:ok|ah|aha|oh|so|found it|got it|yes|yep|nvm|never ?mind|alright|and)[,.!:-]* )*(?:it |that |this )?(?:turns out|turned out|as it turns out)\b"
            r"|\b(?:the |root |actual |real |underlying )+(?:cause|reason|problem|issue|culprit|bug|trick|catch|fix|solution|workaround|gotcha|explanation|failure|crash)(?: (?:here|for (?:this|that)|of (?:this|that|it|the \w+)|with \w+|behind \w+|why [\w ]+))? (?:is|was|were|turned out|being|:)\b(?! (?:still|not|the same|gone|fixed|back|here|weird|in line|on line|unclear|similar|that (?:you|i) )\b)"
            r"|^(?:gotcha|pitfall|trap|caveat|warning|careful|caution|beware|watch out|heads[- ]?up|be careful|be aware|lesson learned|lesson learnt|til|known issue|known bug)\b[:,!–-]*(?: (?:here|with|that|of|for|:|,|–|-))?"
            r"|\b(?:it|that|this)(?: \w+)? (?:was|were|is|happens|happened|fails|failed|broke|breaks|crashes|crashed) (?:only |just |all |actually |simply )?because (?!i\b|you\b|it's (?:late|friday))"
        ),
        confidence=0.75,
        reason="the user explained a cause or a trap",
        ignores=frozenset({Guard.TRANSIENT}),
    ),
    Cue(
        category=Category.GOTCHA,
        pattern=compiled(
            r"\b(?:only works?|only (?:starts?|builds?|runs?|compiles?|happens?)|doesn't work|does not work|won't work|don't work|never works?|fails?|breaks?|crashes|crash|hangs?|times out|silently \w+|gets? (?:lost|corrupted|dropped|truncated|cached|ignored)|leaks?|deadlocks?|blows up|chokes|refuses to \w+|falls over|goes stale|loses \w+|eats \w+) (?:[\w'` -]+ )?(?:when|if|unless|on|without|after|as soon as|whenever|because|with|for|under)\b(?! (?:me\b|now|my (?:machine|laptop|side)|line \d|i (?:run|try|do|call|click|add|remove|use|start|push)|we (?:run|try)|you (?:run|try)|the (?:following|same|attached|latest)))"
            r"|\b(?:has to|have to|must|needs? to|need to|make sure (?:to|that|you)) [^?]*\b(?:or else|or it|or the|or you|otherwise|else (?:it|the|you))\b|\b(?:has to|have to|must|needs? to) (?:be|stay|have|run|come) [^?,]+,? or \w+ \w+ \w+|\bwithout [^,?]+, (?:it|the|you|nothing|everything) \w+|\botherwise (?:it|the|you|all|nothing|everything|we)\b[^?]*\b(?:fails?|breaks?|crash\w*|hangs?|won't|can't|doesn't|lose|loses|get|gets|is|are|will|times?)\b"
        ),
        confidence=0.7,
        reason="the user told when it breaks",
    ),
    # people and things with names
    Cue(
        category=Category.ENTITY,
        pattern=compiled(
            rf"\bmy (?:full |first |last |nick)?name(?:'s| is)\b|^(?:hi|hello|hey)?[,! ]*i'm (?-i:[A-Z][a-z]+)(?:,| and i| from| \(|\.|$)"
            rf"|\b(?:my|our) (?:[\w-]+ )?(?:{PEOPLE})(?:'s name)? (?:is|are|was) (?:called |named )?(?!{STATES}\b|the (?:one|problem|best))[\w`]+"
            rf"|\b{_NAME}(?: {_NAME})? (?:is|was|will be) (?:now |also )?(?:the |our |my |a |an )(?:[\w/-]+ ){{0,3}}?(?:{PEOPLE})\b"
            rf"|\b{_NAME}(?: {_NAME})?(?: and {_NAME})? (?:owns?|maintains?|leads?|manages?|runs|handles?|heads|reviews?|approves?|signs off|takes care of|is responsible for|is in charge of|looks after|is on-?call|does all|does the|joined|left the|is the (?:one|person|go-to|contact))\b"
            rf"|\b(?:ask|ping|contact|talk to|go to|check with|loop in) {_NAME}(?: (?:about|for|when|if|before|in|on|because|from)\b)"
        ),
        confidence=0.75,
        reason="the user named a person and their part",
    ),
    Cue(
        category=Category.FACT,
        pattern=compiled(
            rf"\bi(?:'m| am) (?:a|an|the|one of the) (?!bit|little|big fan|idiot|fan|mess|moron|zombie|noob)(?:[\w/+#.-]+ ){{0,4}}?(?:{PEOPLE}|dev|programmer|beginner|newbie|scientist|devops|sysadmin|expert|musician|physicist|biologist|nurse|hobbyist|only (?:one|developer|dev|person))\b"
            r"|\bi(?:'m| am) (?:on|running|using|based in|from|located in|living in|new to|working (?:from|at|on a|with a)|responsible for|in charge of|in the (?:\w+ )?(?:team|time ?zone)|in (?-i:[A-Z][a-z]+))(?! (?:it|this|that|fire|vacation|holiday|call|my way|a call|the phone|the train|board|top|track|lunch|leave|a break|the same)\b) \S+"
            r"|\bi (?:come|came) from\b|\bi (?:work|worked|live|study|teach|freelance) (?:at|for|in|as|from|with|on|remotely|part)\b|\bi (?:own|have|moved to|run|manage|lead|maintain) (?:a|an|two|three|four|the|\d+|only|no|about|around|my own|\w+ (?:kids|cats|dogs|monitors|servers|machines|children))\b(?! (?:question|problem|issue|feeling|idea|bug|look|meeting|call|doubt|hunch|quick|test|tests|error|headache|same|couple of questions|minute|few minutes|deadline|small|weird|strange|new|different|plan|clue|time|command|migration|hard time|simple|function|list|file|pr|branch|script|loop|ticket|class|table|string|json))"
            r"|\bmy (?:time ?zone|birthday|laptop|machine|editor|ide|shell|os|operating system|keyboard|employer|company|team|github (?:user(?:name)?|handle)|username|handle|job|role|title|pronouns|native language|mother tongue|monitor|home ?server|nas|phone|terminal|address|working hours|budget|thesis|degree|blog|website|domain)(?: \w+)? (?:is|are|runs?|has|uses?)\b"
        ),
        confidence=0.75,
        reason="the user told something about themselves",
    ),
    # the world the work happens in
    Cue(
        category=Category.FACT,
        pattern=compiled(
            rf"^(?:(?:the|our|my|their|this|each|both|all|every) )(?:[\w'`./&+-]+ ){{0,5}}?(?:{ENVIRONMENT})(?: (?:[\w'`./()-]+ ){{0,4}}?)? ?(?:only |always |never |still |also )?(?:{LASTING_VERBS})(?! (?:{STATES})\b)"
            rf"|^(?:{ENVIRONMENT}|(?-i:[A-Z][\w.-]+)|`[^`]+`)(?: (?:{ENVIRONMENT}))? (?:only |always |never |still |also )?(?:{LASTING_VERBS})(?! (?:{STATES})\b)"
            rf"|\bour (?:[\w'`./&+-]+ ){{0,5}}?(?:is|are|has|have|{LASTING_VERBS})\b(?! (?:{STATES})\b)"
        ),
        confidence=0.7,
        reason="the user described the environment",
    ),
    Cue(
        category=Category.FACT,
        pattern=compiled(
            r"^(?:the |our )?[\w'` -]{3,50}? (?:is|are) (?:now )?(?!not\b|in line|a\b|an\b|the\b)[\w.`#/:%+-]+(?: \w+)?(?: now)?, not \S+"
        ),
        confidence=0.7,
        reason="the user told a value and what it is not",
        ignores=frozenset({Guard.TRANSIENT}),
    ),
    Cue(
        category=Category.FACT,
        pattern=compiled(
            r"^(?:in total |overall |basically )?we(?:'re| are) (?:on|a|an|\d+|based|located|in|all on|about|around|running|still on|stuck on|bound|required|limited|not allowed|legally)\b(?! (?:it|this|that|the same|a bit|track|fire|good|hold|in trouble|almost|break|to)\b)"
            r"|\bwe (?:only |still |also |currently )?have (?:a|an|two|three|four|five|six|\d+|about|around|only|no|separate|our own|one|several) (?!problem|issue|bug|idea|question|choice|meeting|deadline today|winner|deal|call|time|chance|look|few (?:minutes|options))"
        ),
        confidence=0.65,
        reason="the user described the team or its setup",
    ),
)

ENGLISH = Lexicon(
    code="en",
    frequent=frozenset(
        """the a an and is are was to of in on for with we i you it this that not don't do use our my please be have has
        can so but what if they from at or as just now all never always""".split()
    ),
    openers=compiled(
        r"^(?:(?:ok(?:ay)?|so|well|hey|hi|hello|oh|ah|hm+|um+|uh|right|alright|anyway|yes|yeah|yep|yup|sure|thanks|thank you|thx|ty|great|cool|nice|perfect|good|awesome|btw|by the way|fyi|for info|also|and|but|plus|besides|look|listen|basically|honestly|tbh|actually|jsyk|just so you know|just fyi|one more thing|another thing|one thing|quick note|side note|small thing|important|ps|p\.s\.|psa|oh and|in general|generally speaking|you should know(?: that)?|you need to know that|as you know|as i said|as mentioned|like i said|i said|i told you|i already told you|again|mind you|remember|more importantly|context|some context|for context|background|wait|too|then|first of all|to be clear|just to be clear|to clarify|note|hint|tip|sorry|no worries|got it|makes sense|agreed|fair enough|good point|found it|aha|update|edit|done|lgtm|looks good|(?:that )?works|my bad|please note that|note that|it's worth noting that)(?:[,.!:;–—-]+ |[:,] ?| (?:-|–|—) |$)|(?:so|and|but|also|btw|fyi|oh|ok|okay|well|yeah|yes|plus|actually|anyway|honestly|basically|because|cause|cuz|since|tbh|please note that|note that|you should know that|just so you know,?|then|like i said|as i said,?) )+"
    ),
    closers=compiled(
        r"(?:[,;.!–— -]+(?:ok|okay|btw|fyi|please|pls|thanks|thx|thank you|got it|alright|deal|though|tho|by the way|you know|just so you know|for what it's worth|fwiw|as i said|as always|as usual|cheers|mate|dude|will you|ta|understood|yeah)\W*)+$|[\s:;,–—-]+$"
    ),
    request=compiled(_REQUEST),
    request_after=compiled(
        r"[\s,;.!–—(-]+(?:so |and |but )?(?:please |pls |can you |just )?(?:remember (?:that|this|it)(?: (?:for|next|please|in)[\w ]*)?|keep (?:that|this|it) in mind(?: for[\w ]*)?|bear (?:that|this) in mind|(?:make|take) (?:a )?note(?: of (?:that|this|it))?|note (?:that|this)(?: down)?|don't forget(?: (?:that|this|it))?|(?:save|store) (?:that|this|it) (?:for later|to memory|in memory)|for (?:future|later) reference|for the record|for next time|please remember|add (?:that|this|it) to (?:your )?memory|for future sessions|remember\W*$)\W*$"
    ),
    pointer=compiled(r"^(?:that|this|it|so|please|for (?:me|later|next time)|too|well|\W|as well)*$"),
    guards=_GUARDS,
    cues=_CUES,
    refusal=compiled(
        r"^(?:(?:ugh|hm+|um+|argh|ehm|wait|hey|sorry|oh|ah|hold on|hang on|stop|well)[,.! –-]+)*(?:(?:no+|nope|nah|nono)(?=[,.!:;–—-]| (?:use|we|it|it's|the|don't|i|that|please|never|always|our|not)\b|$)|wrong(?=[,.!:]|$)|incorrect|not (?:quite|right|correct|exactly|true)|that's (?:wrong|not (?:right|correct|true|it|quite right|how we \w+(?: \w+)?|what i (?:asked|meant|said|wanted)(?: for)?)|incorrect|outdated|old|false)|that is (?:wrong|not (?:right|correct|true)|incorrect|outdated)|you're wrong|you got (?:that|it) wrong|i (?:said|told you|already told you|asked for|meant)|(?:as )?i (?:already )?said|correction|actually|ehm no|please don't|wrong \w+)(?=\W|$)[\s,.!:;–—-]*(?:(?:actually|sorry|wait|please|again|because|as|since|remember|it's wrong|that's wrong|that's not right|wrong|no)[\s,.!:;–—-]+)*"
    ),
    refusal_chatter=compiled(
        r"^(?:no|nope|nah)[,.!]? (?:worries|problem|idea|need|thanks|thank|rush|hurry|way|clue|doubt|matter|wonder|luck|pressure|that's (?:fine|ok|okay|all|it|good|great)|it's (?:fine|ok|okay|good|all good)|go ahead|all good|longer|more|one|further|errors?|such|change|difference|biggie|offense|wait|i'm good|i mean|not yet|i think|i don't|i haven't|still|nothing|never mind|leave it|keep it|let's (?:leave|keep)|looks|you|please (?:go|continue|leave|proceed)|sorry|just (?:leave|continue|go|do)|stop|good|done|big deal|tests?|output|reason|point|changes)\b|^actually,? (?:never|nvm|forget|wait|hold|let's (?:leave|first|do|skip)|i|can|could|what|let me|that|this|no|one|yes|you|looks?|before|scratch|just|quite|pretty|really|kind|not)\b"
    ),
    amendment=(
        compiled(
            r"^(?:please |pls |just |always |only )*(?:use|run|put|write|take|go with|call|name|store|keep|make|return|import|deploy|target|base|add|prefer|stick (?:to|with)|install|send|log|start|branch off|branch from|branch|merge into|rebase|read|work|push|commit|test|talk|point|bind|pin) (?!(?:it|this|that|these|those|them|him|her|one)\b(?! (?:in|on|under|to|into|with|at) (?:`|the `|/|\w+/))|the (?:other|first|second|last|old|new|previous|one|same)\b|another|both|a different|more|less|on\b|ahead|back)\S+"
        ),
        compiled(
            r"^(?:we|our|the|all|every|everything|in|on|at|it|that|those|these|there|they|`[^`]+`|[\w.-]+) (?:[\w'`./-]+ ){0,6}?(?:is|are|was|were|use|uses|run|runs|live|lives|need|needs|require|requires|has|have|go|goes|must|should|don't|doesn't|never|always|only|deploy|deploys|moved|switched|renamed|changed|replaced|migrated|listen|listens|support|supports|expects?|returns?|belongs?|comes?|starts?|ends?|write|name|call|call it|keep|keeps|store|stores|target|targets|can|cannot|can't|take|takes|want|dropped|stopped|put|work|works|ship|ships)\b"
        ),
        compiled(r"^(?:please )?(?:do not|don't|never|stop|avoid) \w+ (?!it\b|that\b|this\b|anything\b|them\b)\S+"),
    ),
    bare_value=compiled(
        r"^(?:(?:it(?:'s| is| should be| has to be| must be| was| runs on| is on)|that(?:'s| is)|they(?:'re| are)|should be|must be|meant|i meant|use|on|in|at|port|version)? ?)(?:actually |always |still |called |named |on |in |at |port |the |version )*(?P<value>[`'\"]?[\w./:@+#~-]*[\w/#+][`'\"]?(?: [\w.`'-]+){0,3}?)(?:,? (?:and )?(?:not|instead of|rather than) (?:on |in |at |port |the |version )*(?P<old>[`'\"]?[\w./:@+#~-]*[\w/#+][`'\"]?(?: [\w.`'-]+){0,2}?))?[.!]*$"
    ),
    assent=compiled(
        r"^(?:(?:yes|yep|yup|yeah|ja|right|correct|exactly|precisely|indeed|that's (?:right|correct|it|true|exactly (?:it|right))|that is (?:right|correct)|spot on|absolutely|true|bingo|100%|confirmed|you got it|exactly right|perfect)[\s,.!]*)+(?:(?:and )?(?:please )?(?:remember (?:that|this|it)|keep (?:that|it|this) in mind|note (?:that|it)(?: down)?|save (?:that|it)|make a note(?: of (?:that|it))?|for (?:next time|future reference|later))[\s,.!]*(?:please|thanks)?\W*)?$"
    ),
    success=compiled(
        r"\b(?:that (?:fixed|did|solved|worked|was) (?:it|the \w+)|works now|it works|works again|that worked|that did the trick|fixed it|all green|tests? pass(?:es)?|passing now|solved|problem solved|great,? (?:it )?works|that was it|no more errors?)\b"
    ),
    clause_start=compiled(
        rf"(?:and |but |so |also |plus |then )*(?:we\b|our\b|my\b|i (?!mean\b|guess\b|think\b)|i'm|the [\w'`./-]+ (?:[\w'`./-]+ )?(?:{LASTING_VERBS})|(?:always|never) (?:{HABIT_VERBS}|push|touch|edit|add|change|trust|ask|delete)\b|(?:don't|do not) \w+|please (?:always|never|don't|use|keep|write|run)\b|all \w+ (?:must|should|are|need|go)|every \w+ (?:must|should|is|needs|gets|goes)|let's\b|from now on|(?-i:[A-Z][a-z]+) (?:is|owns|leads|runs|maintains|handles)\b|staging\b|prod(?:uction)?\b|remember\b|keep in mind|it (?:runs|listens|lives|uses|needs|is hosted|expects))"
    ),
    conjunction=compiled(
        r"(?:,|;| –| —| -)? (?:and|but|plus|also)(?: also)? |; | – | — |, (?=(?:we|our|my|i|the|staging|prod|production|(?-i:[A-Z][a-z]+)|[a-z]+) \w+)"
    ),
    session_only=compiled(
        r"\b(?:for|in|during) (?:this|the current) (?:session|chat|conversation)(?: only)?\b|\bjust (?:for )?(?:today|now|this session)\b|\b(?:only )?for today\b|\bonly (?:for )?today\b|\bthis session only\b|\buntil (?:the end of (?:the day|this session)|tonight)\b|\bfor the rest of (?:the day|this session|today)\b"
    ),
    seasonal=compiled(
        r"\b(?:during|in|at|on|before|after|around|every|throughout|over)(?: the| each| every| a)? (?P<season>release[ -](?:week|day|freeze)|code[ -]freeze|end[ -]of[ -](?:the[ -])?(?:sprint|month|quarter|year)|month[ -]end|quarter[ -]end|year[ -]end|sprint[ -](?:planning|review|end|start)|release|holiday season|holidays|christmas|black friday|summer|winter|spring|autumn|exam (?:week|period|season)|tax season|audit (?:week|season)|on-?call week|launch week|quarter close|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|weekends?)\b"
    ),
)
