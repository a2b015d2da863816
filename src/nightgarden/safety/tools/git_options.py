"""What git's commands take, and which of them only look. Values only."""

from __future__ import annotations

import re

from nightgarden.safety.tools.arguments import Spec

GLOBAL = Spec.of(
    "C:", "c:", "git-dir:", "work-tree:", "namespace:", "super-prefix:", "config-env:", "attr-source:", "p|paginate",
    "P|no-pager", "bare", "exec-path", "no-replace-objects", "literal-pathspecs", "no-optional-locks",
)  # fmt: skip
RUNS_CODE = (
    "core.sshcommand", "core.pager", "core.editor", "core.fsmonitor", "core.askpass", "core.gitproxy", "diff.external",
    "sequence.editor", "gpg.program", "credential.helper", "uploadpack.packobjectshook", "web.browser",
)  # fmt: skip
READING = frozenset(
    "status log diff show grep blame annotate ls-files ls-tree rev-parse rev-list describe cat-file shortlog "
    "for-each-ref name-rev merge-base help version whatchanged range-diff cherry count-objects var check-ignore "
    "check-attr verify-commit verify-tag diff-tree diff-index diff-files show-ref show-branch fsck merge-tree "
    "rev-name stripspace column check-mailmap check-ref-format get-tar-commit-id fmt-merge-msg patch-id "
    "unpack-file interpret-trailers".split()
)
SHOWING = frozenset(  # with what is in files
    "diff log show grep blame annotate cat-file whatchanged diff-tree diff-index diff-files rev-list".split()
)
LISTING = {  # these only read when called without more than this
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
READING_FORMS = {
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
PUSH = Spec.of(
    "f|force", "force-with-lease", "force-if-includes", "no-force-with-lease", "no-force-if-includes", "mirror", "all",
    "branches", "tags", "follow-tags", "d|delete", "prune", "u|set-upstream", "n|dry-run", "no-dry-run", "no-verify",
    "verify",
    "o|push-option:", "repo:", "receive-pack:", "exec:", "signed", "atomic", "q|quiet", "v|verbose", "porcelain",
    "recurse-submodules", "thin", "no-thin", "progress", "4|ipv4", "6|ipv6",
)  # fmt: skip
COMMIT = Spec.of(
    "a|all", "m|message:", "F|file:", "C|reuse-message:", "c|reedit-message:", "amend", "n|no-verify", "no-edit",
    "s|signoff", "author:", "date:", "fixup:", "squash:", "S|gpg-sign", "q|quiet", "v|verbose", "allow-empty",
    "t|template:", "p|patch", "o|only", "i|include", "trailer:", "u|untracked-files", "dry-run", "cleanup:",
)  # fmt: skip
EARLIER = re.compile(
    r"[~^]|@\{|\A(?:ORIG_HEAD|FETCH_HEAD|(?:origin|upstream)/\S+|[0-9a-f]{7,40})\Z"
)  # a commit, no file
RESET = Spec.of("hard", "soft", "mixed", "merge", "keep", "p|patch", "q|quiet")
REBASE = Spec.of("x|exec:", "i|interactive", "onto:", "abort", "continue", "skip", "quit", "autosquash", "s|strategy:",
                  "X|strategy-option:", "r|rebase-merges", "root", "no-verify", "f|force-rebase")  # fmt: skip
SWITCH = Spec.of("b|c|create:", "B|C|force-create:", "f|force", "discard-changes", "orphan:", "d|detach", "t|track",
                  "p|patch", "ours", "theirs", "m|merge", "guess")  # fmt: skip
RESTORE = Spec.of("s|source:", "S|staged", "W|worktree", "p|patch", "ours", "theirs", "pathspec-from-file:")
CLEAN = Spec.of("f|force", "d", "x", "X", "n|dry-run", "e|exclude:", "q|quiet", "i|interactive")
ADD = Spec.of("f|force", "A|all", "u|update", "p|patch", "n|dry-run", "v|verbose", "N|intent-to-add", "chmod:")
RM = Spec.of("f|force", "r", "cached", "n|dry-run", "q|quiet", "ignore-unmatch")
PULL = Spec.of("r|rebase", "f|force", "no-rebase", "ff-only", "s|strategy:", "X|strategy-option:", "depth:", "j|jobs:",
                "o|origin:", "b|branch:", "upload-pack:", "c|config:", "template:", "reference:", "p|prune", "a|all",
                "t|tags")  # fmt: skip
GREP = Spec.of("no-index", "O|open-files-in-pager", "e:", "f:", "A:", "B:", "C:", "m|max-count:", "max-depth:")
DIFF = Spec.of("no-index", "O:", "S:", "G:", "output:", "n|max-count:", "grep:", "author:", "since:", "until:",
                "after:", "before:", "format:", "U|unified:", "e:", "L:", "skip:", "ext-diff", "textconv",
                "open-files-in-pager")  # fmt: skip
