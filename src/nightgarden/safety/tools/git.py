"""What a git command does, by meaning. Pure.

Reads aliases and settings that are given on the command line,
    not those in the user's configuration: a verb that git does
not have itself is unknown.
"""

from __future__ import annotations

import shlex
from dataclasses import replace

from nightgarden.safety.command_reading import UNKNOWN, Command, Effect, GitAct
from nightgarden.safety.secret_files import is_secret
from nightgarden.safety.tools.arguments import Arguments, Spec, read_arguments
from nightgarden.safety.tools.described import Described, Invocation
from nightgarden.safety.tools.git_options import (
    ADD,
    CLEAN,
    COMMIT,
    DIFF,
    EARLIER,
    GLOBAL,
    GREP,
    LISTING,
    PULL,
    PUSH,
    READING,
    READING_FORMS,
    REBASE,
    RESET,
    RESTORE,
    RM,
    RUNS_CODE,
    SHOWING,
    SWITCH,
)

Parts = dict[str, tuple[str, ...]]
ALIASES_MAX = 5  # an alias of an alias; git itself stops at a loop


def describe_git(call: Invocation) -> Described:
    """What the command does, and the shell text that it may run."""
    return _describe(call, call.args, ALIASES_MAX, ())


def _describe(call: Invocation, args: tuple[str, ...], aliases_left: int, scripts: tuple[str, ...]) -> Described:
    given = read_arguments(args, GLOBAL, stop_at_operand=True)
    for folder in given.of("C"):
        call = replace(call, cwd=call.path(folder))
    settings = dict(_setting(text) for text in given.of("c"))
    scripts += tuple(value for name, value in settings.items() if _runs_code(name))
    if not given.operands:
        return Described(command=call.command(words=(call.name, *args)), scripts=scripts)
    if reason := _elsewhere(call, given, settings):
        described = _by_name(call, given, settings, aliases_left, scripts)
        return replace(described, command=replace(described.command, unknown=(*described.command.unknown, reason)))
    return _by_name(call, given, settings, aliases_left, scripts)


def _elsewhere(call: Invocation, given: Arguments, settings: dict[str, str]) -> str:
    """Why programs and settings may not be those of the repository here."""
    if any(word.startswith("--exec-path=") for word in call.args) or given.of("config-env"):
        return "git is told to take programs or settings from elsewhere"
    if any(name.startswith(("include.", "includeif.")) for name in settings):
        return "git is told to take settings from a file"
    if any(call.path(folder) != f"{call.cwd}/.git" for folder in given.of("git-dir")):
        return "git is told to work on another repository"
    return ""


def _by_name(
    call: Invocation, given: Arguments, settings: dict[str, str], aliases_left: int, scripts: tuple[str, ...]
) -> Described:
    verb, rest = given.operands[0].lower(), given.operands[1:]
    alias = settings.get(f"alias.{verb}")
    if alias is not None and aliases_left:
        if alias.startswith("!"):
            return Described(
                command=_command(call, GitAct(verb=verb, changes=True), rest, {}), scripts=(*scripts, alias[1:])
            )
        kept = tuple(word for name, value in settings.items() for word in ("-c", f"{name}={value}"))
        return _describe(call, (*kept, *_split(alias), *rest), aliases_left - 1, scripts)
    return _by_verb(call, verb, rest, settings, scripts)


def _setting(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    return name.lower(), value


def _runs_code(name: str) -> bool:
    return name in RUNS_CODE or name.endswith((".textconv", ".command", ".driver", ".clean", ".smudge", ".cmd"))


def _split(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return (UNKNOWN,)


def _by_verb(
    call: Invocation, verb: str, rest: tuple[str, ...], settings: dict[str, str], scripts: tuple[str, ...]
) -> Described:
    scripts += _programs(verb, rest)
    match verb:
        case "push" | "send-pack":
            return Described(command=_push(call, rest, settings), scripts=scripts)
        case "submodule" | "rebase" | "bisect" | "filter-branch" | "difftool" | "mergetool":
            scripts += _inner_scripts(verb, rest)
    act, parts = _act(call, verb, rest)
    command = _command(call, act, rest, parts)
    if "core.hookspath" in settings:
        command = replace(command, git=replace(act, skips_hooks=True))
    if command.sends and _redirected(settings):
        command = replace(command, sends=(UNKNOWN,))
    return Described(command=command, scripts=scripts)


def _programs(verb: str, rest: tuple[str, ...]) -> tuple[str, ...]:
    """Programs to be run at the other end, which may be this machine; and `ext::`, a remote that is a command."""
    if verb not in ("push", "send-pack", "fetch", "pull", "clone", "ls-remote", "archive", "fetch-pack"):
        return ()
    spec = Spec.of("upload-pack:", "receive-pack:", "exec:", *(("u:",) if verb == "clone" else ()))
    given = read_arguments(rest, spec)
    remotes = (word.removeprefix("ext::") for word in given.operands if word.startswith("ext::"))
    return (*given.of("upload-pack", "receive-pack", "exec", "u"), *remotes)


def _redirected(settings: dict[str, str]) -> bool:
    """Whether the name of a remote stands for another address than the one it has in the repository."""
    return any(name.startswith("url.") or name.endswith((".url", ".pushurl", ".proxy", ".vcs")) for name in settings)


def _inner_scripts(verb: str, rest: tuple[str, ...]) -> tuple[str, ...]:
    if verb == "rebase":
        return read_arguments(rest, REBASE).of("exec")
    if verb == "submodule" and "foreach" in rest:
        words = [word for word in rest[rest.index("foreach") + 1 :] if word not in ("--recursive", "--quiet", "-q")]
        return (" ".join(words),)
    if verb == "bisect" and rest[:1] == ("run",):
        return (shlex.join(rest[1:]),)
    return ()


def _command(call: Invocation, act: GitAct, rest: tuple[str, ...], parts: Parts) -> Command:
    command = call.command(
        words=(call.name, act.verb, *rest),
        options=frozenset(parts.get("options", ())),
        reads=parts.get("reads", ()),
        writes=parts.get("writes", ()),
        deletes=parts.get("deletes", ()),
        sends=parts.get("sends", ()),
        effects=frozenset(Effect(each) for each in parts.get("effects", ())),
        unknown=parts.get("unknown", ()),
    )
    return replace(command, git=replace(act, folder=call.cwd))


def _push(call: Invocation, rest: tuple[str, ...], settings: dict[str, str]) -> Command:
    given = read_arguments(rest, PUSH)
    remote = (given.of("repo") or given.operands[:1] or ("",))[0]
    refs = given.operands if given.of("repo") else given.operands[1:]
    refs += tuple(value for name, value in settings.items() if name.startswith("remote.") and name.endswith(".push"))
    mirrored = given.has("mirror") or any(
        name.startswith("remote.") and name.endswith(".mirror") and value.lower() != "false"
        for name, value in settings.items()
    )
    cut_short = any(option.startswith("forc") and option != "force-if-includes" for option in given.options)
    forced = cut_short or mirrored or any(ref.startswith("+") for ref in refs)
    deletes = given.has("delete", "prune") or mirrored or any(ref.lstrip("+").startswith(":") for ref in refs)
    unsure = ("which options or branches are pushed is only known when it runs",) if _unsure(rest) else ()
    branches = ("*",) if mirrored or given.has("all", "branches") else tuple(_branch_of(ref) for ref in refs)
    dry = given.has("dry-run") and not given.has("no-dry-run")
    act = GitAct(
        verb="push",
        remote=remote,
        branches=branches,
        force=forced and not dry,
        lease=given.has("force-with-lease") and not given.has("force") and not any(r.startswith("+") for r in refs),
        deletes_remote=deletes and not dry,
        skips_hooks=given.has("no-verify") or "core.hookspath" in settings,
        changes=not dry,
    )
    sends = (UNKNOWN if _redirected(settings) else remote or "origin",) if act.changes else ()
    return _command(call, act, rest, {"options": tuple(given.options), "sends": sends, "unknown": unsure})


def _unsure(words: tuple[str, ...]) -> bool:
    return any(UNKNOWN in word for word in words)


def _branch_of(ref: str) -> str:
    """The branch at the remote that a refspec names; empty for what is checked out."""
    target = ref.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/")
    return "" if target in ("HEAD", "@") else target


def _act(call: Invocation, verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:  # noqa: C901 - one case per verb
    """For every other verb: the act, and the parts of the command."""
    if verb in READING:
        return _reading(call, verb, rest)
    match verb:
        case "commit":
            given = read_arguments(rest, COMMIT)
            act = GitAct(verb=verb, rewrites=given.has("amend"), skips_hooks=given.has("no-verify"), changes=True)
            return act, {"options": tuple(given.options)}
        case "reset":
            given = read_arguments(rest, RESET)
            moved = bool(given.operands) and not given.rest
            back = moved and len(given.operands) == 1 and EARLIER.search(given.operands[0]) is not None
            rewrites = moved and (back or given.has("hard", "keep", "soft", "merge"))
            act = GitAct(verb=verb, rewrites=rewrites, discards=given.has("hard", "merge"), changes=True)
            return act, {"options": tuple(given.options)}
        case "rebase":
            given = read_arguments(rest, REBASE)
            ends = given.has("abort", "quit", "continue", "skip")  # begun before, or given up
            return GitAct(verb=verb, rewrites=not ends, changes=True), {"options": tuple(given.options)}
        case "filter-branch" | "filter-repo" | "replace" | "fast-import":
            return GitAct(verb=verb, rewrites=True, changes=True), {}
        case "update-ref" | "symbolic-ref":
            changes = verb == "update-ref" or len([word for word in rest if not word.startswith("-")]) > 1
            branches = tuple(_branch_of(word) for word in rest if word.startswith("refs/heads/"))
            return GitAct(verb=verb, branches=branches, rewrites=changes, changes=changes), {}
        case "branch" | "tag":
            return _listing(verb, read_arguments(rest, LISTING[verb]))
        case "checkout" | "switch" | "restore":
            return _checkout(call, verb, rest)
        case "clean" | "rm" | "add" | "mv" | "stage":
            return _files(call, verb, rest)
        case "fetch" | "pull" | "clone" | "ls-remote" | "remote-https" | "archive":
            return _remote(call, verb, rest)
        case "config":
            return _config(verb, rest)
        case "worktree":
            return _worktree(call, rest)
        case "gc" | "prune" | "repack":
            prunes = verb == "prune" or any(word.startswith(("--prune=now", "--prune=all")) for word in rest)
            return GitAct(verb=verb, changes=True, discards=prunes), {}
        case "format-patch":
            given = read_arguments(rest, Spec.of("o|output-directory:", "n", "s|signoff", "v:", "stdout", "to:", "cc:"))
            writes = () if given.has("stdout") else call.paths(*given.of("output-directory")) or (call.cwd,)
            return GitAct(verb=verb, changes=bool(writes)), {"writes": writes}
        case "bundle" if rest[:1] == ("create",):
            return GitAct(verb=verb, changes=True), {"writes": call.paths(*rest[1:2])}
        case "lfs" if rest[:1] in (("push",), ("pull",), ("fetch",), ("clone",), ("prune",)):
            named = [word for word in rest[1:] if not word.startswith("-")]
            return GitAct(verb=verb, changes=True), {"sends": (named[0] if named else "origin",)}
        case _ if verb in READING_FORMS:
            form = next((word for word in rest if not word.startswith("-")), "")
            act, parts = _of_form(verb, form)
            return act, parts | {"reads": tuple(path for path in call.paths(*rest) if is_secret(path))}
        case "merge" | "cherry-pick" | "revert" | "am" | "apply" | "init" | "commit-tree":
            return GitAct(verb=verb, changes=True, skips_hooks="--no-verify" in rest), {"writes": (call.cwd,)}
        case "maintenance" | "pack-refs" | "update-index" | "read-tree" | "write-tree" | "hash-object" | "rerere":
            return GitAct(verb=verb, changes=True), {}
        case "difftool" | "mergetool" | "gui" | "citool" | "send-email" | "request-pull" | "svn" | "p4" | "subtree":
            effect = Effect.MESSAGE if verb == "send-email" else Effect.CODE
            sends = (UNKNOWN,) if verb in ("send-email", "svn", "p4", "subtree") else ()
            return GitAct(verb=verb, changes=True), {"effects": (effect,), "sends": sends}
    words = "which git command runs is only known when it runs" if UNKNOWN in verb else f"git {verb} may be an alias"
    return GitAct(verb=verb, changes=True), {"unknown": (words,)}


def _reading(call: Invocation, verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:
    given = read_arguments(rest, GREP if verb == "grep" else DIFF)
    more: Parts = {"writes": call.paths(*given.of("output"))}
    if given.has("open-files-in-pager"):
        more["effects"] = (Effect.CODE,)
    shown = [word.partition(":")[2] for word in given.operands if ":" in word] if verb in ("show", "cat-file") else []
    if verb in ("diff", "blame", "annotate", "grep") and (given.has("no-index") or verb != "diff"):
        shown += given.operands[1:] if verb == "grep" and not given.has("e") else given.operands
    shown += given.rest if verb in ("diff", "log", "show", "whatchanged") else ()
    if verb in SHOWING:
        shown += [word for word in given.operands if is_secret(call.path(word))]  # a path needs no -- before it
    more["reads"] = call.paths(*dict.fromkeys(shown))
    return GitAct(verb=verb, changes=bool(more["writes"])), more


def _listing(verb: str, given: Arguments) -> tuple[GitAct, Parts]:
    changing = {"delete", "delete-force", "move", "move-force", "copy", "copy-force", "force", "set-upstream-to",
                "unset-upstream", "edit-description", "annotate", "sign", "message", "file"}  # fmt: skip
    listing = given.has("list", "contains", "merged", "no-merged", "points-at", "verify", "no-contains")
    changes = not given.options.isdisjoint(changing) or (bool(given.operands) and not listing)
    loses = given.has("delete-force", "move-force", "copy-force", "force")
    renames = given.has("move-force") and len(given.operands) == 1  # what is checked out gets another name
    act = GitAct(
        verb=verb,
        branches=given.operands if changes else (),
        rewrites=loses and changes and not renames,
        discards=renames,
        changes=changes,
    )
    return act, {"options": tuple(given.options)}


def _checkout(call: Invocation, verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:
    given = read_arguments(rest, RESTORE if verb == "restore" else SWITCH)
    by_path = verb == "restore" or "--" in rest or "." in given.operands
    staged_only = given.has("staged") and not given.has("worktree")
    discards = given.has("force", "discard-changes") or (by_path and not staged_only)
    act = GitAct(
        verb=verb,
        discards=discards,
        rewrites=given.has("force-create"),
        branches=given.of("force-create"),
        changes=True,
    )
    paths = call.paths(*(given.rest or given.operands)) if by_path and not staged_only else ()
    return act, {"options": tuple(given.options), "writes": paths}


def _files(call: Invocation, verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:
    given = read_arguments(rest, {"clean": CLEAN, "rm": RM}.get(verb, ADD))
    changes = not given.has("dry-run")
    act = GitAct(verb=verb, discards=changes and verb in ("clean", "rm"), changes=changes)
    paths = call.paths(*given.operands)
    options: Parts = {"options": tuple(given.options)}
    match verb:
        case "clean":
            return act, options | {"deletes": (paths or (call.cwd,)) if changes and given.has("force") else ()}
        case "rm":
            return act, options | {"deletes": paths if changes and not given.has("cached") else ()}
        case "mv":
            return act, options | {"deletes": paths[:-1], "writes": paths[-1:]}
    return act, options | {"reads": paths}


def _remote(call: Invocation, verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:
    given = read_arguments(rest, PULL)
    remote = given.operands[0] if given.operands else "origin"
    if verb == "archive":
        asked = tuple(word.partition("=")[2] for word in rest if word.startswith("--remote="))
        named = tuple(path for path in call.paths(*given.operands) if is_secret(path))
        return GitAct(verb=verb), {"writes": call.paths(*given.of("origin")), "sends": asked, "reads": named}
    forced = [ref for ref in given.operands[1:] if ref.startswith("+") or (given.has("force") and ":" in ref)]
    moved = tuple(_branch_of(ref) for ref in forced if ":" in ref and _branch_of(ref)) if verb == "fetch" else ()
    act = GitAct(
        verb=verb,
        remote=remote,
        branches=moved,
        rewrites=bool(moved) or (verb == "pull" and given.has("rebase")),
        changes=verb != "ls-remote",
    )
    writes = call.paths(*given.operands[1:]) or (call.cwd,) if verb == "clone" else ()
    return act, {"options": tuple(given.options), "sends": (remote,), "writes": writes}


def _config(verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:
    reading = {"--get", "--get-all", "--get-regexp", "--list", "-l", "list", "get", "--show-origin", "--get-urlmatch"}
    words = [word for word in rest if not word.startswith("-")]
    changes = reading.isdisjoint(rest) and (
        len(words) > 1 or any(w.startswith(("--unset", "--add", "--rem")) for w in rest)
    )
    hooks = changes and any(word.lower() == "core.hookspath" for word in words)
    return GitAct(verb=verb, changes=changes, skips_hooks=hooks), {"effects": (Effect.SETTINGS,) if changes else ()}


def _worktree(call: Invocation, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:
    given = read_arguments(rest[1:], Spec.of("b:", "B:", "f|force", "d|detach", "orphan", "lock", "reason:"))
    match rest[:1]:
        case ("add",):
            return GitAct(verb="worktree", changes=True, rewrites=given.has("B")), {
                "writes": call.paths(*given.operands[:1])
            }
        case ("remove",):
            return GitAct(verb="worktree", changes=True, discards=given.has("force")), {
                "deletes": call.paths(*given.operands)
            }
    return _of_form("worktree", rest[0] if rest else "list")


def _of_form(verb: str, form: str) -> tuple[GitAct, Parts]:
    changes = form not in READING_FORMS[verb]
    loses = verb in ("stash", "reflog", "notes") and form in ("drop", "clear", "delete", "expire", "remove", "prune")
    effects = (Effect.SETTINGS,) if verb == "remote" and changes else ()
    act = GitAct(verb=verb, changes=changes, discards=loses and verb == "stash", rewrites=loses and verb == "reflog")
    return act, {"effects": effects}
