"""Whether an action may happen: allow, ask the user, or deny, each by rule. Pure; what it must know is passed in.

A deny is lifted only in the user's own settings (`safety.lifted_rules`). Does not run anything, and does not stop
anything by itself: whoever dispatches tools asks here first, as `gated` does for every call of an agent of ours. The
clients' guard judges by the user's rules instead (`prohibitions`).
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from nightgarden.domain.secret_names import promises_secret
from nightgarden.domain.verdict import Rule
from nightgarden.safety.command_reading import UNKNOWN, Command, CommandReading, Effect, GitAct
from nightgarden.safety.secret_files import is_ours, is_secret, is_under
from nightgarden.safety.tools.prefixes import ELSEWHERE

FORCE_PUSH = Rule(id="force-push", sentence="it may overwrite what others have pushed")
REMOTE_DELETE = Rule(id="remote-delete", sentence="it deletes a branch or tag at a remote")
SHARED_HISTORY = Rule(id="shared-history", sentence="it rewrites the history of a branch that others use")
OUTSIDE = Rule(id="write-outside", sentence="it writes or deletes outside the worktree")
SECRETS = Rule(id="secret-file", sentence="it reads a file that holds secrets or is ignored on purpose")
SECRETS_BELOW = Rule(id="secrets-below", sentence="it reads a whole folder that has files with secrets in it")
OWN_GUARD = Rule(id="own-guard", sentence="it changes nightgarden's own settings or data, hooks, or the inside of git")
REMOTE_CODE = Rule(id="remote-code", sentence="it runs code straight from the network")
GARDEN_ONLY = Rule(id="garden-only", sentence="only tending the garden is allowed; safety.proactive is off")

UNREADABLE = Rule(id="unknown", sentence="what it does cannot be told before it runs")
SENDS = Rule(id="sends", sentence="something leaves this machine, or is fetched")
LOSES = Rule(id="loses-work", sentence="it deletes files, or discards or rewrites work")
TAINTED = Rule(id="tainted", sentence="text from outside led to it")
ENVIRONMENT = Rule(id="environment", sentence="it shows the environment, which may hold secrets")
NO_SANDBOX = Rule(id="no-sandbox", sentence="there is no sandbox on this machine to run it in")
ALWAYS_ASK = Rule(id="always-ask", sentence="your settings want to be asked about it")
OF_EFFECT = {
    Effect.ELEVATED: Rule(id="elevated", sentence="it runs with other rights"),
    Effect.CODE: Rule(id="runs-code", sentence="it runs code that is not read here"),
    Effect.PACKAGES: Rule(id="packages", sentence="it installs or removes packages"),
    Effect.SERVICE: Rule(id="services", sentence="it changes services, containers or the system"),
    Effect.DEPLOY: Rule(id="deploys", sentence="it changes what is deployed or in the cloud"),
    Effect.MESSAGE: Rule(id="messages", sentence="it reaches other people"),
    Effect.DATABASE: Rule(id="database", sentence="it may change a database"),
    Effect.PROCESS: Rule(id="processes", sentence="it ends processes"),
    Effect.SETTINGS: Rule(id="settings", sentence="it changes settings of a program"),
}

READS = Rule(id="reads", sentence="it only reads")
IN_WORKTREE = Rule(id="in-worktree", sentence="it changes files and local git of the worktree only")
ALWAYS_ALLOW = Rule(id="always-allow", sentence="your settings allow it")


@dataclass(frozen=True, slots=True, kw_only=True)
class Because:
    """A rule, and what it was seen in."""

    rule: Rule
    what: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allow:
    """It may happen without asking."""

    because: tuple[Because, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The user is asked first."""

    because: tuple[Because, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Deny:
    """It must not happen; only the user's own settings can make it a question."""

    because: tuple[Because, ...]


Decision = Allow | Ask | Deny


def _no_file(_: str) -> bool:
    return False


def _no_names(_: str) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What the decision depends on besides the action."""

    worktree: str
    branch: str = ""
    proactive: bool = False
    tainted: bool = False
    sandboxed: bool = False  # commands run where they cannot send, nor write outside the worktree
    own_folders: tuple[str, ...] = ()
    always_allow: tuple[str, ...] = ()
    always_ask: tuple[str, ...] = ()
    allowed_remotes: tuple[str, ...] = ()
    lifted_rules: tuple[str, ...] = ()
    shared_branches: tuple[str, ...] = ("main", "master", "develop", "trunk", "production", "staging", "release*")
    real: Callable[[str], str] = str  # follows links
    ignored: Callable[[str], bool] = _no_file  # whether its owner keeps a file out
    holds_secrets: Callable[[str], bool] = _no_file  # whether a folder has files with secrets below it
    matching: Callable[[str], tuple[str, ...]] = _no_names  # the files that a pattern such as `*` stands for
    same_repository: Callable[[str], bool] | None = None  # whether a folder is in the worktree's own repository

    def inside(self, path: str) -> bool:
        return is_under(self.real(path), self.worktree)


def decide(reading: CommandReading, where: Circumstances) -> Decision:
    """The decision for one action. One that sends runs outside the sandbox, and so does all that stands beside it."""
    if any(command.sends for command in reading.commands):
        where = replace(where, sandboxed=False)
    denied = [each for each in _denials(reading, where) if each.rule.id not in where.lifted_rules]
    if denied:
        return Deny(because=_distinct(denied))
    lifted = list(_denials(reading, where))
    asked = [*lifted, *_asks(reading, where)]
    if where.tainted and not reading.reads_only:
        asked.append(Because(rule=TAINTED))
    if asked:
        return Ask(because=_distinct(asked))
    if reading.reads_only:
        return Allow(because=(Because(rule=READS),))
    allowed = [command for command in reading.commands if _is_allowed(command, where)]
    return Allow(because=(Because(rule=ALWAYS_ALLOW if allowed else IN_WORKTREE),))


def _distinct(found: list[Because]) -> tuple[Because, ...]:
    return tuple(dict.fromkeys(found))


# -- what is denied ------------------------------------------------------------------------------------------------
def _denials(reading: CommandReading, where: Circumstances) -> Iterator[Because]:
    for path in reading.reads:
        yield from _secret(path, where)
    for edit in reading.edits:
        yield from _written(edit.path, where)
    for command in reading.commands:
        yield from _of_git(command, where)
        if Effect.REMOTE_CODE in command.effects:
            yield Because(rule=REMOTE_CODE, what=_shown(command))
        if _switches_us_off(command):
            yield Because(rule=OWN_GUARD, what=_shown(command))
        if any(name.startswith("NIGHTGARDEN_") for name in command.sets):
            yield Because(rule=OWN_GUARD, what=_shown(command))
        if not ELSEWHERE.isdisjoint(command.via):
            continue  # its paths are another machine's
        for path in command.reads:
            yield from _secret(path, where)
        for path in (*command.writes, *command.deletes):
            yield from _written(path, where)
        if command.program == "ln" and not all(where.inside(path) for path in command.reads):
            yield Because(rule=OUTSIDE, what=_shown(command))  # what is written through the link is outside, too
    if not where.proactive and not reading.reads_only:
        yield Because(rule=GARDEN_ONLY)


_STOPPING = frozenset("kill pkill killall systemctl service launchctl claude codex opencode pip pip3 uv pipx".split())


def _switches_us_off(command: Command) -> bool:
    """A change by our own program, or one that ends, removes or disconnects it."""
    if command.reads_only:
        return False
    named = any(word.partition(".")[0] == "nightgarden" for word in command.words[1:])
    return command.program in ("nightgarden", "ng") or (command.program in _STOPPING and named)


def _secret(path: str, where: Circumstances) -> Iterator[Because]:
    real = where.real(path)
    if is_secret(path) or is_secret(real) or where.ignored(real):
        yield Because(rule=SECRETS, what=path)
    elif any(sign in path for sign in "*?["):
        yield from (Because(rule=SECRETS, what=each) for each in where.matching(path) if is_secret(each))


_NO_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/fd/")


def _written(path: str, where: Circumstances) -> Iterator[Because]:
    real = where.real(path)
    if path.startswith(_NO_FILES):
        return
    if is_ours(path, own=where.own_folders) or is_ours(real, own=where.own_folders):
        yield Because(rule=OWN_GUARD, what=path)
    elif UNKNOWN not in path and not where.inside(path):
        yield Because(rule=OUTSIDE, what=path)


def _of_git(command: Command, where: Circumstances) -> Iterator[Because]:
    act = command.git
    if act is None:
        return
    if act.force:
        yield Because(rule=FORCE_PUSH, what=_shown(command))
    if act.deletes_remote:
        yield Because(rule=REMOTE_DELETE, what=_shown(command))
    targets = act.branches or (where.branch,)
    if act.rewrites and any(_is_shared(target or where.branch, where) for target in targets):
        yield Because(rule=SHARED_HISTORY, what=_shown(command))
    if act.skips_hooks:
        yield Because(rule=OWN_GUARD, what=_shown(command))


def _is_shared(branch: str, where: Circumstances) -> bool:
    return any(fnmatch.fnmatchcase(branch, shape) for shape in where.shared_branches)


# -- what is asked -------------------------------------------------------------------------------------------------
def _asks(reading: CommandReading, where: Circumstances) -> Iterator[Because]:
    for reason in reading.unknown:
        yield Because(rule=UNREADABLE, what=reason)
    for host in reading.sends:
        yield Because(rule=SENDS, what=host)
    for command in reading.commands:
        if any(_names(rule, command, where) for rule in where.always_ask):
            yield Because(rule=ALWAYS_ASK, what=_shown(command))
        elif not _is_allowed(command, where):
            yield from _asks_of(command, where)


def _asks_of(command: Command, where: Circumstances) -> Iterator[Because]:
    shown = _shown(command)
    for reason in command.unknown:
        yield Because(rule=UNREADABLE, what=reason)
    if not where.sandboxed and any(UNKNOWN in path for path in command.reads):
        yield Because(rule=UNREADABLE, what="which file it reads is only known when it runs")
    if not where.sandboxed and command.reads_below and any(map(where.holds_secrets, command.reads)):
        yield Because(rule=SECRETS_BELOW, what=shown)  # in the sandbox such files are empty
    if not where.sandboxed and any(name == "*" or promises_secret(name) for name in command.shows):
        yield Because(rule=ENVIRONMENT, what=shown)  # in the sandbox there is none of the user's
    for host in command.sends:
        if not _is_allowed_remote(command.git, host, where):
            yield Because(rule=SENDS, what="a host that is only known when it runs" if UNKNOWN in host else host)
    if not where.sandboxed and not command.reads_only and not command.sends:
        yield Because(rule=NO_SANDBOX, what=shown)
    for effect in sorted(command.effects):
        if effect in OF_EFFECT and not (effect is Effect.CODE and where.sandboxed):
            yield Because(rule=OF_EFFECT[effect], what=shown)
    act = command.git
    if command.deletes or (act is not None and (act.discards or act.rewrites)):
        yield Because(rule=LOSES, what=shown)


def _is_allowed_remote(act: GitAct | None, host: str, where: Circumstances) -> bool:
    """A name of a remote means something in the repository that the user knows, and not in another one."""
    same = where.same_repository or where.inside
    return act is not None and host in where.allowed_remotes and same(act.folder)


def _is_allowed(command: Command, where: Circumstances) -> bool:
    """By the user's settings; never what outside text led to, and never what was not fully read."""
    if where.tainted or command.unknown or Effect.REMOTE_CODE in command.effects:
        return False
    return any(_names(rule, command, where) for rule in where.always_allow)


def _names(rule: str, command: Command, where: Circumstances) -> bool:
    """Whether a rule such as "make test" or "/srv/app: make test" names a command: its first words."""
    folder, colon, words = rule.partition(": ")
    if colon and folder.startswith("/"):
        if not is_under(where.worktree, folder.rstrip("/")):
            return False
    else:
        words = rule
    said = (*(("sudo",) if Effect.ELEVATED in command.effects else ()), *command.words)
    wanted = tuple(words.split())
    return bool(wanted) and said[: len(wanted)] == wanted


def _shown(command: Command) -> str:
    return " ".join(command.words).replace(UNKNOWN, "…")[:200]
