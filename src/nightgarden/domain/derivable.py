"""Text that can be had again from the code, the history or the terminal, and so is no memory.

Knows the looks of diffs, stack traces, fenced or bare code, history, listings, logs, data and status reports. Does not
judge whether a sentence is true or useful. A sentence that only mentions a path, a command or an error passes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from nightgarden.domain.verdict import Finding, Rule

FENCED_CODE = Rule(id="fenced-code", sentence="it holds a block of code; the code itself is the better source")
DIFF = Rule(id="diff", sentence="it is a diff; the history of the repository keeps it")
STACK_TRACE = Rule(id="stack-trace", sentence="it is a stack trace; write down what was learned from it instead")
GIT_LOG = Rule(id="git-log", sentence="it is output of git; the repository keeps it")
PATH_DUMP = Rule(id="path-dump", sentence="it is a list of paths; the file system keeps it")
STATUS_LINE = Rule(id="status-line", sentence="it reports the state of work, which is over tomorrow")
BARE_CODE = Rule(id="bare-code", sentence="it is code; the code itself is the better source")
COMMAND_OUTPUT = Rule(
    id="command-output", sentence="it is output of a command or a log; write down what it showed instead"
)
DATA_BLOB = Rule(id="data-blob", sentence="it is a piece of data, not a statement")

# "All 214 tests passed, 3 skipped in 12.4s", "2 failed, 40 passed"
_TALLY = re.compile(
    r"\s*(?:all\s)?\d{1,7}\s(?:(?:tests?|specs?|checks?|suites?|examples?)\s)?(?:have\s|has\s)?(?:passed|failed|passing|failing|skipped)\b",
    re.IGNORECASE,
)
_FENCE = re.compile(r"^[ \t>]{0,8}(?:`{3,}|~{3,})", re.MULTILINE)

_DIFF_MARKS = re.compile(
    r"^(?:diff --git \S+ \S+|@@ -\d{1,7}(?:,\d{1,7})? \+\d{1,7}(?:,\d{1,7})? @@|index [0-9a-f]{7,40}\.\.[0-9a-f]{7,40}"
    r"|--- (?:a/|/dev/null)\S*|\+\+\+ (?:b/|/dev/null)\S*|rename (?:from|to) \S+$|similarity index \d+%|Binary"
    r" files .+ differ$)",
    re.MULTILINE,
)
_DIFF_LINE = re.compile(r"^[+-](?![+-]|\s*$)\s*\S.*[;{}()=\[\]:,]\s*$", re.MULTILINE)

_TRACE_HEAD = re.compile(
    r"Traceback \(most recent call last\)|^[ \t]*+Exception in thread \"|^(?:panic|fatal error): .+|^goroutine \d+ \["
    r"|thread '[^'\n]{1,80}' (?:\(\d+\) )?panicked at"
    r"|^Caused by: [\w.$]+|^stack backtrace:|^Unhandled exception(?:\.| at|:)|^={5,} ERROR|^The above exception was"
    r" the direct cause",
    re.MULTILINE,
)
_FRAME = re.compile(
    r"^[ \t]*+(?:File \"[^\"\n]{1,300}\", line \d+|at (?:async )?(?:new )?[\w.$<>\[\]"
    r" ]{1,200}\(?[^()\n]{0,300}:\d+(?::\d+)?\)?|at [\w.$/<>]{1,200}\([\w.$ ]{0,80}(?::\d+)?\)"
    r"|#\d+\s{1,4}(?:0x[0-9a-f]+ in )?\S.{0,200}|\d{1,4}: (?:0x[0-9a-f]+ - )?[\w:<>{}$ ]{3,200}(?:::\w+)?$|(?<=\s)at"
    r" (?:\./|/|[A-Za-z]:\\)\S+:\d+(?::\d+)?"
    r"|\S{1,200}\.(?:go|rs|py|rb|js|ts):\d+(?: \+0x[0-9a-f]+|:in `.{1,100}'|:\d+)|from \S{1,200}:\d+:in )",
    re.MULTILINE,
)
_ERROR_LINE = re.compile(r"^(?:[\w.]{1,120}\.)?[A-Z]\w{0,60}(?:Error|Exception|Warning)(?:: .{0,300})?$", re.MULTILINE)

_GIT_HEAD = re.compile(
    r"^commit [0-9a-f]{7,40}(?: \(.{1,120}\))?$|^Author: .{1,80} <[^<>\s]{0,80}>$|^(?:Author|Commit)?Date:   ?\w{3}"
    r" \w{3} +\d",
    re.MULTILINE,
)
_GIT_LINE = re.compile(
    r"^[*|/\\ ]{0,12}(?=[0-9a-f]{0,39}[0-9])(?=[0-9a-f]{0,39}[a-f])[0-9a-f]{7,40} (?!\w{1,4} is )(?:\(.{1,120}\)"
    r" )?\S.{2,}$",
    re.MULTILINE,
)
_GIT_STATUS = re.compile(
    r"^(?:On branch \S+|Your branch is (?:up to date|ahead|behind)\b.*|Changes (?:not staged|to be committed).*"
    r"|Untracked files:|nothing to commit, working tree clean"
    r"|\t(?:modified|new file|deleted|renamed): +\S+| \d+ files? changed(?:, \d+ insertions?\(\+\))?.*|"
    r" ?[MADRCU?]{1,2} {1,2}[\w./-]+)$",
    re.MULTILINE,
)

_PATH_LINE = re.compile(
    r"^[-*•|│├└─+`\\ \t]*+(?:(?:~|\.{1,2})?/)?+(?:[\w@.+-]++/)++[\w@.+-]*+(?::\d++(?::\d++)?+)?+[ \t]*+$"
    r"|^[ \t]*(?:[A-Za-z]:\\|\\\\)(?:[^\\\n:*?\"<>|]++\\)*+[^\\\n:*?\"<>|]*+$|^[│ \t]*+[├└][─-]{1,3} ?\S+$"
    r"|^[-dl](?:[r-][w-][xsStT-]){3}[.+@]?\s+\d+ .+$|^[ \t]*[\w@.+-]+\.(?:py|ts|tsx|js|jsx|rs|go|java|kt|rb|c|h|cpp"
    r"|cs|php|swift|md|json|ya?ml|toml|sql|sh|css|html)[ \t]*$",
    re.MULTILINE,
)

# Reports begin with their label, or with a participle and then a thing in the code. "Fixed costs are ..." and
# "Updated prices apply ..." begin alike but go on with a verb of their own, and so are statements.
_LABEL = re.compile(
    r"^\s*(?:[*_#>-]{1,4}\s*)?(?:\*\*)?(?:status(?: update| report)?|progress(?: update| report)?|(?:session |work "
    r"|task )?summary(?: of (?:changes|work|the session))?|current (?:status|state|task|focus)|next steps?|todo"
    r"|to-do|wip|done|completed"
    r"|in progress|remaining(?: work| tasks)?|what (?:i did|was done|changed)|changes made|recap"
    r"|handoff)(?:\*\*)?\s*(?::|[–—]|-\s)",
    re.IGNORECASE,
)
_DOING = re.compile(
    r"^\s*(?:(?:i(?:'m| am)|we(?:'re| are)|now|currently|still|just|today|next)[, ]+(?:\w+ )?)?(?:working on|looking"
    r" (?:into|at)|investigating|debugging|implementing|refactoring|fixing|writing|adding|running the|continuing(?:"
    r" with)?|going to|about to|starting(?: on| with)?|finishing)\s+"
    r"(?!(?:costs?|is|are|was|were|tests? (?:is|are|first|before)|code is|software)\b)",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"^\s*(?:(?:i(?:'ve| have)?|we(?:'ve| have)?|successfully|just|also|now|already)[, ]+(?:just |also |now "
    r"|successfully )?)?"
    r"(?:implemented|fixed|updated|changed|added|removed|refactored|renamed|created|moved|completed|finished"
    r"|deleted|merged|committed|pushed|deployed|resolved|rewrote|wrote|cleaned up|bumped|migrated|installed"
    r"|configured|verified|reviewed|tested|reverted|rebased|closed|opened)\s+(?P<rest>.+)",
    re.IGNORECASE | re.DOTALL,
)
# "We moved to PostgreSQL 16" and "we moved billing from port 4100 to 4137" tell what holds from now on, not what was
# worked on. What went from one file to another is in the history.
_NEW_STATE = re.compile(
    r"^\s*(?:(?:i|we)(?:'ve| have)? )?(?:just |now |finally |recently )?(?:(?:moved|migrated|switched|changed)"
    r"(?: over)?(?: from \S+(?: \S+)?)? to\b"
    r"|(?:moved|migrated|switched|changed|renamed|updated|bumped) (?:(?!(?:to|from)\b)\S+ ){1,8}"
    r"from (?!\S*(?:/|\.[a-z]{1,4}\b|\(\)|`))(?:(?!to\b)\S+ ){1,4}to (?!\S*(?:/|\.[a-z]{1,4}\b|\(\)|`))\S)"
    r"|^\s*we(?:'ve| have)? (?:just |now |finally |recently )?(?:bumped|updated|upgraded|moved) (?:(?!to\b)\S+ ){1,5}"
    r"to (?:version |v)?\d"
    # "we renamed the main package to coinbook": not a thing in the code, but what others know it by
    r"|^\s*we(?:'ve| have)? (?:just |now |finally |recently )?renamed (?:the|our) (?:[\w'-]+ ){0,3}?(?:package|project"
    r"|repo(?:sitory)?|service|app|product|branch|channel|server|host|bucket|database|cluster|team|namespace|library"
    r"|environment|workspace|domain|site|crate|gem|cli) (?:from \S+ )?to [^\s/()`]+[.!]?\s*$"
    # "we moved the docs to Notion": somewhere with a name
    r"|^\s*we(?:'ve| have)? (?:just |now |finally |recently )?(?:moved|migrated|switched) (?:(?!to\b)[\w'-]+ ){1,5}"
    r"(?:over )?to (?-i:(?!\w+(?:Service|Handler|Controller|Factory|Utils?|Helpers?|Manager|Tests?|Client|Parser|View"
    r"|Model)\b)"
    r"[A-Z][a-z]\w*(?:\.(?:io|com|dev|app))?(?![\w/.(`]|\.\w))",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|be|been|apply|applies|has|have|must|should|shall|will|would|could|can|cannot|may|might"
    r"|need|needs|do|does|cause|causes|use|uses|go|goes|cost|costs|contain|contains|remain|remains|live|lives|come"
    r"|comes|work|works|make|makes|get|gets|start|starts|expire|expires|break|breaks"
    r"|allows?|saves?|takes?|helps?|requires?|means?|gives?|keeps?|leads?|prevents?|avoids?|improves?|because|since"
    r"|so that|whenever|always|never|instead of|rather than|after we|due to)\b",
    re.IGNORECASE,
)
_CODE_THING = re.compile(
    r"\b(?:bugs?|issues?|tests?|functions?|class(?:es)?|modules?|endpoints?|files?|typos?|imports?|dependenc(?:y"
    r"|ies)|migrations?|components?|handlers?|methods?|configs?|configuration|readme|docs?|documentation|lint\w*"
    r"|types?|schemas?|features?|buttons?|pages?|routes?|apis?|parsers?"
    r"|scripts?|pipelines?|ci|builds?|prs?|branch(?:es)?|commits?|changes|changelog|code|logic|validation|support"
    r"|login|errors?|crash(?:es)?|regressions?|flags?|dockerfile|packages?|queries|query|tables?|fields?|columns?"
    r"|services?|workers?|hooks?|caching|cache|logging|auth\w*)\b|`|\w\.\w{1,4}\b|\w_\w|[a-z][A-Z]|\(\)|#\d|/",
)

_PROMPT_LINE = re.compile(r"^\s*(?:\$|❯|➜|>>>|PS [A-Z]:\\[^>\n]*>|[\w.-]+@[\w.-]+[: ][^\n$#]{0,80}[$#]) +\S")
_LOG_LINE = re.compile(
    r"^\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d(?::\d\d)?\S*|\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]?|\w{3} [ \d]\d"
    r" \d\d:\d\d:\d\d \S+|\[(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\]"
    r"|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL)[: ]+[\w.\[]|(?:npm|yarn|pnpm) (?:ERR!|WARN|warn"
    r"|notice)|\[\d+/\d+\] |level=(?:info|warn|error|debug)\b|E\d{4} |W\d{4} |I\d{4} )",
)
_TEST_LINE = re.compile(
    r"^\s*(?:={3,} .*(?:test session|passed|failed|error|FAILURES|short test summary|warnings).*={3,}"
    r"|\S+\.py(?:::\S+)? (?:PASSED|FAILED|ERROR|SKIPPED|[.FEsx]{2,}).*|(?:FAILED|PASSED|ERROR) \S+::\S+.*|(?:✓|✔|✗|✘"
    r"|✕|×|√|○) \S.*|(?:PASS|FAIL)\s+\S+\.\S+.*"
    r"|test \S+ \.\.\. (?:ok|FAILED|ignored)|test result: (?:ok|FAILED)\..*|--- (?:PASS|FAIL|SKIP): \S+.*|(?:ok|FAIL"
    r"|\?)\s+\S+/\S+\s+(?:\d+\.\d+s|\(cached\)).*|Tests?:\s+\d+ (?:passed|failed).*|Test Suites: .*|\d+ (?:passed"
    r"|failed)(?:, \d+ \w+)* in \d+(?:\.\d+)?s.*"
    r"|Ran \d+ tests? in .*|OK|FAILED \(.*\)|running \d+ tests?|collected \d+ items.*|rootdir: .*)$",
)
_OUTPUT_LINE = re.compile(
    r"^\s*(?:Compiling \S+ v\d.*|Finished (?:dev|release|test|`).* in .*|Downloading \S+.*|Requirement already"
    r" satisfied: .*|Collecting \S+|Successfully installed .*|added \d+ packages.*|found \d+ vulnerabilities.*|Step"
    r" \d+/\d+ : .*|---> [0-9a-f]{12}"
    r"|#\d+ (?:\[.*\]|\d+\.\d+|DONE|CACHED).*|remote: .*|To (?:github|gitlab|https?|git@)\S+|make(?:\[\d+\])?: .*"
    r"|\S+:\d+:\d+: (?:error|warning|note): .*|error(?:\[E\d+\])?: .*|warning: .*|\s*-->\s\S+:\d+:\d+|Found \d+"
    r" errors?.*|exit (?:code|status):? \d+|NAME\s+READY\s+STATUS.*|CONTAINER ID\s+IMAGE.*|total \d+)$",
)

_CODE_LINE = re.compile(
    r"^\s*(?:(?:async )?def \w+\(.*|class \w+(?:\(.*\))?\s*[:{].*|(?:from [\w.]+ )?import [\w.{}*, ]+(?: from .+| as"
    r" \w+)?;?|(?:export )?(?:default )?(?:async )?function\*? ?\w*\(.*|(?:export )?(?:const|let|var) [\w{},\[\]"
    r" :<>]+ ?=.*|(?:pub(?:\(\w+\))? )?(?:fn|struct|enum|impl|mod|trait|use) \S.*[{;(].*"
    r"|func (?:\(\w+ \*?\w+\) )?\w+\(.*|(?:public|private|protected|static|final|abstract|override)(?:"
    r" \w[\w<>\[\]]*)+ ?[({=;].*|#include [<\"].*|package [\w.]+;?|using [\w.]+;|namespace [\w.\\]+;?"
    r"|@\w+(?:\(.*\))?|return\b[^.]*[;)\]}]|return \w+(?: [^\w\s]{1,3} \w+)*|(?:if|for|while|elif|switch|catch)"
    r" ?\(.*\) ?\{?|(?:if|for|while|elif|with|try|except|else|finally)\b[^.]*:$"
    r"|\} ?(?:else|catch|finally)?.*\{?|[})\]]+[;,]?|\w[\w.\[\]'\"]* ?(?:[-+*/|&]|\|\||\?\?)?="
    r" ?[^=\s].*[;)\]}'\"0-9]|\w[\w.:>-]*\(.*\);?|[\w.]+\(.*\)(?: ?=> ?\{)?;?|.*[;{]|.*=> ?[{(]|//.*|/\*.*|\*/"
    r"|SELECT .+ FROM .+|(?:INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE|ALTER TABLE) .+|<\/?\w+[^>]*>.*|\w+:"
    r" .+[,;])\s*$",
)


def _is_diff(text: str) -> bool:
    marks = len(_DIFF_MARKS.findall(text))
    return marks >= 2 or (marks == 1 and len(_DIFF_LINE.findall(text)) >= 1) or _has_hunk(text)


def _has_hunk(text: str) -> bool:
    signs = {match[0][0] for match in _DIFF_LINE.finditer(text)}
    return signs == {"+", "-"} and len(_DIFF_LINE.findall(text)) >= 3


def _is_stack_trace(text: str) -> bool:
    frames = len(_FRAME.findall(text))
    heads = len(_TRACE_HEAD.findall(text))
    errors = len(_ERROR_LINE.findall(text))
    return (
        frames >= 2
        or (heads >= 1 and (frames + errors >= 1 or "\n" in text))
        or "Traceback (most recent" in text
        or (errors >= 2 or (errors >= 1 and frames >= 1))
    )


def _is_git_log(text: str) -> bool:
    heads = len(_GIT_HEAD.findall(text))
    lines = len(_GIT_LINE.findall(text))
    return (
        heads >= 2
        or (heads == 1 and text.lstrip().startswith("commit "))
        or lines >= 2
        or len(_GIT_STATUS.findall(text)) >= 2
        or (
            lines == 1
            and "\n" not in text.strip()
            and re.match(
                r"\s*[0-9a-f]{7,40} (?:feat|fix|chore|docs|test|refactor|perf|ci|build|style|revert|Merge)\b", text
            )
            is not None
        )
    )


def _is_path_dump(text: str) -> bool:
    return len(_PATH_LINE.findall(text)) >= 3


def is_status(text: str) -> bool:
    """Whether a text reports what was done or is being done, in one go and without a statement that lasts."""
    if _LABEL.match(text) or _TALLY.match(text):
        return True
    first = re.split(r"(?<=[.!?])\s|\n", text.strip(), maxsplit=1)[0]
    doing = _DOING.match(first)
    if doing is not None:
        bare = first.lower().startswith(("working on", "currently working on"))
        return _FINITE.search(first, doing.end()) is None and (
            bare or _CODE_THING.search(first, doing.end()) is not None
        )
    done = _DONE.match(first)
    if done is None or _NEW_STATE.match(first):
        return False
    return _FINITE.search(done["rest"]) is None and _CODE_THING.search(done["rest"]) is not None


def _share(text: str, shape: re.Pattern[str]) -> tuple[int, int]:
    lines = [line for line in text.splitlines() if line.strip()]
    return sum(1 for line in lines if shape.match(line[:600])), len(lines)


def _is_output(text: str) -> bool:
    for shape, alone in ((_LOG_LINE, 2), (_TEST_LINE, 2), (_OUTPUT_LINE, 2)):
        hits, lines = _share(text, shape)
        if hits >= alone and hits * 2 >= lines:
            return True
    hits, lines = _share(text, _PROMPT_LINE)
    if hits and lines >= 2 and _PROMPT_LINE.match(text.strip()[:600]):
        return True
    single = text.strip()
    return (
        "\n" not in single
        and len(single) < 600
        and re.match(r"(?:={3,} .*(?:passed|failed).* ={3,}|test result: (?:ok|FAILED)\. \d+ passed)", single)
        is not None
    )


def _is_code(text: str) -> bool:
    hits, lines = _share(text, _CODE_LINE)
    if lines >= 2:
        return hits >= 2 and hits * 10 >= lines * 7
    single = text.strip()
    return lines == 1 and len(single) < 2000 and _ONE_LINER.match(single) is not None


_ONE_LINER = re.compile(
    r"(?:(?:async )?def \w+\((?>.*?\))(?>.*?:).*|(?:export )?(?:const|let|var) \w+(?:: ?[\w<>\[\]]+)? ?= ?.+;"
    r"|import [\w{}, *]+ from ['\"].+['\"];?|from [\w.]+ import [\w, ()*]+"
    r"|(?:public|private|protected) [\w<>\[\] ]++\((?>.*?\) ?\{).*"
    r"|function \w+\((?>.*?\) ?\{).*|#include [<\"].+[>\"]|func \w+\((?>.*?\))(?>.*?\{).*|fn \w+\((?>.*?\))(?>.*?\{).*"
    r"|class \w+(?:\(.*\)| extends \w+)? ?[:{].*|SELECT (?>.+? FROM \w).*;|(?:INSERT INTO|UPDATE|DELETE FROM|CREATE"
    r" TABLE) .+;|[\w.]+\([^()]*\);|<\w++[^>]*+>.*</\w++>|if ?\((?>.+?\) ?\{).*\})$",
    re.DOTALL,
)


def _is_blob(text: str) -> bool:
    plain = text.strip()
    if len(plain) >= 2 and plain[0] in "{[" and plain[-1] in "}]":
        try:
            value = json.loads(plain)
        except (ValueError, RecursionError):
            return len(re.findall(r"(?<!\w)\w++[\"']?\s?:\s?[\"'\d\[{tfn]", plain[:20_000])) >= 3 and plain[0] == "{"
        return isinstance(value, dict | list) and len(value) > 0
    lines = [line for line in plain.splitlines() if line.strip()]
    for separator in (",", "\t", ";", "|"):
        counts = {line.count(separator) for line in lines}
        if (
            len(lines) >= 3
            and len(counts) == 1
            and counts.pop() >= 2
            and (separator != "," or not any(", " in line for line in lines))
        ):
            return True
    # One long run without spaces: base 64, a minified file, a dump.
    return len(plain) >= 200 and re.search(r"\s", plain) is None and plain.isascii() and not plain.startswith("http")


_CHECKS: tuple[tuple[Rule, str, Callable[[str], bool]], ...] = (
    (FENCED_CODE, "fenced code", lambda text: _FENCE.search(text) is not None),
    (DIFF, "diff", _is_diff),
    (STACK_TRACE, "stack trace", _is_stack_trace),
    (GIT_LOG, "git output", _is_git_log),
    (PATH_DUMP, "list of paths", _is_path_dump),
    (DATA_BLOB, "data", _is_blob),
    (COMMAND_OUTPUT, "output", _is_output),
    (BARE_CODE, "code", _is_code),
    (STATUS_LINE, "status", is_status),
)
DERIVABLE_RULES: tuple[Rule, ...] = tuple(rule for rule, _, _ in _CHECKS)


def find_derivable(text: str) -> tuple[Finding, ...]:
    """Which of the looks above a text has. Each finding covers the whole text: no part of it is worth keeping."""
    return tuple(
        Finding(rule=rule, start=0, end=len(text), what=what) for rule, what, looks_so in _CHECKS if looks_so(text)
    )
