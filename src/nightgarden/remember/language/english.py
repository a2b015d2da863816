"""English, put together: requests, corrections and small words; guards have a file of their own."""

from __future__ import annotations

from nightgarden.remember.language.english_guards import GUARDS
from nightgarden.remember.language.lexicon import Lexicon, compiled, one_of

_REQUEST = (
    r"^(?:(?:ok|okay|and|also|so|btw|oh|yes|yeah|hey|alright|right|actually|one more thing|thanks|cool"
    r"|great|correct|exactly)[,.!:]* )*"
    + r"(?:please,? |pls |plz |can you |could you |i want you to |i'd like you to |i need you to "
    r"|you should |you can |you need to |just |would you |let's )*(?:also |always |just |please )*"
    + one_of(
        r"remember (?:that|this|the following|for (?:later|next time|the future"
        r"|future \w+))(?: is)?(?: please)?(?=\W|$)(?! (?:bug|time|guy|issue|thing|one)\b)",
        r"remember(?=:| ?[–—-]|, | (?:we|our|my|the|i|i'm|i am|always|never|not to|don't|it's|all|every|any"
        r"|no|only|to|in|on|for|you|there|when you|before|after)\b)(?! the (?:time|bug|issue|one|thing|last"
        r"|discussion|problem|incident)\b)(?! (?:i|we) (?:had|were|was|talked|did|saw|said|tried"
        r"|discussed)\b)",
        r"memori[sz]e(?: that| this)?",
        r"(?:make|take|keep|write|leave yourself) (?:a )?(?:mental )?note(?: of (?:this|that|the following)"
        r"| that| of)?(?: for (?:later|next time|the future|future \w+))?",
        r"(?:note|notes|reminder|memo) (?:for later|to self|for (?:the )?future(?: \w+)?|for next time"
        r"|to (?:you|yourself|future you|future me))",
        r"(?:please )?note(?: down)? that",
        r"(?:note|nb|n\.b\.|memo|fact|rule|ground rule|house rule|reminder)(?=:)",
        r"(?:keep|bear|have) (?:this |that |it |the following )?in mind(?: that)?(?: for (?:later|next time"
        r"|the future|future \w+))?",
        r"(?:don't|do not|never) (?:ever )?forget(?: that|:|,| this:)(?! to\b)",
        r"for (?:future|later|your) (?:reference|sessions?|information|use|work|conversations?|tasks?)",
        r"for (?:the record|next time|your notes|your memory)",
        r"(?:save|store|put|keep|add|commit|write) (?:this|that|it|the following|to memory)(?: (?:to|in"
        r"|into|for) (?:your |the )?(?:memory|memories|notes|later|long-term memory|next time"
        r"|future \w+))?(?:(?<=memory)|(?<=memories)|(?<=notes)|(?<=later)|(?<=time))(?: that)?",
        r"it(?:'s| is) worth (?:remembering|noting|knowing) that",
        r"good to know for (?:later|next time|the future)",
        r"(?:yes,? )?(?:that's|that is|those are) (?:our|the (?:team|house|company|repo"
        r"|project)) (?:\w+ )?(?:style|convention|standard|rule|policy|way|default|practice)s?\W*$",
    )
    + r"[\s:,.!–—-]*"
)
_LEAD = r"(?:(?:and|also|but|so|then|again)\b,? )?(?:please,? |pls |plz |kindly )?"
_POINTED = r"(?:it|this|that|these|those|them|anything|everything|something|me|us|so|any of|one)\b"
_FORBIDS = compiled(
    rf"^{_LEAD}(?:you (?:must|should) )?never (?:ever )?(?!mind|ever mind|again mind|knew|seen|heard|had"
    rf"|thought|happened|works|worked|been|got|tried|understood|liked|a |the same)\w+"
    rf"|^{_LEAD}no (?!one|idea|tests? (?:fail|ran)|errors?|changes?|luck|problem|output|difference"
    rf"|results?|match|response|answer|logs?|rush|progress|way|news|doubt|need|more|longer|worries|clue"
    rf"|point|reason|wonder|matter|thanks|changes?|such|issues?|data|rows?|traffic|access|internet"
    rf"|network|connection)[\w.-]+(?: [\w.-]+){{0,2}} (?:in (?:this|our|the (?:repo|codebase|project"
    rf"|code|docs|api|tests))|in [\w-]+s\b|on fridays|before|after|during|without|outside|unless|ever\b"
    rf"|at all)"
    rf"|^{_LEAD}(?:(?:you|we) (?:must not|mustn't|may not|are not allowed to)|under no circumstances"
    rf"|it's forbidden to|it is forbidden to|(?:nobody|no one) (?:may|should|is allowed to|must|touches"
    rf"|deploys|merges|pushes)) "
    rf"|^{_LEAD}(?:(?:do not|don't|avoid|no more|refrain from)|(?:stop|quit)(?= \w+ing\b)) (?:ever "
    rf"|always |just )?"
    r"(?!worry|bother|know|think|see|get|understand|care|mind|forget|you|we|i |ask me|hesitate|panic"
    r"|rush|be sorry|be silly|be shy|want|need|have|like|love|believe|remember|make me|give up|stop"
    r"|wait|there|right|right there|it|let|apologi[sz]e for|do |say |start|hold|feel|trust me|take|go )"
    rf"(?:\w+ )(?!{_POINTED})(?!(?:the|a|an|any|my) \w+$)(?!(?:and|or|but|anymore|please|yet"
    rf"|for now)\b)(?:\S+.*)"
    rf"|^{_LEAD}(?:stop|quit|no more|enough with the) (?:apologi[sz]ing|asking|guessing|repeating"
    rf"|explaining|summari[sz]ing|rambling|inventing|flattering|hedging)\b"
)

ENGLISH = Lexicon(
    code="en",
    frequent=frozenset(
        """the a an and is are was to of in on for with we i you it this that not don't do use our my please be have has
        can so but what if they from at or as just now all never always""".split()
    ),
    openers=compiled(
        r"^(?:(?:ok(?:ay)?|so|well|(?:hey|hi|hello)(?: (?:there|again|all|everyone|folks))?|oh"
        r"|ah|hm+|um+|uh|right|alright|anyway|yes|yeah|yep|yup|sure"
        r"|thanks|thank you|thx|ty|great|cool|nice|perfect|good|awesome|btw|by the way|fyi|for info|also"
        r"|and|but|plus|besides|look|listen|basically|honestly|tbh|actually|jsyk|just so you know|just fyi"
        r"|one more thing|another thing|one thing|quick note|side note|small thing|important|ps|p\.s\.|psa"
        r"|oh and|in general|generally speaking|you should know(?: that)?|you need to know that|as you know"
        r"|as i said|as mentioned|like i said|i said|i told you|i already told you|again|mind you|remember"
        r"|more importantly|it's (?:very |really )?(?:important|crucial|essential|critical) (?:that|to)"
        r"|context|some context|for context|background|wait|too|then|first of all|to be clear"
        r"|just to be clear|to clarify|note|hint|tip|sorry|no worries|got it|makes sense|agreed|fair enough"
        r"|good point|found it|aha|update|edit|done|lgtm|looks good|(?:that )?works|my bad|please note that"
        r"|note that|it's worth noting that|you (?:keep forgetting|always forget)|we moved things|heads[- ]up)"
        r"(?:[,.!:;–—-]+ |[:,] ?| (?:-|–|—) |$)|(?:so|and|but|also|btw|by the way"
        r"|fyi|oh|ok|okay|well|yeah|yes|plus|actually|anyway|honestly|basically|because|cause|cuz|since|tbh"
        r"|please note that|note that|you should know that|just so you know,?|then|like i said|as i said,?"
        r"|it's important that|it is important that|make sure that|make sure|be sure that|be sure to) )+"
    ),
    closers=compiled(
        r"(?:[,;.!–— -]+(?:ok|okay|btw|fyi|please|pls|thanks|thx|thank you|got it|alright|deal|though|tho"
        r"|by the way|you know|just so you know|for what it's worth|fwiw|as i said|as always|as usual"
        r"|cheers|mate|dude|will you|ta|understood|yeah)\W*)+$|[\s:;,–—-]+$"
    ),
    request=compiled(_REQUEST),
    request_after=compiled(
        r"[\s,;.!–—(-]+(?:so |and |but )?(?:please |pls |can you |just )?(?:remember (?:that|this"
        r"|it)(?: (?:for|next|please|in)[\w ]*)?|keep (?:that|this|it) in mind(?: for[\w ]*)?|bear (?:that"
        r"|this) in mind|(?:make|take) (?:a )?note(?: of (?:that|this|it))?|note (?:that|this)(?: down)?"
        r"|don't forget(?: (?:that|this|it))?|(?:save|store) (?:that|this|it) (?:for later|to memory"
        r"|in memory)|for (?:future|later) reference|for the record|for next time|please remember"
        r"|add (?:that|this|it) to (?:your )?memory|for future sessions|remember\W*$)\W*$"
    ),
    pointer=compiled(r"^(?:that|this|it|so|please|for (?:me|later|next time)|too|well|\W|as well)*$"),
    guards=GUARDS,
    forbids=_FORBIDS,
    refusal=compiled(
        r"^(?:(?:ugh|hm+|um+|argh|ehm|wait|hey|sorry|oh|ah|hold on|hang on|stop|well)[,.! –-]+)*(?:(?:no+"
        r"|nope|nah|nono)(?=[,.!:;–—-]| (?:use|we|it|it's|the|don't|i|that|please|never|always|our|not)\b"
        r"|$)|wrong(?=[,.!:]|$)|incorrect|not (?:quite|right|correct|exactly|true)|that's (?:wrong"
        r"|not (?:right|correct|true|it|quite right|how we \w+(?: \w+)?|what i (?:asked|meant|said"
        r"|wanted)(?: for)?)|incorrect|outdated|old|false)|that is (?:wrong|not (?:right|correct|true)"
        r"|incorrect|outdated)|you're wrong|you got (?:that|it) wrong|i (?:said|told you|already told you"
        r"|asked for|meant)|(?:as )?i (?:already )?said|correction|actually|ehm no|wrong \w+)(?=\W"
        r"|$)[\s,.!:;–—-]*(?:(?:actually|sorry|wait|please|again|because|as|since|remember|it's wrong"
        r"|that's wrong|that's not right|wrong|no)[\s,.!:;–—-]+)*"
    ),
    refusal_chatter=compiled(
        r"^(?:no|nope|nah)[,.!]? (?:worries|problem|idea|need|thanks|thank|rush|hurry|way|clue|doubt|matter"
        r"|wonder|luck|pressure|that's (?:fine|ok|okay|all|it|good|great)|it's (?:fine|ok|okay|good"
        r"|all good)|go ahead|all good|longer|more|one|further|errors?|such|change|difference|biggie"
        r"|offense|wait|i'm good|i mean|not yet|i think|i don't|i haven't|i (?:cleared|did|tried|checked"
        r"|already|just|have)|still|nothing|never mind|leave it|keep it|let's (?:leave|keep)|looks|you"
        r"|please (?:go|continue|leave|proceed)|sorry|just (?:leave|continue|go|do)|stop|good|done|big deal"
        r"|it still|it (?:doesn't|didn't|fails|works))\b|^actually,? (?:never|nvm|forget|wait|hold"
        r"|let's (?:leave|first|do|skip)|i|can|could|what|let me|that|this|no|one|yes|you|looks?|before"
        r"|scratch|just|quite|pretty|really|kind|not)\b"
    ),
    amendment=(
        compiled(
            r"^(?:please |pls |just |always |only )*(?:use|run|put|write|take|go with|call|name|store|keep|make"
            r"|return|import|deploy|target|base|add|prefer|stick (?:to|with)|install|send|log|start|branch off"
            r"|branch from|branch|merge into|rebase|read|work|push|commit|test|talk|point|bind|pin) (?!(?:it"
            r"|this|that|these|those|them|him|her|one)\b(?! (?:in|on|under|to|into|with|at) (?:`|the `|/|\w+/))"
            r"|the (?:other|first|second|last|old|new|previous|one|same)\b|another|both|a different|more|less"
            r"|on\b|ahead|back)\S+"
        ),
        compiled(
            r"^(?:we|our|the|all|every|everything|in|on|at|it|that|those|these|there|they|`[^`]+`"
            r"|[\w.-]+) (?:[\w'`./-]+ ){0,6}?(?:is|are|was|were|use|uses|run|runs|live|lives|need|needs|require"
            r"|requires|has|have|go|goes|must|should|don't|doesn't|never|always|only|deploy|deploys|moved"
            r"|switched|renamed|changed|replaced|migrated|listen|listens|support|supports|expects?|returns?"
            r"|belongs?|comes?|starts?|ends?|write|name|call|call it|keep|keeps|store|stores|target|targets|can"
            r"|cannot|can't|take|takes|want|dropped|stopped|put|work|works|ship|ships)\b"
        ),
        compiled(r"^(?:please )?(?:do not|don't|never|stop|avoid) \w+ (?!it\b|that\b|this\b|anything\b|them\b)\S+"),
    ),
    bare_value=compiled(
        r"^(?:(?:it(?:'s| is| should be| has to be| must be| was| runs on| is on)|that(?:'s| is)|they(?:'re"
        r"| are)|should be|must be|meant|i meant|use|on|in|at|port|version)? ?)(?:actually |always |still "
        r"|called |named |on |in |at |port |the "
        r"|version )*(?P<value>[`'\"]?[\w./:@+#~-]*[\w/#+][`'\"]?(?: [\w.`'-]+){0,3}?)(?:,? (?:and )?(?:not"
        r"|instead of|rather than) (?:on |in |at |port |the "
        r"|version )*(?P<old>[`'\"]?[\w./:@+#~-]*[\w/#+][`'\"]?(?: [\w.`'-]+){0,2}?))?[.!]*$"
    ),
    assent=compiled(
        r"^(?:(?:yes|yep|yup|yeah|ja|right|correct|exactly|precisely|indeed|that's (?:right|correct|it|true"
        r"|exactly (?:it|right))|that is (?:right|correct)|spot on|absolutely|true|bingo|100%|confirmed"
        r"|you got it|exactly right|perfect)[\s,.!]*)+(?:(?:and )?(?:please )?(?:remember (?:that|this|it)"
        r"|keep (?:that|it|this) in mind|note (?:that|it)(?: down)?|save (?:that|it)"
        r"|make a note(?: of (?:that|it))?|for (?:next time|future reference|later))[\s,.!]*(?:please"
        r"|thanks)?\W*)?$"
    ),
    success=compiled(
        r"\b(?:that (?:fixed|did|solved|worked|was) (?:it|the \w+)|works now|it works|works again"
        r"|that worked|that did the trick|fixed it|all green|tests? pass(?:es)?|passing now|solved"
        r"|problem solved|great,? (?:it )?works|that was it|no more errors?)\b"
    ),
    session_only=compiled(
        r"\b(?:for|in|during) (?:this|the current) (?:session|chat|conversation)(?: only)?\b"
        r"|\bjust (?:for )?(?:today|now|this session)\b|\b(?:only )?for today\b|\bonly (?:for )?today\b"
        r"|\bthis session only\b|\buntil (?:the end of (?:the day|this session)|tonight)\b"
        r"|\bfor the rest of (?:the day|this session|today)\b"
    ),
    seasonal=compiled(
        r"\b(?:during|in|at|before|around|throughout|over)(?: the| each| every"
        r"| a)? (?P<season>release[ -](?:week|day|freeze)|code[ -]freeze|end[ -]of[ -](?:the[ -])?(?:sprint"
        r"|month|quarter|year)|month[ -]end|quarter[ -]end|year[ -]end|sprint[ -](?:planning|review|end"
        r"|start)|holiday season|holidays|christmas|black friday|summer|winter|spring|autumn|exam (?:week"
        r"|period|season)|tax season|audit (?:week|season)|on-?call week|launch week|quarter close)\b"
    ),
)
