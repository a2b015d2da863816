"""English: how wishes, rules and decisions are said. The order matters: the first cue that matches counts."""

from __future__ import annotations

from nightgarden.domain.memory import Category
from nightgarden.remember.language.english_parts import (
    ADVERB,
    ALL_OF_A_KIND,
    ARTIFACTS,
    GENERIC_STYLE,
    HABIT_VERBS,
    LEAD,
    NOT_HABITS,
    STATES,
)
from nightgarden.remember.language.lexicon import Guard, LexiconCue, compiled, one_of

_TIMELESS = frozenset({Guard.TRANSIENT})
_POINTED = r"(?:it|this|that|these|those|them|anything|everything|something|me|us|so|any of|one)\b"
_PLACE = (
    r"(?:(?:in|on|for|across|at) (?:this|our|the|my) (?:\w+ )?(?:repo|repository|project|code ?base"
    r"|team|company|monorepo"
    r"|workspace|org|shop|house|office|squad|app|lab|department)|around here|over here|here|at work|internally)"
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
ASKED = (
    # what never to do
    LexiconCue(
        category=Category.NEGATIVE,
        pattern=compiled(
            rf"^{LEAD}(?:you (?:must|should) )?never (?:ever )?(?!mind|ever mind|again mind|knew|seen|heard|had"
            rf"|thought|happened|works|worked|been|got|tried|understood|liked|a |the same)\w+"
        ),
        confidence=0.9,
        reason="the user said never to do it",
    ),
    LexiconCue(
        category=Category.NEGATIVE,
        pattern=compiled(
            rf"^{LEAD}no (?!one|idea|tests? (?:fail|ran)|errors?|changes?|luck|problem|output|difference"
            rf"|results?|match|response|answer|logs?|rush|progress|way|news|doubt|need|more|longer|worries|clue"
            rf"|point|reason|wonder|matter|thanks|changes?|such|issues?|data|rows?|traffic|access|internet"
            rf"|network|connection)[\w.-]+(?: [\w.-]+){{0,2}} (?:in (?:this|our|the (?:repo|codebase|project"
            rf"|code|docs|api|tests))|in [\w-]+s\b|on fridays|before|after|during|without|outside|unless|ever\b"
            rf"|at all)"
        ),
        confidence=0.8,
        reason="the user ruled it out",
    ),
    LexiconCue(
        category=Category.NEGATIVE,
        pattern=compiled(
            rf"^{LEAD}(?:(?:you|we) (?:must not|mustn't|may not|are not allowed to)|under no circumstances"
            rf"|it's forbidden to|it is forbidden to|(?:nobody|no one) (?:may|should|is allowed to|must|touches"
            rf"|deploys|merges|pushes)) "
        ),
        confidence=0.9,
        reason="the user forbade it",
    ),
    LexiconCue(
        category=Category.NEGATIVE,
        pattern=compiled(
            rf"^{LEAD}(?:(?:do not|don't|avoid|no more|refrain from)|(?:stop|quit)(?= \w+ing\b)) (?:ever "
            rf"|always |just )?"
            r"(?!worry|bother|know|think|see|get|understand|care|mind|forget|you|we|i |ask me|hesitate|panic"
            r"|rush|be sorry|be silly|be shy|want|need|have|like|love|believe|remember|make me|give up|stop"
            r"|wait|there|right|right there|it|let|apologi[sz]e for|do |say |start|hold|feel|trust me|take|go )"
            rf"(?:\w+ )(?!{_POINTED})(?!(?:the|a|an|any|my) \w+$)(?!(?:and|or|but|anymore|please|yet"
            rf"|for now)\b)(?:\S+.*)"
        ),
        confidence=0.8,
        reason="the user asked to avoid it in general",
    ),
    LexiconCue(
        category=Category.NEGATIVE,
        pattern=compiled(
            rf"^{LEAD}(?:stop|quit|no more|enough with the) (?:apologi[sz]ing|asking|guessing|repeating"
            rf"|explaining|summari[sz]ing|rambling|inventing|flattering|hedging)\b"
        ),
        confidence=0.8,
        reason="the user asked to stop doing it",
    ),
    # how the user likes things
    LexiconCue(
        category=Category.PREFERENCE,
        pattern=compiled(
            r"\bi (?:(?:really|much|strongly|generally|usually|always|also|still|just|personally|definitely"
            r"|would|'d) )*(?:prefer|favor|favour)\b(?! (?:the (?:first|second|third|last|latter|former|other)"
            r"|option|your|that|this|it)\b)"
            r"|\bi'd (?:much |really )?(?:rather|prefer)\b(?! (?:not (?:do|go|talk|say)|we (?:first|start)"
            r"|you (?:first|start|look|check|fix|focus|did)|the (?:first|second|last)|that|this|it)\b)"
            r"|\bmy (?:preferred|favou?rite|go-to|default|usual) [\w -]+ (?:is|are)\b|\bmy preference (?:is|for)\b"
        ),
        confidence=0.85,
        reason="the user stated a preference",
        ignores=frozenset({Guard.HYPOTHETICAL}),
    ),
    LexiconCue(
        category=Category.PREFERENCE,
        pattern=compiled(
            r"\bi (?:really |absolutely |strongly |just |personally |generally )*(?:like|love|want|need"
            r"|expect) (?:my|all my|all|every|everything|to have (?:my|all)|to (?:always|see|review|be asked)"
            r"|to keep (?:my|things|everything|functions|commits|files))\b(?! (?:of this|the above|help))"
            r"|\bi (?:really |absolutely |just |personally |generally )*(?:hate|dislike|loathe|despise|detest"
            r"|can't stand|cannot stand|can't bear|don't like|do not like|don't want|do not want|never want"
            r"|don't need)\b(?! (?:it\b(?! when)|this|that|the (?:new|look|idea|first|second|way|fact|name"
            r"|result|output|colou?r)|to (?:say|admit|be|do this|touch|bother|break|lose|waste|deal|think|spend"
            r"|go|have to)|you to (?:touch|change|do|fix)|how this|how that|a |an |any of|mondays|my (?:life"
            r"|job)))"
            rf"|\bi (?:really |generally |personally |much )*(?:like|love|enjoy) (?!the\b|this|that"
            rf"|your)(?:\w+ ){{0,2}}(?:{ARTIFACTS}|code|functions|names|tests|diffs|reviews)\b(?! (?:you|we))"
            r"|\bi (?:really |much |generally )*(?:like|love|enjoy) [\w'` -]+ (?:better|more than|over|best)\b"
            r"|\bi'm (?:a|an|not a) (?:big |huge |total |real |long-?time )?(?:[\w-]+ )?(?:fan|person|user|guy"
            r"|believer)\b|\bi'm allergic to\b|\bi(?:'m| am) (?:a )?(?:vegetarian|vegan|left-handed"
            r"|colou?r-?blind|dyslexic|lactose intolerant)\b"
        ),
        confidence=0.8,
        reason="the user said what they like or dislike",
    ),
    LexiconCue(
        category=Category.PREFERENCE,
        pattern=compiled(
            rf"^{LEAD}(?:be (?:more |a bit more |as )?(?:{GENERIC_STYLE}|honest|blunt|critical"
            rf"|polite)(?: as possible)?(?:[,. ]|$)"
            rf"|(?:keep|make) (?:your |all |my |our |the )?(?:{ARTIFACTS})(?: [\w ]{{0,30}})?(?: to (?:a|one"
            rf"|two|three|\d+|max)|(?: \w+)? (?:{GENERIC_STYLE}))\b"
            r"|(?:answer|reply|respond|talk|speak|write)(?: to me| back)? (?:only |always )?in (?:english"
            r"|german|french|spanish|italian|portuguese|dutch|polish|bullet points|plain \w+|full sentences"
            r"|short sentences|british|american|lowercase)\b"
            r"|(?:call|address) me (?:by )?(?!back|when|if|crazy|later|old|naive|paranoid|lazy)\w+"
            r"|explain (?:things|stuff|everything|code|concepts|your (?:changes|code|reasoning|steps|answers)"
            r"|changes) (?!here|to (?:him|her|them))|(?:limit|write|phrase|format|summari[sz]e"
            r"|word) your \w+s?\b |(?:[\w-]+ )?(?:spelling|english|quotes|case|indentation|tabs|spaces|units"
            r"|utc|types|casing|format|formatting|naming) (?:throughout|everywhere)(?:,? please)?\W*$"
            r"|(?:no|skip the|leave out(?: the)?|cut the|drop the|without|less|fewer|spare me the"
            r"|omit(?: the)?) (?:more )?(?:emojis?|emoticons|preambles?|fluff|filler|apologies|small talk"
            r"|intro(?:duction)?s?|summar(?:y|ies) at the end|disclaimers?|pleasantries|bullet points"
            r"|exclamation marks|buzzwords|jargon|smileys|em-? ?dash(?:es)?|pep talk|flattery|praise"
            r"|marketing speak|inline comments|semicolons|oxford comma)"
            r"|(?:give|show|ask|tell|send|warn|ping) me (?:\w+ )?(?:first |always )?(?:before (?:you |any "
            r"|every |each )?\w+|the (?:diff|plan|command|numbers) (?:first|before)))"
        ),
        confidence=0.8,
        reason="the user said how answers should be",
    ),
    LexiconCue(
        category=Category.PREFERENCE,
        pattern=compiled(
            rf"^(?:{LEAD}|i (?:want|need|expect|'d like|would like) you to |you (?:should|can|may"
            rf"|must) )?(?:{_HABIT_PHRASE})\b,? (?![^.]*\b(?:crash(?:es)?|fails?|hangs?|breaks?"
            rf"|an? error)\b)(?!we\b|our\b|the\b|all\b)\w+|\bi(?:'d| would)? (?:want|need|expect"
            rf"|like) you to (?:always|never|only|first)\b|^{LEAD}(?:you should |you must )(?:always|never"
            rf"|only)\b"
            rf"|\b(?:from now on|going forward|from here on|in future)\W*$"
        ),
        confidence=0.85,
        reason="the user asked for it from now on",
        ignores=frozenset({Guard.HYPOTHETICAL, Guard.TRANSIENT}),
    ),
    LexiconCue(
        category=Category.PREFERENCE,
        pattern=compiled(
            rf"\bi (?:{ADVERB} |personally |mainly |mostly |prefer to |tend to |also )*(?:{HABIT_VERBS}|type"
            rf"|read|commute|study|teach|drink|eat|speak|play|run|learn|edit|design|draw|sleep|start work"
            rf"|stop work|finish work)\b (?!is\b|was\b|into|this|that|it\b|out of|a quick|on (?:the|this|that|it)"
            rf"|the (?:tests?|build|command|script|same|code|debugger|function|method|loop))"
            rf"|\bi (?:always|never|usually|normally|typically|generally|tend to)\b (?!forget|get|wonder"
            rf"|thought|knew|see|mess|wanted|had|said|have (?:to|issues|problems)|confuse|hate|understood|liked"
            rf"|end up)"
        ),
        confidence=0.75,
        reason="the user told a habit of theirs",
    ),
    LexiconCue(
        category=Category.PREFERENCE,
        pattern=compiled(
            r"^(?:just |only )?(?:for (?:this|the current) (?:session|chat|conversation)|(?:for |just for "
            r"|only )?today(?: only)?|until tonight|for the rest of (?:the day"
            r"|this session)),? (?:please )?(?:skip|use|don't|answer|keep|ignore|only|assume|always|never|run"
            r"|write|speak|reply|stop|no|avoid|be|work|stay|call|leave|show|ask)\b"
        ),
        confidence=0.8,
        reason="the user asked for it in this session",
        ignores=_TIMELESS,
    ),
    # decisions
    LexiconCue(
        category=Category.DECISION,
        pattern=compiled(
            r"\b(?:we|i|the team|team|everyone|they all|management and we)(?:'ve| have| had)? (?:just |now "
            r"|finally |also |all |already |officially |then |today |yesterday )*(?:decided|agreed|chose|chosen"
            r"|settled|opted|voted|concluded|committed to|standardi[sz]ed|picked|gone with|went with|signed off"
            r"|ruled out|dropped|abandoned|ditched|rejected|scrapped|approved|moved (?:\w+ )?(?:from|to|off"
            r"|over)|switched (?:\w+ )?(?:from|to|over)|migrated|replaced|adopted|deprecated|retired|renamed"
            r"|killed)\b(?! (?:it|this|that|the (?:test|file|variable|function|line|call"
            r"|check))\b)(?! (?:to (?:look|check|meet|talk|wait|postpone)|(?:on \w+day|poorly|wisely|well"
            r"|already|branches|the file)\W*$))"
            r"|^(?:final )?(?:decision|decided|verdict|agreed|resolution)(?: is| was| made)?(?=[:,-])|^it(?:'s"
            r"| is| was) (?:been )?(?:decided|settled|agreed)\b|\bthe decision (?:is|was|stands)\b"
        ),
        confidence=0.85,
        reason="the user reported a decision",
        ignores=_TIMELESS,
    ),
    LexiconCue(
        category=Category.DECISION,
        pattern=compiled(
            r"(?:^|[,;:–-] |\b(?:so|ok|okay|then|and|yes|yeah|yep|alright|right|fine|good) )let's (?:just |all "
            r"|then |please )?(?:go (?:with|for)|use|stick (?:with|to)|standardi[sz]e on|switch to|adopt"
            r"|settle (?:on|for)|commit to|move to|drop|target|support only|not (?:use|support|add|do)"
            r"|make [\w ]+ the default|keep [\w ]+ (?:as|in|on|at|under|for)|host|store|build (?:it "
            r"|this )?(?:on|with)|version|do [\w-]+ (?:instead of|over|rather than))\b(?! (?:it|this|that|these"
            r"|those|your|recursion|memoi[sz]ation|inheritance|threads|generators?|enums?|lists?|dicts?|sets?"
            r"|tuples?|regex(?:es)?|two|three|both|a (?:for|while|list|dict|set|regex|quick|different|simple"
            r"|helper|variable|small|bit)|the (?:first|second|last|other|latter|former)|option|for a"
            r"|the plan)\b)"
            r"|\bwe(?:'ll| will| shall|'re going to| are going to|'re gonna) (?:just |only |always |then "
            r"|definitely |all )?(?:go (?:with|for)|use|stick (?:with|to)|standardi[sz]e|keep (?!it\b|an eye"
            r"|you|going|this|that)|switch|adopt|support|target|host|store|move (?:everything|to|off|from|all)"
            r"|migrate|replace|drop|build (?:it |this )?on|not (?:use|support|do|have)|never|always|deprecate"
            r"|release|launch|ship|sunset|require)\b"
            r"|\bwe(?:'ll)? (?:just )?(?:stay|remain|keep going|stick) (?:on|with|to)\b(?! (?:this|that|it|track)\b)"
            r"|\b(?:we're|we are|(?:the|our) (?:whole |entire )?(?:team|company|org|organi[sz]ation|department"
            r"|backend|frontend) (?:is|are)) (?:now |officially |definitely |all |not )?(?:going (?:with|for)"
            r"|moving (?:\w+ )?(?:to|off|away|from|over)|switching (?:\w+ )?(?:to|from|over|off)|migrating"
            r"|dropping|adopting|sticking (?:with|to)|standardi[sz]ing|keeping|replacing|sunsetting|deprecating"
            r"|launching|targeting|using)\b"
            r"|^(?:ok |okay |so |then |alright |right )*(?:,? )?(?:going|i'm going|i am going|we go|i'll go"
            r"|i go) (?:with|for) (?!it\b|that|this|an? \w+\W*$|lunch|coffee|the (?:first|second|last|latter))"
            r"|\b(?:is|are) (?:the|our) (?:way to go|choice|winner|standard|official|database of choice)\b|\bwon out\b"
        ),
        confidence=0.8,
        reason="the user made a decision",
    ),
    # conventions
    LexiconCue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}only (?:ever )?(?:use|run|deploy|commit|merge|push|import|target|support|install"
            rf"|write) (?!it\b|this\b|that\b|the (?:first|second|last))\w+"
            rf"|^{LEAD}always (?!true|false|there|on\b|been|the same|a |fails|breaks|works|crashes|get|got"
            rf"|thought|wanted|had|so|happy|happens|nice|good|fun|glad)\w+"
            r"|\b(?:our|the|team|house|project|repo|company|naming|coding|commit|branch"
            r"|style) (?:[\w-]+ )?(?:conventions?|rules?|polic(?:y|ies)|guidelines?|standards?|style guide"
            r"|practice|etiquette) (?:is|are|says|here|for|we|that|:|=)"
            r"|^(?:convention|rule|policy|guideline|house rule|team rule|standard)s?(?: here)?(?: is)?[:-]"
        ),
        confidence=0.85,
        reason="the user stated a standing rule",
    ),
    LexiconCue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"(?:^|\b(?:and|but|so|because|since|as|that|btw|fyi|,|:|;|–"
            rf"|-) )(?:{_PLACE},? )?(?:{_HABIT_PHRASE},? )?we (?:all |here |both )?(?:(?:{ADVERB}|do not|don't"
            rf"|also|actually|currently|just|exclusively|have to|need to|must|are supposed to"
            rf"|are not allowed to|aren't allowed to) )*(?:{HABIT_VERBS})(?:s)?\b(?! (?:it|this|that|these"
            rf"|those|into|a problem|an issue|an error|the (?:same|following|bug|issue|error))\b)(?!ed\b)"
            r"|\bwe (?:don't |never |always |only )?do (?!not|n't|have|need|want|that|this|it\b|know|so|a\b"
            r"|the\b)[\w-]+ \w+|\w,? (?:that's|that is|it's|is) (?:our|the (?:team|house|company|repo"
            r"|project)) (?:\w+ )?(?:style|convention|standard|rule|policy|way|default|practice)\b"
            rf"|(?:^|[,:;] ){_PLACE},? we (?!{NOT_HABITS}\b)\w+"
            rf"|\bwe (?:{ADVERB}|don't|do not|no longer|aren't allowed to|are not allowed to"
            rf"|never ever) (?!{NOT_HABITS}\b|have (?:time|to|any idea)|need|want|know|see|think|get|understand"
            rf"|care)\w+"
            rf"|\bwe (?!{NOT_HABITS}\b)\w+ (?!it\b|this\b|that\b)[^.?!]*\b{_PLACE}[.!]*$"
        ),
        confidence=0.8,
        reason="the user told how the team works",
    ),
    LexiconCue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}(?:all(?! the\b| good)|every(?! time)|each(?! time)|any|no"
            rf"|new) (?:[\w'`/-]+ ){{1,4}}?(?:(?:must|should|shall|has to|have to|needs? to|needs?|requires?|gets?"
            rf"|goes|go|is|are|may|can|lives?|starts?|ends?|belongs?|follows?|uses?|takes?|returns?|carries"
            rf"|carry|runs?|comes?)\b(?! (?:{STATES})\b)|without\b)"
            rf"|^{LEAD}(?:{ARTIFACTS})(?: \w+)? (?:must|should|shall|has to|have to|needs? to|need"
            rf"|go(?:es)? (?:in|into|to|under|through)|live[s]? (?:in|under|next|on)|belongs? (?:in|to)"
            rf"|get(?:s)? (?:a|an|squashed|merged|rebased|tagged|prefixed|named|reviewed)|follows?"
            rf"|start(?:s)? with|end(?:s)? (?:in|with)|(?:is|are) (?:always |only |never )?(?:named|prefixed"
            rf"|squashed|written|kept|sorted|in |on |called|reviewed|tagged|snake|camel|kebab|pascal|lowercase"
            rf"|imperative|singular|plural|generated|merged|stored|mandatory|required|forbidden))\b"
            r"|\b(?:must|should|has to|have to|needs? to) (?:always |never |not |be "
            r"|all )*[\w ]{3,60}\b(?:before (?:merging|committing|pushing|releas\w+|deploy\w+|each|every|any"
            r"|you (?:commit|push|merge|deploy))|after (?:each|every|merging|any)|on every|for every|in every"
            r"|for each)\b"
        ),
        confidence=0.8,
        reason="the user stated a rule for all of a kind",
    ),
    LexiconCue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}{ALL_OF_A_KIND}|^{LEAD}all (?:new|our|public|external) [\w-]+ (?:have|has|use|need)\b"
            r"|^(?:any )?(?:changes?|updates?|access|requests?|releases?|additions?) (?:to|for"
            r"|of) [\w '`./-]+? (?:needs?|requires?|must|goes? through|has to|have to|are|is) (?!done|ready"
            r"|merged)"
            r"|^everything (?:[\w ]{0,30}?)(?:is|goes|runs|uses|must|comes|lives|needs|has to)\b"
            rf"|^{LEAD}(?:{ARTIFACTS}) (?:in|with|as|under|without|per) [\w' -]+(?:, (?:not|never|no)\b| only\b"
            rf"|,? always\b|,? please\b)"
        ),
        confidence=0.75,
        reason="the user stated how all of a kind are",
    ),
    LexiconCue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}(?:when(?:ever)?|before|after|if|each time|every time|once) (?:you|i|we) (?!are\b|'re"
            rf"|have|'ve|got|had|get|can|want|see fit|feel|think|finish|done|need|like|don't mind|say|back|did"
            rf"|do that|were|was|didn't)(?:ask (?:you )?(?:for|to)|\w+) (?!it\b|this\b|that\b"
            rf"|them\b)[^?]+?,? (?:please |then |you (?:must|should|have to|need to) |we |always |never |don't "
            rf"|do not |make sure )?(?:use|run|add|write|put|keep|check|ask|update|bump|regenerate|make|include"
            rf"|call|tell|show|give|start|end|send|open|create|follow|prefix|name|avoid|don't|do not|never"
            rf"|always|must|should|have to|need to|remember|format|sort|tag|document|mention|assume|answer"
            rf"|reply|use)\b"
            rf"|^{LEAD}(?:use|run|write|add|put|keep|name|prefix|do|check|update|bump|rebase|squash|tag|format"
            rf"|lint|sort|make|include|mention|document|ask|test|review|start|end|link|sign|pull|regenerate"
            rf"|restart|clear|back up|backup|attach|copy|open|create) (?!it\b|this\b|that\b|these\b|those\b"
            rf"|them\b)[^?]*\b(?:before (?:merging|committing|pushing|releasing|deploying|each|every|any"
            rf"|you (?:commit|push|merge|deploy)|a (?:merge|release|deploy|commit|push))|after (?:each|every"
            rf"|merging|any|pulling|deploying)|(?:on|for|in|to|with|at|of) (?:every|each|any new|new"
            rf"|everything)|every time|whenever|each time|by default|everywhere|unless (?:i|we) (?:say|tell"
            rf"|ask))\b"
        ),
        confidence=0.8,
        reason="the user stated what to do each time",
    ),
    LexiconCue(
        category=Category.CONVENTION,
        pattern=compiled(
            rf"^{LEAD}(?:use|prefer|follow|keep|run|put|stick to) (?!it\b|this\b|that\b|these\b|those\b"
            rf"|them\b)[^?]*\b(?:for|in|on|with|to|at) all (?:\w+ )?\w+"
            rf"|^{LEAD}(?:use|prefer|favou?r|write|name|prefix|format|indent|spell|capitali[sz]e|sort|log|store"
            rf"|return|raise|handle|test|mock|commit|stick to) (?!it\b|this\b|that\b|these\b|those\b|them\b"
            rf"|the\b|a\b|an\b|my\b|your\b|one\b)[^?]*(?:, (?:not|never|and not)\b|\b(?:instead of|rather than"
            rf"|over|as opposed to|and never|but never|but not)\b)"
            rf"|^{LEAD}(?:write|name|prefix|format|indent|sort|keep|put|phrase|document|spell|capitali[sz]e"
            rf"|group|wrap|squash|tag|number|separate|order) (?:all |our |your |my )?(?:{ARTIFACTS}) (?:in|with"
            rf"|as|by|under|inside|like|into|alphabetically|lowercase|to|after|next to|at|using|per)\b"
            rf"|^{LEAD}(?:use|prefer) (?:snake_?case|camel_?case|kebab-?case|pascal_?case|conventional commits"
            rf"|semantic versioning|semver|type hints|british|american|utc|iso|tabs|spaces|\w+ (?:spaces"
            rf"|quotes)|dependency injection|early returns|feature branches|uuids?|ulids?|async"
            rf"|functional components|absolute imports|relative imports|parameteri[sz]ed queries) (?:for|in"
            rf"|when|everywhere|throughout|on|as)\b(?! (?:now|today))"
        ),
        confidence=0.75,
        reason="the user stated a general way to do it",
    ),
)
