"""What a git command does, by meaning. Pure.

Reads aliases and settings that are given on the command line,
    not those in the user's configuration: a verb that git does
not have itself is unknown.
"""

from __future__ import annotations

import shlex
from dataclasses import replace

from nightgarden.safety.reading import UNKNOWN, Command, Effect, GitAct
from nightgarden.safety.tools.described import Described, Invocation
from nightgarden.safety.tools.options import Arguments, Spec, read_arguments

Parts = dict[str, tuple[str, ...]]
ALIASES_MAX = 5  # an alias of an alias; git itself stops at a loop
_GLOBAL = Spec.of(
    "C:", "c:", "git-dir:", "work-tree:", "namespace:", "super-prefix:", "config-env:", "attr-source:", "p|paginate",
    "P|no-pager", "bare", "exec-path", "no-replace-objects", "literal-pathspecs", "no-optional-locks",
)  # fmt: skip
_RUNS_CODE = (
    "core.sshcommand", "core.pager", "core.editor", "core.fsmonitor", "core.askpass", "core.gitproxy", "diff.external",
    "sequence.editor", "gpg.program", "credential.helper", "uploadpack.packobjectshook", "web.browser",
)  # fmt: skip
_READING = frozenset(
    "status log diff show grep blame annotate ls-files ls-tree rev-parse rev-list describe cat-file shortlog "
    "for-each-ref name-rev merge-base help version whatchanged range-diff cherry count-objects var check-ignore "
    "check-attr verify-commit verify-tag diff-tree diff-index diff-files show-ref show-branch fsck merge-tree "
    "rev-name stripspace column check-mailmap check-ref-format get-tar-commit-id fmt-merge-msg patch-id "
    "unpack-file interpret-trailers".split()
)
_LISTING = {  # these only read when called without more than this
    "branch": Spec.of(
        "d|delete", "D|delete-force", "m|move", "M|move-force", "c|copy", "C|copy-force", "f|force",
        "u|set-upstream-to:",
        "unset-upstream", "edit-description", "a|all", "r|remotes", "l|list", "v|verbose", "contains:", "no-contains:",
        "merged:", "no-merged:", "points-at:", "format:", "sort:", "show-current", "t|track", "column",
    ),
    "tag": Spec.of(
        "d|delete", "a|annotate", "s|sign", "f|force", "m|message:", "F|file:", "l|list", "n", "contains:", "merged:",
        "sort:", "format:", "points-at:", "v|verify", "u|local-user:",
    ),
}  # fmt: skip
_READING_FORMS = {
    "remote": {"", "show", "get-url"},
    "stash": {"list", "show"},
    "worktree": {"list"},
    "reflog": {"", "show", "exists"},
    "notes": {"", "list", "show"},
    "submodule": {"", "status", "summary"},
    "bundle": {"verify", "list-heads"},
    "sparse-checkout": {"list"},
    "bisect": {"log", "view"},
    "lfs": {"ls-files", "status", "env"},
}
_PUSH = Spec.of(
    "f|force", "force-with-lease", "force-if-includes", "no-force-with-lease", "no-force-if-includes", "mirror", "all",
    "branches", "tags", "follow-tags", "d|delete", "prune", "u|set-upstream", "n|dry-run", "no-verify", "verify",
    "o|push-option:", "repo:", "receive-pack:", "exec:", "signed", "atomic", "q|quiet", "v|verbose", "porcelain",
    "recurse-submodules", "thin", "no-thin", "progress", "4|ipv4", "6|ipv6",
)  # fmt: skip
_COMMIT = Spec.of(
    "a|all", "m|message:", "F|file:", "C|reuse-message:", "c|reedit-message:", "amend", "n|no-verify", "no-edit",
    "s|signoff", "author:", "date:", "fixup:", "squash:", "S|gpg-sign", "q|quiet", "v|verbose", "allow-empty",
    "t|template:", "p|patch", "o|only", "i|include", "trailer:", "u|untracked-files", "dry-run", "cleanup:",
)  # fmt: skip
_RESET = Spec.of("hard", "soft", "mixed", "merge", "keep", "p|patch", "q|quiet")
_REBASE = Spec.of("x|exec:", "i|interactive", "onto:", "abort", "continue", "skip", "quit", "autosquash", "s|strategy:",
                  "X|strategy-option:", "r|rebase-merges", "root", "no-verify", "f|force-rebase")  # fmt: skip
_SWITCH = Spec.of("b|c|create:", "B|C|force-create:", "f|force", "discard-changes", "orphan:", "d|detach", "t|track",
                  "p|patch", "ours", "theirs", "m|merge", "guess")  # fmt: skip
_RESTORE = Spec.of("s|source:", "S|staged", "W|worktree", "p|patch", "ours", "theirs", "pathspec-from-file:")
_CLEAN = Spec.of("f|force", "d", "x", "X", "n|dry-run", "e|exclude:", "q|quiet", "i|interactive")
_ADD = Spec.of("f|force", "A|all", "u|update", "p|patch", "n|dry-run", "v|verbose", "N|intent-to-add", "chmod:")
_RM = Spec.of("f|force", "r", "cached", "n|dry-run", "q|quiet", "ignore-unmatch")
_PULL = Spec.of("r|rebase", "f|force", "no-rebase", "ff-only", "s|strategy:", "X|strategy-option:", "depth:", "j|jobs:",
                "o|origin:", "b|branch:", "c|config:", "template:", "reference:", "p|prune", "a|all",
                "t|tags")  # fmt: skip
_DIFF = Spec.of("no-index", "O:", "S:", "G:", "output:", "n|max-count:", "grep:", "author:", "since:", "until:",
                "after:", "before:", "format:", "U|unified:", "e:", "L:", "skip:", "ext-diff", "textconv",
                "open-files-in-pager")  # fmt: skip


def describe_git(call: Invocation) -> Described:
    """What the command does, and the shell text that it may run."""
    return _describe(call, call.args, ALIASES_MAX, ())


def _describe(call: Invocation, args: tuple[str, ...], aliases_left: int, scripts: tuple[str, ...]) -> Described:
    given = read_arguments(args, _GLOBAL, stop_at_operand=True)
    for folder in given.of("C"):
        call = replace(call, cwd=call.path(folder))
    settings = dict(_setting(text) for text in given.of("c"))
    scripts += tuple(value for name, value in settings.items() if _runs_code(name))
    if not given.operands:
        return Described(command=call.command(words=(call.name, *args)), scripts=scripts)
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
    return name in _RUNS_CODE or name.endswith((".textconv", ".command", ".driver", ".clean", ".smudge", ".cmd"))


def _split(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return (UNKNOWN,)


def _by_verb(
    call: Invocation, verb: str, rest: tuple[str, ...], settings: dict[str, str], scripts: tuple[str, ...]
) -> Described:
    match verb:
        case "push" | "send-pack":
            return Described(command=_push(call, rest, settings), scripts=scripts)
        case "submodule" | "rebase" | "bisect" | "filter-branch" | "difftool" | "mergetool":
            scripts += _inner_scripts(verb, rest)
    act, parts = _act(call, verb, rest)
    command = _command(call, act, rest, parts)
    if "core.hookspath" in settings:
        command = replace(command, git=replace(act, skips_hooks=True))
    return Described(command=command, scripts=scripts)


def _inner_scripts(verb: str, rest: tuple[str, ...]) -> tuple[str, ...]:
    if verb == "rebase":
        return read_arguments(rest, _REBASE).of("exec")
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
    return replace(command, git=act)


def _push(call: Invocation, rest: tuple[str, ...], settings: dict[str, str]) -> Command:
    given = read_arguments(rest, _PUSH)
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
    act = GitAct(
        verb="push",
        remote=remote,
        branches=branches,
        force=forced,
        lease=given.has("force-with-lease") and not given.has("force") and not any(r.startswith("+") for r in refs),
        deletes_remote=deletes,
        skips_hooks=given.has("no-verify") or "core.hookspath" in settings,
        changes=not given.has("dry-run"),
    )
    sends = (remote or "origin",) if act.changes else ()
    return _command(call, act, rest, {"options": tuple(given.options), "sends": sends, "unknown": unsure})


def _unsure(words: tuple[str, ...]) -> bool:
    return any(UNKNOWN in word for word in words)


def _branch_of(ref: str) -> str:
    """The branch at the remote that a refspec names; empty for what is checked out."""
    target = ref.lstrip("+").rpartition(":")[2].removeprefix("refs/heads/")
    return "" if target in ("HEAD", "@") else target


def _act(call: Invocation, verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:  # noqa: C901 - one case per verb
    """For every other verb: the act, and the parts of the command."""
    if verb in _READING:
        return _reading(call, verb, rest)
    match verb:
        case "commit":
            given = read_arguments(rest, _COMMIT)
            act = GitAct(verb=verb, rewrites=given.has("amend"), skips_hooks=given.has("no-verify"), changes=True)
            return act, {"options": tuple(given.options)}
        case "reset":
            given = read_arguments(rest, _RESET)
            moved = bool(given.operands) and not given.rest
            act = GitAct(
                verb=verb, rewrites=given.has("hard", "keep") and moved, discards=given.has("hard"), changes=True
            )
            return act, {"options": tuple(given.options)}
        case "rebase":
            given = read_arguments(rest, _REBASE)
            ends = given.has("abort", "quit")
            return GitAct(verb=verb, rewrites=not ends, changes=True), {"options": tuple(given.options)}
        case "filter-branch" | "filter-repo" | "replace" | "fast-import":
            return GitAct(verb=verb, rewrites=True, changes=True), {}
        case "update-ref" | "symbolic-ref":
            changes = verb == "update-ref" or len([word for word in rest if not word.startswith("-")]) > 1
            branches = tuple(_branch_of(word) for word in rest if word.startswith("refs/heads/"))
            return GitAct(verb=verb, branches=branches, rewrites=changes, changes=changes), {}
        case "branch" | "tag":
            return _listing(verb, read_arguments(rest, _LISTING[verb]))
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
        case _ if verb in _READING_FORMS:
            form = next((word for word in rest if not word.startswith("-")), "")
            return _of_form(verb, form)
        case "merge" | "cherry-pick" | "revert" | "am" | "apply" | "init" | "gc" | "prune" | "repack" | "commit-tree":
            return GitAct(verb=verb, changes=True, skips_hooks="--no-verify" in rest), {"writes": (call.cwd,)}
        case "maintenance" | "pack-refs" | "update-index" | "read-tree" | "write-tree" | "hash-object" | "rerere":
            return GitAct(verb=verb, changes=True), {}
        case "difftool" | "mergetool" | "gui" | "citool" | "send-email" | "request-pull" | "svn" | "p4" | "subtree":
            effect = Effect.MESSAGE if verb == "send-email" else Effect.CODE
            sends = ("origin",) if verb in ("send-email", "svn", "p4", "subtree") else ()
            return GitAct(verb=verb, changes=True), {"effects": (effect,), "sends": sends}
    words = "which git command runs is only known when it runs" if UNKNOWN in verb else f"git {verb} may be an alias"
    return GitAct(verb=verb, changes=True), {"unknown": (words,)}


def _reading(call: Invocation, verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:
    given = read_arguments(rest, _DIFF)
    more: Parts = {"writes": call.paths(*given.of("output"))}
    if given.has("open-files-in-pager"):
        more["effects"] = (Effect.CODE,)
    shown = [word.partition(":")[2] for word in given.operands if ":" in word] if verb in ("show", "cat-file") else []
    if verb in ("diff", "blame", "annotate", "grep") and (given.has("no-index") or verb != "diff"):
        shown += given.operands[1:] if verb == "grep" else given.operands
    shown += given.rest if verb in ("diff", "log", "show", "whatchanged") else ()
    more["reads"] = call.paths(*dict.fromkeys(shown))
    return GitAct(verb=verb, changes=bool(more["writes"])), more


def _listing(verb: str, given: Arguments) -> tuple[GitAct, Parts]:
    changing = {"delete", "delete-force", "move", "move-force", "copy", "copy-force", "force", "set-upstream-to",
                "unset-upstream", "edit-description", "annotate", "sign", "message", "file"}  # fmt: skip
    listing = given.has("list", "contains", "merged", "no-merged", "points-at", "verify", "no-contains")
    changes = not given.options.isdisjoint(changing) or (bool(given.operands) and not listing)
    loses = given.has("delete-force", "move-force", "copy-force", "force")
    act = GitAct(verb=verb, branches=given.operands if changes else (), rewrites=loses and changes, changes=changes)
    return act, {"options": tuple(given.options)}


def _checkout(call: Invocation, verb: str, rest: tuple[str, ...]) -> tuple[GitAct, Parts]:
    given = read_arguments(rest, _RESTORE if verb == "restore" else _SWITCH)
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
    given = read_arguments(rest, {"clean": _CLEAN, "rm": _RM}.get(verb, _ADD))
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
    given = read_arguments(rest, _PULL)
    remote = given.operands[0] if given.operands else "origin"
    if verb == "archive":
        return GitAct(verb=verb), {"writes": call.paths(*given.of("origin")), "sends": ()}
    act = GitAct(verb=verb, remote=remote, rewrites=verb == "pull" and given.has("rebase"), changes=verb != "ls-remote")
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
    changes = form not in _READING_FORMS[verb]
    loses = verb in ("stash", "reflog", "notes") and form in ("drop", "clear", "delete", "expire", "remove", "prune")
    effects = (Effect.SETTINGS,) if verb == "remote" and changes else ()
    act = GitAct(verb=verb, changes=changes, discards=loses and verb == "stash", rewrites=loses and verb == "reflog")
    return act, {"effects": effects}
