"""Whether a rule that the user stated ("never force-push") speaks against an action, and how surely. Pure.

A rule stops what it surely means: a command of that meaning,
    or an edit of a file it names. Where it may be meant (one bare
word, a condition or place that is not seen in the action) it only warns. What merely reads is never against a rule.
"""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import IntEnum
from functools import lru_cache

from nightgarden.domain.memory import Memory
from nightgarden.domain.text import terms
from nightgarden.domain.trigger_expression import Unreadable, expression_of
from nightgarden.recall.triggers import fire, patterns_of
from nightgarden.safety.command_reading import UNKNOWN, Command, CommandReading, Edit, GitAct
from nightgarden.safety.read_command import read_command
from nightgarden.safety.tools.starters import KNOWN

_FORCE = re.compile(r"\bforce[- ]?push|\bpush(?:es|ing)?\b[^.;]{0,20}(?:--force|-f\b|\bforce)", re.IGNORECASE)
_LEASE_IS_FINE = re.compile(
    r"\b(?:use|only|prefer|but|except|unless|without)\b[^.;]{0,30}\b(?:with[- ]lease|lease)", re.IGNORECASE
)
_PUSH, _COMMIT = re.compile(r"\bpush(?:es|ing)?\b", re.IGNORECASE), re.compile(r"\bcommit(?:s|ting)?\b", re.IGNORECASE)
_BRANCH = re.compile(
    r"\b(?:to|on|onto|into|against)\s+(?:the\s+)?[`'\"]?((?:(?:origin/)?(?:main|master|develop|dev|trunk|production|prod"
    r"|staging|release\S{0,40}|gh-pages)\b[`'\"]?(?:\s*(?:,|or|and)\s*)?){1,4})",
    re.IGNORECASE,
)
_AMEND = re.compile(r"\bamend", re.IGNORECASE)
_REBASE = re.compile(r"\brebas", re.IGNORECASE)
_HOOKS = re.compile(
    r"no[- ]verify|\b(?:skip|bypass|disabl|circumvent|ignor|evad|avoid|turn\w{0,3} off)\w*\b[^.;]{0,30}\bhooks?\b"
    r"|\bhooks?\b[^.;]{0,30}\b(?:skipp|bypass|disabl|turned off)",
    re.IGNORECASE,
)
_DELETING = re.compile(
    r"\b(?:delet|remov|eras|wip|trash)\w{0,6}\s+(?:(?:anything|files|things)\s+(?:in|from|under)\s+)?(?:the\s+|our\s+)?"
    r"[`'\"]?([\w./-]{2,60})[`'\"]?\s+(?:folder|directory|dir\b|file)",
    re.IGNORECASE,
)
_PUBLISHING = re.compile(r"\bpublish\w{0,4}\b(?:[^.;]{0,30}\bto\s+([\w.-]{2,40}))?", re.IGNORECASE)
_SHARED = re.compile(r"\b(?:shared|public|published|pushed|protected|common|others?)\b", re.IGNORECASE)
_SHARED_BRANCHES = frozenset({"main", "master", "develop", "trunk", "production", "staging", "release*"})
_EDITING = re.compile(
    r"\b(?:edit|touch|modif|chang|writ|delet|remov|overwrit|alter|renam|mov|format|creat|bearbeit|änder|lösch|anfass"
    r"|touche|supprim|borr|toque|cambi)\w*",
    re.IGNORECASE,
)
_COMMITTING = re.compile(r"\b(?:commit|check(?:ing)? in|stag(?:e|ing)|push|git add)\w*", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:without|unless|except|until|before|after|when|while|if|during|on "
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"\b(?:in|on|to|at|against|under|inside|from|into|onto)\s+((?:[\w./*-]++\s*){1,4})", re.IGNORECASE)
_CLAUSE = re.compile(r"[;,](?:\s|$)|[.!](?:\s|$)|\bbecause\b|\binstead\b|\s[-–—]\s")
_FILLER = re.compile(r"(?<!\s)\s++(?:here|there|anymore|again|directly|ever|anywhere|please)\Z", re.IGNORECASE)
_USING = re.compile(r"\b(?:use|using|run|running|call|calling|invoke|start)\s+([\w.`'\"-]{2,40})", re.IGNORECASE)
_GENERIC = frozenset(
    "the our a an any all this that these my your folder directory branch server environment env cluster database "
    "db repo "
    "repository file files machine project code here anything everything ever own shell terminal command line "
    "script scripts "
    "it place stead purpose general".split()
)


class Weight(IntEnum):
    """How surely a rule is against an action."""

    FINE = 0  # it is about such actions, and not against this one
    WARNS = 1
    STOPS = 2


def judge(memory: Memory, reading: CommandReading, *, branch: str = "") -> Weight | None:
    """What the rule says to the action; `branch` is the one that is checked out, if that is known."""
    found = [_command(memory, command, branch) for command in reading.commands if not command.reads_only]
    found += [_edit(memory, edit) for edit in reading.edits]
    return max((weight for weight in found if weight is not None), default=None)


# -- commands ------------------------------------------------------------------------------------------------------
def _command(memory: Memory, command: Command, branch: str) -> Weight | None:
    by_meaning = _by_meaning(memory.content, command, branch)
    if by_meaning is not None:
        return by_meaning if by_meaning is not Weight.FINE else None
    weights = [_by_pattern(memory, pattern, command) for pattern in patterns_of(memory)]
    weights += [_text_weight(memory, command.text, "")] if command.text and command.writes else []
    return max((weight for weight in weights if weight is not None), default=None)


def _by_meaning(rule: str, command: Command, branch: str) -> Weight | None:
    """For rules about pushes and commits: a weight; None when the rule is about something else."""
    act = command.git
    named = _branches(rule)
    if _FORCE.search(rule):
        if act is None or act.verb != "push":
            return None if act is None else Weight.FINE
        if not act.force or (act.lease and _LEASE_IS_FINE.search(rule)):
            return Weight.FINE if not command.unknown else Weight.WARNS
        return _at_branches(named, _targets(command, branch))
    if act is not None and act.verb == "push" and _PUSH.search(rule) and named:
        return _at_branches(named, _targets(command, branch))
    if act is not None and act.verb == "commit" and _COMMIT.search(rule) and named:
        return _at_branches(named, (branch,))
    return _by_manner(rule, act, branch) if act is not None else _by_deed(rule, command)


def _by_manner(rule: str, act: GitAct, branch: str) -> Weight | None:
    """For rules about amending, rebasing and leaving out hooks. One under a condition only warns."""
    surely = Weight.WARNS if _CONDITION.search(rule) else Weight.STOPS
    if act.skips_hooks and _HOOKS.search(rule):
        return surely
    if act.verb == "commit" and _AMEND.search(rule):
        if not act.rewrites:
            return Weight.FINE  # "don't amend commits" is not about commits
        return Weight.WARNS if _SHARED.search(rule) else surely
    if act.verb == "rebase" and _REBASE.search(rule):
        if not act.rewrites:
            return Weight.FINE
        return min(surely, _at_branches(_SHARED_BRANCHES, (branch,))) if _SHARED.search(rule) else surely
    return None


def _by_deed(rule: str, command: Command) -> Weight | None:
    """For rules about deleting a folder ("never delete the data folder") and publishing."""
    surely = Weight.WARNS if _CONDITION.search(rule) else Weight.STOPS
    for match in _DELETING.finditer(rule):
        if match[1].lower() not in _GENERIC and any(_is_under(path, match[1]) for path in command.deletes):
            return surely
    if "publish" in command.words[1:3] and (found := _PUBLISHING.search(rule)):
        where = (found[1] or "").lower()
        return surely if not where or where in (command.program, "registry", "production") else Weight.WARNS
    return None


def _targets(command: Command, branch: str) -> tuple[str, ...]:
    targets = command.git.branches if command.git is not None else ()
    return tuple(target or branch for target in targets) or (branch,)


def _at_branches(named: frozenset[str], targets: Sequence[str]) -> Weight:
    """A rule about certain branches stops these, warns where the branch is not known, and leaves others alone."""
    if not named or any(target == "*" or target in named for target in targets):
        return Weight.STOPS
    if any(any(fnmatch.fnmatchcase(target, name) for name in named) for target in targets):
        return Weight.STOPS
    return Weight.WARNS if any(not target or UNKNOWN in target for target in targets) else Weight.FINE


@lru_cache(maxsize=1024)
def _branches(rule: str) -> frozenset[str]:
    found = (word for match in _BRANCH.finditer(rule) for word in re.split(r"[\s,`'\"]+", match[1]))
    names = {word.removeprefix("origin/").rstrip(".;:!").lower() for word in found} - {"", "or", "and"}
    return frozenset(f"{name}*" if name in ("release", "releases") else name for name in names)


def _by_pattern(memory: Memory, pattern: str, command: Command) -> Weight | None:
    pattern = _FILLER.sub("", pattern)
    rule = memory.content
    if _is_expression(pattern):
        return Weight.STOPS if fire([_only(memory, pattern)], " ".join(_words(command))) else None
    if _is_path(pattern) and (_EDITING.search(rule) or _COMMITTING.search(rule)):
        return _paths(rule, pattern, command.writes, command.deletes, command)
    if len(pattern.split()) < 2:
        if not _has_word(pattern, command):
            return None
        names = pattern.lower() in (command.program, *command.via) and _uses(rule, pattern)
        return Weight.STOPS if names and _place_is_met(rule, pattern, command) else Weight.WARNS
    if not _means(memory, pattern, command):
        return None
    return Weight.STOPS if _place_is_met(rule, pattern, command) else Weight.WARNS


def _uses(rule: str, pattern: str) -> bool:
    """Whether the rule speaks of using this very program: "don't use npm here"."""
    return any(word.lower() == pattern.lower() for match in _USING.finditer(rule) for word in (match[1].strip("`'\""),))


def _paths(
    rule: str, pattern: str, writes: Iterable[str], deletes: Iterable[str], command: Command | None
) -> Weight | None:
    if not _EDITING.search(rule):
        added = command.reads if command is not None and command.git and command.git.verb in ("add", "stage") else ()
        return Weight.STOPS if any(_is_under(path, pattern) for path in added) else None
    return Weight.STOPS if any(_is_under(path, pattern) for path in (*writes, *deletes)) else None


def _words(command: Command) -> tuple[str, ...]:
    """The words that a pattern may match: messages of commits are not commands."""
    if command.git is not None and command.git.verb in ("commit", "tag", "notes"):
        return (*command.words[:2], *sorted(f"--{option}" for option in command.options))
    return command.words


def _has_word(pattern: str, command: Command) -> bool:
    bare = pattern.lstrip("-").lower()
    if pattern.startswith("-"):
        return bare in command.options or pattern in _words(command)
    mine = {command.program, *command.via, *(word.lower() for word in _words(command)[1:3])}
    return bare in mine or any(
        _is_under(path, pattern) for path in (*command.writes, *command.deletes) if _is_path(pattern)
    )


def _means(memory: Memory, pattern: str, command: Command) -> bool:
    """Whether the command is the one that the pattern names: the same program, options and words, in whatever "
    "spelling."""
    wanted = _as_command(pattern)
    if wanted is not None and wanted.program == command.program and wanted.options:
        same = wanted.git.verb == command.git.verb if wanted.git and command.git else wanted.git is command.git
        if same and wanted.options <= command.options and _has_operands(wanted, command):
            return True
    return bool(fire([_only(memory, pattern)], " ".join(_words(command))))


def _has_operands(wanted: Command, command: Command) -> bool:
    spoken = {word.lower() for word in command.words}
    return all(word.lower() in spoken for word in wanted.words[1:] if not word.startswith("-"))


@lru_cache(maxsize=1024)
def _as_command(pattern: str) -> Command | None:
    commands = read_command(pattern, cwd="/", home="/").commands
    return commands[0] if len(commands) == 1 and commands[0].program in KNOWN else None


def _place_is_met(rule: str, pattern: str, command: Command) -> bool:
    """Whether where and when the rule holds can be seen in the command. What is unconditional holds everywhere."""
    start = rule.lower().find(pattern.lower())
    after = rule[start + len(pattern) :] if start >= 0 else rule
    clause = _CLAUSE.split(after, maxsplit=1)[0]
    if _CONDITION.search(clause):
        return False
    places = [word for match in _PLACE.finditer(clause) for word in terms(match[1]) if word not in _GENERIC]
    if not places:
        return True
    seen = set(terms(" ".join((*command.words, *command.writes, *command.deletes, *command.sends)).replace("=", " ")))
    return any(_alike(place, word) for place in places for word in seen)


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= 4 and long.startswith(short))


# -- edits ---------------------------------------------------------------------------------------------------------
def _edit(memory: Memory, edit: Edit) -> Weight | None:
    rule = memory.content
    for pattern in patterns_of(memory):
        if _is_path(pattern) and _EDITING.search(rule) and _is_under(edit.path, pattern):
            return Weight.STOPS
    return _text_weight(memory, edit.added, edit.removed)


def _text_weight(memory: Memory, added: str, removed: str) -> Weight | None:
    """What is new in a text. Commands in it are only words: nothing runs because somebody writes about it."""
    weights: list[Weight] = []
    for pattern in patterns_of(memory):
        if _FORCE.search(pattern) or (_is_path(pattern) and "(" not in pattern) or _as_command(pattern) is not None:
            continue
        one = [_only(memory, pattern)]
        if fire(one, added) and not (removed and fire(one, removed)):
            plain = len(pattern.split()) < 2 and not _is_expression(pattern)
            weights.append(Weight.WARNS if plain or _CONDITION.search(memory.content) else Weight.STOPS)
    return max(weights, default=None)


# -- patterns ------------------------------------------------------------------------------------------------------
def _only(memory: Memory, pattern: str) -> Memory:
    """The memory as if this were its only pattern."""
    return replace(memory, trigger_patterns=(pattern,), procedure=None)


def _is_expression(pattern: str) -> bool:
    try:
        return expression_of(pattern) is not None
    except Unreadable:
        return False


def _is_path(pattern: str) -> bool:
    """`generated/`, `legacy/old.py`, `.env`, `*.lock`, `package-lock.json`."""
    return (
        " " not in pattern
        and "(" not in pattern
        and ("/" in pattern or re.search(r"\.\w{1,10}\Z", pattern) is not None)
    )


def _is_under(path: str, pattern: str) -> bool:
    """Whether the pattern's parts stand in the path one after the other."""
    parts = [part.lower() for part in path.split("/") if part]
    wanted = [part.lower() for part in pattern.strip("`'\"").split("/") if part not in ("", ".", "**")]
    last = len(parts) - len(wanted)
    return bool(wanted) and any(
        all(fnmatch.fnmatchcase(part, shape) for part, shape in zip(parts[at:], wanted, strict=False))
        for at in range(last + 1)
    )
