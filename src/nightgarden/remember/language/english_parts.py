"""English word groups that the English cues are built from."""

from __future__ import annotations

from nightgarden.remember.language.lexicon import one_of, words

PLEASE = r"(?:please,? |pls |plz |kindly )?"
LEAD = r"(?:(?:and|also|but|so|then|again)\b,? )?" + PLEASE

# Simple present after "we" or "I" tells a habit, except with verbs of thinking, wishing and being able.
NOT_HABITS = words(
    """think thought guess believe know knew hope want wanted wish need needed have had has was were am are is can could
    may might must should would will shall get got see saw feel felt mean meant wonder seem forgot lost tried try just
    only really still now then also all don't do did didn't can't couldn't won't wouldn't shouldn't haven't aren't
    weren't isn't wasn't hadn't find found made ran went came started broke missed said told asked talked discussed
    looked noticed understand appreciate love like hate agree disagree suppose suggest propose doubt remember recall
    assume expect look run fixed pushed merged changed updated added removed shipped deployed introduced spent pulled
    cannot gotta wanna ain't hit keep better or and sorry again finally literally ever even kinda basically not"""
)
HABIT_VERBS = words(
    """use run deploy ship release write name call put store keep host build test lint format commit merge squash rebase
    tag version branch log track document review follow require support target pin vendor generate publish serve
    develop work live code prefix suffix group sort order import export mock stub freeze rotate back monitor alert
    page schedule cache shard index encrypt sign validate parse avoid forbid ban allow prefer stick rely depend treat
    represent return raise throw handle wrap expose mount bind listen connect sync mirror proxy route escalate hand
    bill charge invoice meet sync plan estimate label triage close open split separate structure organise organize
    keep localise localize translate ask assign pair rotate share own maintain manage report measure charge sell offer
    squash-merge self-host hand-roll cherry-pick dogfood indent spell capitalize pass send""",
)
ADVERB = words(
    "always never usually normally typically generally only strictly still mostly deliberately intentionally"
)

ARTIFACTS = words(
    r"""
    commits? commit\s+messages? branch(?:es)? branch\s+names? tests? unit\s+tests? integration\s+tests?
    test\s+files? docs? documentation comments? code\s+comments? docstrings? variables? variable\s+names?
    functions? function\s+names? class(?:es)? migrations? prs? pull\s+requests? pr\s+descriptions? logs?
    log\s+messages? dates? timestamps? errors? error\s+messages? exceptions? answers? replies responses?
    explanations? summar(?:y|ies) names? types? type\s+hints? imports? endpoints? routes? tables? columns?
    fixtures? modules? packages? dependencies configs? settings? secrets? feature\s+flags? flags? releases?
    changelogs? components? styles? strings? labels? headings? code\s+examples? examples? scripts? queries
    files? file\s+names? filenames? identifiers? constants? amounts? prices? money ids? urls? features? changes?
    tickets? issues? bugs? hotfix(?:es)? deploys? deployments? backups? titles? texts? translations? diagrams?
    messages? emails? code numbers? plots? charts? tables? units? notebooks? snapshots?
"""
)

# A bare plural speaks of all of its kind: "deploys only happen …", "errors are returned as …".
ALL_OF_A_KIND = (
    r"(?!\S*(?-i:[a-z][A-Z])|\S*_|\S*\()"
    r"(?!(?:things|results|numbers|yes|thanks|these|those|this|its|it's|that's|there's|let's|what's"
    r"|here's|who's|is|was|has|does|looks|seems|works|always|us|guys|folks|"
    r"users|tests pass|tests fail|sometimes|perhaps|others|as|plus|versus|minutes|hours|days|lots|tons"
    r"|changes|congrats|cheers|unless|regardless|besides)\b)"
    r"(?:(?!the\b|a\b|an\b|i\b|you\b|it\b|this\b|that\b|my\b|your\b|there\b|if\b|when\b|some\b|most\b"
    r"|many\b|few\b|these\b|those\b|of\b|is\b|and\b)[\w`'/+-]+ ){0,2}[\w`/+-]*[a-z]s"
    r" (?:(?:always|never|only|usually|normally) \w+|(?:must|should|shall|need to|have to|may only"
    r"|can only|cannot|stay|go|goes|get|live|belong|start|end|follow|happen|run|come|need)"
    r"(?! (?:work|fail|pass|missing|wrong|on and on|there)\b) \w+|are (?:always |never |only "
    r"|all )?(?:\w+ed|written|kept|built|run|sent|shown|drawn|sorted|done|made|read-only|mandatory"
    r"|required|forbidden|case-sensitive)"
    r" (?:as|in|with|by|to|under|on|via|through|from|at|every|before|after|into|using|for|only|once|per"
    r"|and)\b|are [\w-]+ed, not\b)"
)

# What an environment is made of. A statement about one of these, with a lasting verb, is worth keeping.
ENVIRONMENT = words(
    r"""
    staging production prod dev qa uat sandbox environment env db database databases server servers api apis
    service services backend frontend gateway proxy cluster clusters ci pipeline pipelines runner runners repo
    repos repository monorepo cron job jobs worker workers queue queues bucket buckets cache redis postgres
    postgresql mysql mongo kafka rabbitmq nginx registry vpn dashboard dashboards grafana kibana sentry jira
    board wiki docs documentation domain dns certificate certificates cert certs license licence tenant tenants
    customer customers client clients team teams company office branch branches main master deploy deploys
    deployment deployments release releases sprint sprints standup retro app apps application website site cli
    sdk bot website portal instance instances machine machines laptop box host hosts vm vms container containers
    lambda function\s+app topic topics schema schemas warehouse lake table tables index indexes backup backups
    snapshots log logs logging metrics alerts on-call oncall rotation budget limit limits quota timeout
    rate\s+limit port ports endpoint endpoints webhook webhooks webapp package packages module library project
    projects codebase product data dataset datasets model models secrets config configs configuration settings
    migrations tests suite e2e maintainer owner lead contact tickets issues translations assets uploads sessions
    users accounts billing payments invoices scheduler broker firewall subnet region zone mirror printer monitor
    keyboard router nas scripts notebooks folder directory channel group deadline demo contract sla freeze
    window budget feed importer exporter import export report crawler parser firmware device devices sensor
    sensors broker store storage volume volumes drive imports exports reports endpoint build builds artifacts
    artefacts
"""
)
LASTING_VERBS = one_of(
    r"(?:runs?|lives?|sits?|is hosted|are hosted|is deployed|are deployed|is running|resides?) (?:on|in"
    r"|at|under|behind|inside|with|by|via|against|from|every|at|as|off)\b",
    r"listens? (?:on|to|at)\b",
    r"(?:is|are) (?:called|named|owned|maintained|managed|run|written|built|based|located|stored|kept"
    r"|generated|served|configured|pinned|capped|limited|restricted|mounted|exposed|backed|replicated"
    r"|signed|licensed|versioned|defined|documented|protected|read-only|rotated|refreshed|scheduled"
    r"|synced|billed|encrypted|locked|frozen|shared|split|partitioned|deprecated|behind|in charge"
    r"|responsible|available|reachable|only)\b",
    r"points? (?:to|at)\b",
    r"(?:uses?|requires?|needs?(?! to\b| a (?:rebase|fix|review|restart|second|look|break)\b)|expects?"
    r"|supports?|targets?|speaks?|allows?|accepts?|rejects?|exposes?|contains?|stores?|holds?|keeps?"
    r"|handles?|owns?|depends? on|relies on|rely on|talks? to|connects? to|reads? from|writes? to"
    r"|subscribes? to|publishes? to|deploys? to|deploys? from|builds? from|expires?|rotates?"
    r"|rolls? over|refresh(?:es)?|resets?|starts? (?:at|on|with|every)|ends? (?:at|on)|happens?"
    r"|takes? place|goes? (?:out|to|through|via|live)|go (?:out|to|through|via)|lands? (?:in|on)"
    r"|comes? from|belongs? to|follows?|maps? to|mirrors?|times? out|retries|retry|caps?|is set to"
    r"|are set to|syncs?|has(?! (?:to|been|no idea)\b)|have(?! (?:to|been)\b)|ships?|authenticates?"
    r"|logs? to|mounts?|defaults? to|assumes?|serves?|backs? up|scales?|(?:closes?|opens?) (?:at|on"
    r"|every)|meets?|ends? in"
    r"|starts? with)\b",
    r"(?:can only|cannot|can't|must|must not|may not|may only|has to|have to|may|can|only) (?!pass\b"
    r"|work\b|compile\b|be (?:restarted|rebuilt|rerun|merged|deployed|fixed|done|finished|updated"
    r"|changed back|reverted|redone|checked|removed|renamed|done|improved|better|faster|a |an |the )"
    r"|go |wait|do )\w+",
    r"(?:is|are) (?:always |still |only )?(?:on|at|in|under|behind|via|from|through|for)\b",
    r"(?:is|are) (?:v?\d|`|/|~|[a-z0-9.-]+\.[a-z]{2,}\b|port\b|python\b|node\b|postgres|mysql|sqlite"
    r"|ubuntu|debian|a monorepo|an? \w+ (?:app|service|cluster|box|server|instance|repo|project"
    r"|monolith|fork))",
)
PEOPLE = words(
    r"""
    lead leads leader boss manager cto ceo cfo coo vp director designer dba sre architect founder cofounder
    intern analyst developer engineer accountant teammate colleague coworker co-worker contractor freelancer
    consultant admin administrator owner maintainer reviewer contact counterpart mentor supervisor professor
    advisor student client customer partner wife husband girlfriend boyfriend daughter son kid kids sister
    brother mother father mom dad dog cat scientist tester head chief officer responsible hr recruiter sponsor
    stakeholder vendor landlord tester pm po product\s+owner product\s+manager project\s+manager scrum\s+master
    team\s+lead tech\s+lead data\s+scientist researcher teacher doctor nurse lawyer writer editor translator
    security\s+officer on-call accountant tax\s+advisor
"""
)
STATES = words(
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
GENERIC_STYLE = words(
    """short brief concise terse simple minimal small focused succinct crisp tight compact plain formal informal direct
    technical detailed verbose lowercase uppercase alphabetical alphabetised sorted flat"""
)
