"""English: how facts, traps and people are told. Comes after the rules of behaviour; the order matters."""

from __future__ import annotations

from nightgarden.domain.memory import Category
from nightgarden.remember.language.english_parts import ENVIRONMENT, LASTING_VERBS, PEOPLE, STATES
from nightgarden.remember.language.lexicon import Guard, LexiconCue, compiled

_NAME = (
    r"(?-i:(?!(?:The|Our|My|This|That|It|Its|Staging|Production|Prod|Everything|Everyone|Nobody|All"
    r"|Each|Every|We|You|They|He|She|Which|What|There|Here|"
    r"Then|Also|And|But|So|If|When|Nothing|Something|Please|One|No|Only)\b)[A-Z][a-zà-ÿ]+)"
)

# What these do by themselves is common knowledge; where and how they run here is not.
_GENERAL = (
    r"(?:git|postgres\w*|react|python|docker|kubernetes|redis|rust|java\w*|node\w*|linux|https?|tcp|mongo\w*|mysql"
    r"|kafka|nginx|typescript|go|vue|angular|django|flask|rails|webpack|css|html|json|yaml|sql|aws|github|gitlab"
    r"|chrome|safari|macos|windows|ubuntu) (?:only |always |never |still |also )?(?:uses?|stores?|supports?|needs?"
    r"|requires?|has|have|handles?|keeps?|accepts?|contains?|expects?|allows?|follows?|assumes?|serves?|exposes?"
    r"|rejects?|scales?)\b"
)

# Changes to the code itself are in its history: what is moved between files or restyled is no news about the world.
_CODE_CHANGE = (
    r"(?!.*(?:\w\(|\bstill\b|\bno luck|n't help|\bto see\b|/\w|\bline \d"
    r"|\.(?:py|tsx?|jsx?|go|rs|java|kt|rb|c|h|cpp|css|html?|md|ya?ml|json|toml|sql)\b"
    r"|\b(?:functions?|methods?|class(?:es)?|variables?|imports?|components?|buttons?|paddings?|margins?|colou?rs?"
    r"|fonts?|files?|folders?|helpers?|props?|styles?|tests?|types?|loops?|left|right|top|bottom|state|args?"
    r"|parameters?|returns?|strings?|ints?|floats?|lists?|dicts?|arrays?|columns?|fields?|rows?|commits?)\b))"
)
_MOVED = (
    r"(?:moved|switched|migrated|changed|renamed|upgraded|downgraded|bumped|raised|lowered|increased|decreased|reduced"
    r"|extended|shortened|relocated|cut|went up|went down|handed over|postponed|rescheduled)"
)
_FROM_TO = (
    r"(?:over )?from (?!(?:a|an|here|there|it|this|that|scratch|time|one|now|where|what)\b)(?:[\w'`@#.:%€$£+-]+ ){1,5}"
    r"to (?!(?:a|an|avoid|be|see|get|make|fix|it|this|that|use|keep|have|do|the (?:top|bottom|end|other))\b)\S"
)
_WE_MOVED = rf"(?:we|the team|ops)(?:'ve| have| has)? (?:just |now |finally |recently |also )*{_MOVED} "

TOLD = (
    # changes of what was told before
    LexiconCue(
        category=Category.FACT,
        pattern=compiled(
            rf"^{_CODE_CHANGE}{_WE_MOVED}(?!(?:it|this|that|these|those|them)\b)(?:[\w'`.&+:-]+ ){{0,7}}?{_FROM_TO}"
            rf"|^{_CODE_CHANGE}(?:the|our) (?:[\w'`.&+-]+ ){{0,5}}?(?:{ENVIRONMENT})(?: [\w'`.()-]+){{0,4}}? "
            rf"(?:(?:was|were|is|are|has been|have been|has|have|got) )?(?:just |now |recently )?{_MOVED} {_FROM_TO}"
            rf"|^{_CODE_CHANGE}(?:the|our) (?:[\w'`.&+-]+ ){{0,5}}?(?:{ENVIRONMENT})(?: [\w'`.()-]+){{0,3}}? "
            r"(?:(?:was|were|has|have|has been|have been|got) )?(?:just |now |recently )?(?:moved|migrated|switched"
            r"|relocated|upgraded) to (?=\S*\d|(?-i:[A-Z]))\S+"
            rf"|^{_CODE_CHANGE}{_WE_MOVED}"
            r"(?:the |our |all )?(?!(?:it|this|that|these|those|them|everything|on|back|over|up)\b)"
            r"(?:[\w'`.&+-]+ ){0,5}?to (?:version |port |v)?(?=\S*\d|(?-i:[A-Z]))\S+"
            rf"|^(?:the|our) (?:[\w'`.&+-]+ ){{0,5}}?(?:{ENVIRONMENT})(?: [\w'`.()-]+){{0,3}}? (?:is|are) now "
            r"(?:called |named |on |at |in |hosted (?:on|at|in|by) |with )?\S+(?: \S+){0,3} (?:instead of|rather than"
            r"|and no longer|and not) \S"
        ),
        confidence=0.7,
        reason="the user told of a change",
        ignores=frozenset({Guard.TRANSIENT}),
    ),
    LexiconCue(
        category=Category.ENTITY,
        pattern=compiled(
            rf"^{_NAME}(?: {_NAME})? (?:has taken|took|takes|is taking) over (?!(?:it|this|that|as far)\b)\w"
        ),
        confidence=0.75,
        reason="the user named a person and their part",
    ),
    # traps
    LexiconCue(
        category=Category.GOTCHA,
        pattern=compiled(
            r"^(?:(?:ok|ah|aha|oh|so|found it|got it|yes|yep|nvm|never ?mind|alright|and)[,.!:-]* )*(?:it "
            r"|that |this )?(?:turns out|turned out|as it turns out)\b(?!,? (?:that )?(?:i|you|my|we (?:forgot"
            r"|were|had))\b)"
            r"|\b(?:the |root |actual |real |underlying )+(?:cause|reason|problem|issue|culprit|bug|trick|catch"
            r"|fix|solution|workaround|gotcha|explanation|failure|crash)(?: (?:here|for (?:this|that)"
            r"|of (?:this|that|it|the \w+)|with \w+|behind \w+|why [\w ]+))? (?:is|was|were|turned out|being"
            r"|:)\b(?! (?:me\b|my\b|mine|i\b|simple|easy|clear|obvious|in\b|with\b|here|there|still|not"
            r"|the same|gone|fixed|back|here|weird|in line|on line"
            r"|unclear|similar|that (?:you|i) )\b)"
            r"|\b(?:was|were|is|are) (?:all |actually |apparently |really )?(?:caused by|due to)\b"
            r"|\b(?:returns?|reports?|accepts?|shows?|says?|succeeds?) [^.?]*\beven (?:on|if|when|for|though)\b"
            r"|\b(?:it|that|this)(?: \w+)? (?:was|were|is|happens|happened|fails|failed|broke|breaks|crashes"
            r"|crashed|was \w+ing|were \w+ing) (?:only |just |all |actually |simply )?because (?!i\b|you\b"
            r"|it's (?:late|friday))"
        ),
        confidence=0.75,
        reason="the user explained a cause or a trap",
        ignores=frozenset({Guard.TRANSIENT}),
    ),
    LexiconCue(
        category=Category.GOTCHA,
        pattern=compiled(
            r"^(?:gotcha|pitfall|trap|caveat|warning|careful|caution|beware|watch out|heads[- ]?up|be careful"
            r"|be aware|lesson learned|lesson learnt|til|known issue|known bug)\b[:,!–-]*(?: (?:here|with|that"
            r"|of|for|:|,|–|-))?"
        ),
        confidence=0.75,
        reason="the user gave a warning",
    ),
    LexiconCue(
        category=Category.GOTCHA,
        pattern=compiled(
            r"\b(?:only works?|only (?:starts?|builds?|runs?|compiles?|happens?)|doesn't work|does not work"
            r"|won't work|don't work|never works?|fails?|breaks?|crashes|crash|hangs?|times out|silently \w+"
            r"|gets? (?:lost|corrupted|dropped|truncated|cached|ignored)|leaks?|deadlocks?|blows up|chokes"
            r"|refuses to \w+|falls over|goes stale|loses \w+|eats \w+) (?:[\w'` -]+ )?(?:when|if|unless|on"
            r"|without|after|as soon as|whenever|because|with|for|under)\b(?! (?:me\b|now|my (?:machine|laptop"
            r"|side)|line \d|i\b|we (?:run|try)|you (?:run|try)|the (?:following|same|attached|latest)))"
            r"|\b(?:has to|have to|must|needs? to|need to|make sure (?:to|that|you)) [^?]*\b(?:or else|or it"
            r"|or the|or you|otherwise|else (?:it|the|you))\b|\b(?:has to|have to|must|needs? to) (?:be|stay"
            r"|have|run|come) [^?,]+,? or \w+ \w+ \w+|\bwithout [^,?]+, (?:it|the|you|nothing|everything) \w+"
            r"|\botherwise (?:it|the|you|all|nothing|everything|we)\b[^?]*\b(?:fails?|breaks?|crash\w*|hangs?"
            r"|won't|can't|doesn't|lose|loses|get|gets|is|are|will|times?)\b"
        ),
        confidence=0.7,
        reason="the user told when it breaks",
    ),
    # people and things with names
    LexiconCue(
        category=Category.ENTITY,
        pattern=compiled(
            rf"\bmy (?:full |first |last |nick)?name(?:'s| is)\b|^(?:hi|hello"
            rf"|hey)?[,! ]*i'm (?-i:[A-Z][a-z]+)(?:,| and i| from| \(|\.|$)"
            rf"|\b(?:my|our) (?:[\w-]+ )?(?:{PEOPLE})(?:'s name)? (?:is|are|was) (?:called "
            rf"|named )?(?!{STATES}\b|the (?:one|problem|best))[\w`]+"
            rf"|\b{_NAME}(?: {_NAME})? (?:is|was|will be) (?:now |also )?(?:the |our |my |a "
            rf"|an )(?:[\w/-]+ ){{0,3}}?(?:{PEOPLE})\b"
            rf"|\b{_NAME}(?: {_NAME})?(?: and {_NAME})?(?: (?:from|in|at|of) (?:the "
            rf"|our )?[\w ]{{2,20}}?)? (?:owns?|maintains?|leads?|manages?|runs|handles?|heads|reviews?"
            rf"|approves?|signs off|takes care of|is responsible for|is in charge of|looks after|is on-?call"
            rf"|does all|does the|joined|left(?: the| us|,|\.|$| in| last)|is the (?:one|person|go-to"
            rf"|contact))\b"
            rf"|\b(?:ask|ping|contact|talk to|go to|check with|loop in) {_NAME}(?: (?:about|for|when|if|before"
            rf"|in|on|because|from)\b)"
        ),
        confidence=0.75,
        reason="the user named a person and their part",
    ),
    LexiconCue(
        category=Category.FACT,
        pattern=compiled(
            rf"\bi(?:'m| am) (?:a|an|the|one of the) (?!bit|little|big fan|idiot|fan|mess|moron|zombie"
            rf"|noob)(?:[\w/+#.-]+ ){{0,4}}?(?:{PEOPLE}|dev|programmer|beginner|newbie|scientist|devops"
            rf"|sysadmin|expert|musician|physicist|biologist|nurse|hobbyist|only (?:one|developer|dev"
            rf"|person))\b"
            r"|\bi(?:'m| am) (?:on|running|using|based in|from|located in|living in|new to|working (?:from|at"
            r"|on a|with a)|responsible for|in charge of|in the (?:\w+ )?(?:team|time ?zone)"
            r"|in (?-i:[A-Z][a-z]+))(?! (?:it|this|that|fire|the (?:wrong|right|same|latest|old|new|other|train"
            r"|road|bus|couch|fence)|vacation|holiday|call|my way|a call|the phone|the train|board|top|track"
            r"|lunch|leave|a break|the same)\b) \S+"
            r"|\bi (?:come|came) from\b|\bi (?:work|worked|live|study|teach|freelance) (?:at|for|in|as|from"
            r"|with|on(?! (?:the|this|that|it|a)\b)|remotely|part)\b(?! (?:it|this|that)\b)|\bi (?:own|have"
            r"|moved to|run|manage|lead|maintain) (?:a|an|two|three|four|the|\d+|only|no|about|around|my own"
            r"|\w+ (?:kids|cats|dogs|monitors|servers|machines|children))\b(?! (?:question|problem|issue"
            r"|feeling|idea|bug|look|meeting|call|doubt|hunch|quick|test|tests|error|headache|same"
            r"|couple of questions|minute|few minutes|deadline|array|object|dict|dataframe|matrix|csv|small"
            r"|weird|strange|new|different|plan|clue|time"
            r"|command|migration|hard time|simple|function|list|file|pr|branch|script|loop|ticket|class|table"
            r"|string|json))"
            r"|\bmy (?:time ?zone|birthday|laptop|machine|editor|ide|shell|os|operating system|keyboard"
            r"|employer|company|team|github (?:user(?:name)?|handle)|username|handle|job|role|title|pronouns"
            r"|native language|mother tongue|monitor|home ?server|nas|phone|terminal|address|working hours"
            r"|budget|thesis|degree|blog|website|domain)(?: \w+)? (?:is|are|runs?|has|uses?)\b"
        ),
        confidence=0.75,
        reason="the user told something about themselves",
    ),
    # the world the work happens in
    LexiconCue(
        category=Category.FACT,
        pattern=compiled(
            rf"^(?:(?:the|our|my|each|both"
            rf"|every) )(?:[\w'`./&+-]+ ){{0,5}}?(?:{ENVIRONMENT})(?: (?:[\w'`./()-]+ ){{0,4}}?)? ?(?:only "
            rf"|always |never |still |also )?(?:{LASTING_VERBS})(?! (?:{STATES})\b)"
            rf"|^(?!{_GENERAL})(?:{ENVIRONMENT}|(?!(?:we|i|you|it|its|he|she|they|this|that|these|those|there"
            rf"|here|what|which"
            rf"|who|everything|everyone|nobody|nothing|something|someone|one|some|most|all|both|each|now|then"
            rf"|so|and|but|or|also|if|when|while|the|a|an|my|our|your|yes|no|ok|thanks|great|please|still|just"
            rf"|only|not|maybe|people|mine|line)\b)(?-i:[A-Z][\w.-]+)|`[^`]+`)(?: (?:{ENVIRONMENT}))? (?:only "
            rf"|always |never |still |also )?(?:{LASTING_VERBS})(?! (?:{STATES})\b)"
            rf"|\bour (?!options?|choices?|problems?|issues?|bugs?|goals?|plans?|ideas?|questions?|tasks?|next"
            rf"|current|best|last|first)(?:[\w'`./&+-]+ ){{0,5}}?(?:is|are|has|have"
            rf"|{LASTING_VERBS})\b(?! (?:{STATES})\b)"
        ),
        confidence=0.7,
        reason="the user described the environment",
    ),
    LexiconCue(
        category=Category.FACT,
        pattern=compiled(
            r"^(?:the |our )?[\w'` -]{3,50}? (?:is|are) (?:now )?(?!not\b|in line|a\b|an\b"
            r"|the\b)[\w.`#/:%+-]+(?: \w+)?(?: now)?, not \S+"
        ),
        confidence=0.7,
        reason="the user told a value and what it is not",
        ignores=frozenset({Guard.TRANSIENT}),
    ),
    LexiconCue(
        category=Category.FACT,
        pattern=compiled(
            r"^you can (?:reach|find|access|get to|log in to|connect to|see) (?:the|our|all) [^?]*\b(?:via|at"
            r"|with|on|under|in|through|by)\b"
            r"|\b(?:is|are) (?:the|our) (?:minimum|maximum|default|official|main|primary|only|oldest|preferred"
            r"|supported|target|canonical|single) (?:\w+ )?(?!thing|problem|issue|way|option|reason"
            r"|difference)\w+"
            r"|^(?:in total |overall |basically )?we(?:'re| are) (?!a go\b)(?:on|a|an|\d+|based|located|in|all on|about"
            r"|around|running|still on|stuck on|bound|required|limited|not allowed|legally)\b(?! (?:it|this"
            r"|that|the same|a bit|track|fire|good|hold|in trouble|almost|break|to)\b)"
            r"|\bwe (?:only |still |also |currently )?have (?:a|an|two|three|four|five|six|\d+|about|around"
            r"|only|no|separate|our own|one|several) (?!(?:\w+ )?(?:table|column|list|function|file|class"
            r"|script|bug|error|test|field|form|button|page|query|loop|variable)\b|problem|issue|bug|idea"
            r"|question|choice|meeting|deadline today|winner|deal|call|time|chance|look|few (?:minutes"
            r"|options))"
        ),
        confidence=0.65,
        reason="the user described the team or its setup",
    ),
)
