"""Programs that work on files: what they read, write and delete. Pure."""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace

from nightgarden.safety.command_reading import Effect
from nightgarden.safety.patches import read_patch
from nightgarden.safety.tools.arguments import EVERY, Arguments, Spec, read_arguments
from nightgarden.safety.tools.described import Describe, Described, Invocation
from nightgarden.safety.tools.looking import LOOKING_PROGRAMS
from nightgarden.safety.tools.scripts import awk_does_more, sed_does_more, started_by

_RM = Spec.of("r|R|recursive", "f|force", "i|interactive", "d|dir", "v|verbose", "no-preserve-root", "one-file-system",
              "preserve-root", "I", "u|remove", "n|iterations:", "z|zero", "s|size:")  # fmt: skip
_COPY = Spec.of("r|R|recursive", "f|force", "t|target-directory:", "S|suffix:", "a|archive", "T|no-target-directory",
                "m|mode:", "o|owner:", "g|group:", "s|symbolic", "n|no-clobber", "backup")  # fmt: skip
_BAT = Spec.of("l|language:", "r|line-range:", "H:", "pager:", "theme:", "style:", "map-syntax:")
_LESS = Spec.of("o|O|log-file:", "p|pattern:", "k|lesskey-file:", "P:", "t:", "T:", "x:", "y:", "z:", "j:", "b:", "h:")
_VALUED = {  # options of programs that read which take a value
    "head": Spec.of("n|lines:", "c|bytes:"), "tail": Spec.of("n|lines:", "c|bytes:", "s|sleep-interval:", "pid:"),
    "cut": Spec.of("d|delimiter:", "f|fields:", "b|bytes:", "c|characters:", "output-delimiter:"),
    "od": Spec.of("A|address-radix:", "j|skip-bytes:", "N|read-bytes:", "t|format:", "S|strings:"),
    "xxd": Spec.of("l:", "s:", "c:", "g:", "o:"), "hexdump": Spec.of("n:", "s:", "e:", "f:"),
    "paste": Spec.of("d|delimiters:"), "fold": Spec.of("w|width:"), "fmt": Spec.of("w|width:"), "nl": Spec.of("b:",
    "w:", "s:"),
    "join": Spec.of("t:", "j:", "o:", "e:", "a:"), "column": Spec.of("t", "s|separator:", "c:", "o:"),
    "jq": Spec.of("arg:", "argjson:", "indent:", "f|from-file:", "L:"),
    "strings": Spec.of("n|bytes:", "t:", "e:"),
    "diff": Spec.of("U|unified:", "C|context:", "I:", "x|exclude:", "label:"), "bat": _BAT, "batcat": _BAT,
    "base64": Spec.of("w|wrap:", "i|input:", "o|output:"), "wc": Spec.of("files0-from:"),
    "less": _LESS, "more": _LESS, "most": _LESS, "zless": _LESS, "view": Spec.of("c:", "cmd:", "S:", "s:", "u:"),
    "xmllint": Spec.of("o|output:", "xpath:", "schema:", "relaxng:", "pattern:", "encode:", "path:"),
    "iconv": Spec.of("f|from-code:", "t|to-code:", "o|output:"),
    "sdiff": Spec.of("o|output:", "w|width:", "I:"),
    "file": Spec.of("f|files-from:", "m|magic-file:", "F:", "P:"),
}  # fmt: skip
_GREP = Spec.of("e|regexp:", "f|file:", "A|after-context:", "B|before-context:", "C|context:", "m|max-count:",
                "include:", "exclude:", "exclude-dir:", "g|glob:", "t|type:", "T|type-not:", "d:", "D:", "color:",
                "colour:", "j|threads:", "M|max-columns:", "E|encoding:", "pre:", "iglob:", "max-depth:", "r|recursive",
                "sort:", "label:", "ignore-file:", "hostname-bin:", "replace:", "exclude-from:",
                "path-separator:")  # fmt: skip
_SED = Spec.of(
    "e|expression:", "f|file:", "i|in-place", "n|quiet", "E|r|regexp-extended", "s|separate", "l|line-length:"
)
_AWK = Spec.of(
    "f|E|exec|file:", "F|field-separator:", "v|assign:", "i|include:", "e|source:", "l|load:", "o|pretty-print",
    "d|dump-variables", "p|profile", "D|debug",
)  # fmt: skip
_TAR = Spec.of("f|file:", "C|directory:", "c|create", "x|extract", "t|list", "r|append", "u|update", "z", "j", "J", "v",
               "exclude:", "T|files-from:", "I|use-compress-program:", "to-command:", "checkpoint-action:",
               "strip-components:", "transform:", "one-top-level", "p", "k", "O|to-stdout")  # fmt: skip
_RSYNC = Spec.of("e|rsh:", "delete", "delete-before", "delete-after", "delete-during", "delete-excluded", "exclude:",
                 "include:", "f|filter:", "files-from:", "remove-source-files", "rsync-path:", "port:", "bwlimit:",
                 "T|temp-dir:", "password-file:", "n|dry-run")  # fmt: skip

# These read the files they are given and print something about them.
READERS = frozenset(
    "cat head tail less more bat batcat nl tac rev wc file strings od xxd hexdump hd base32 base64 md5sum sha1sum "
    "sha224sum "
    "sha256sum sha384sum sha512sum b2sum cksum sum cmp comm diff colordiff sdiff diff3 fold fmt expand unexpand column "
    "paste join cut jq gron iconv csvlook xmllint zcat bzcat xzcat zless zgrep look pr ptx tsort most view".split()
)
_ENVIRONMENT = re.compile(r"\$ENV\b|(?<![.\w$\"'])env\b")
_PAGERS = ("less", "more", "most", "view", "zless")  # `+!command` runs one


def _readers(call: Invocation) -> Described:
    given = read_arguments(call.args, _VALUED.get(call.name, EVERY))
    operands = tuple(word for word in given.operands if not _is_count(word))
    writes = given.of("output", "log-file")
    if call.name in ("jq", "gron"):
        operands = operands if given.has("from-file") else operands[1:]
    if call.name == "xxd":
        operands, writes = operands[:1], operands[1:2]
    command = call.command(
        options=given.options,
        reads=call.paths(*operands, *given.of("input", "from-file", "files0-from", "files-from", "magic-file")),
        writes=call.paths(*writes),
        shows=("*",) if call.name == "jq" and any(_ENVIRONMENT.search(word) for word in call.args) else (),
    )
    if _runs_something(call, given):
        command = replace(command, effects=frozenset({Effect.CODE}), unknown=("a pager is told to run something",))
    return Described(command=command, scripts=given.of("pager"))


def _runs_something(call: Invocation, given: Arguments) -> bool:
    """Pagers and `view` take commands of their own, which may be any command."""
    if call.name in _PAGERS and any(word.startswith("+") and not _is_count(word) for word in call.args):
        return True
    if call.name == "file":
        return given.has("C", "compile")
    return given.has("pager", "lesskey-file") or (call.name == "view" and given.has("c", "cmd", "S", "s", "u"))


def _yq(call: Invocation) -> Described:
    given = read_arguments(call.args, Spec.of("i|inplace", "o|output-format:", "p|input-format:", "from-file:", "I:"))
    words = given.operands[1:] if given.operands[:1] in (("eval",), ("e",), ("eval-all",), ("ea",)) else given.operands
    files = call.paths(*words[1:])
    more = any(sign in word for word in words[:1] for sign in ("load", "env", "$ENV")) or given.has("from-file")
    return Described(
        command=call.command(reads=files, writes=files if given.has("inplace") else (), effects=_code(more))
    )


def _is_count(word: str) -> bool:
    return word[:1] in "+-" and word[1:].isdigit()


def _grep(call: Invocation) -> Described:
    given = read_arguments(call.args, _GREP)
    named = given.has("regexp", "file", "files")
    files = given.operands if named else given.operands[1:]
    command = call.command(options=given.options, reads=call.paths(*files, *given.of("file")))
    runs = given.of("pre", "hostname-bin")
    return Described(command=replace(command, effects=frozenset({Effect.CODE}) if runs else frozenset()), scripts=runs)


def _sed(call: Invocation) -> Described:
    given = read_arguments(call.args, _SED)
    in_script = given.has("expression", "file")
    scripts = given.of("expression") or (() if in_script else given.operands[:1])
    files = call.paths(*(given.operands if in_script else given.operands[1:]))
    in_place = given.has("in-place") or any(word.startswith(("-i", "--in-place")) for word in call.args)
    command = call.command(options=given.options, reads=(*files, *call.paths(*given.of("file"))))
    if in_place:
        command = replace(command, writes=files, options=given.options | {"in-place"})
    if any(sed_does_more(script) for script in scripts) or given.has("file"):
        command = replace(command, effects=frozenset({Effect.CODE}), unknown=("the sed script may write or run",))
    return Described(command=command)


def _awk(call: Invocation) -> Described:
    given = read_arguments(call.args, _AWK, stop_at_operand=True)
    given_code = given.of("source") or (() if given.has("file") else given.operands[:1])
    files = given.operands if given.has("file", "source") else given.operands[1:]
    paths = call.paths(*(word for word in files if "=" not in word), *given.of("file"))
    more = given.has("file", "include", "load", "dump-variables", "pretty-print", "profile", "debug")
    more = more or any(awk_does_more(text) for text in given_code)
    command = call.command(reads=paths, writes=paths if "inplace" in given.of("include") else (), effects=_code(more))
    return Described(command=command, scripts=tuple(s for text in given_code for s in started_by(text)))


def _sort(call: Invocation) -> Described:
    given = read_arguments(
        call.args,
        Spec.of("o|output:", "k|key:", "t|field-separator:", "S|buffer-size:", "T:", "parallel:", "files0-from:"),
    )
    command = call.command(
        reads=call.paths(*given.operands, *given.of("files0-from")), writes=call.paths(*given.of("output"))
    )
    if any(word.startswith("--compress-program") for word in call.args):
        command = replace(command, effects=frozenset({Effect.CODE}))
    return Described(command=command)


def _uniq(call: Invocation) -> Described:
    given = read_arguments(call.args, Spec.of("f:", "s:", "w:"))
    return Described(
        command=call.command(reads=call.paths(*given.operands[:1]), writes=call.paths(*given.operands[1:2]))
    )


def _delete(call: Invocation) -> Described:
    given = read_arguments(call.args, _RM)
    paths = call.paths(*given.operands)
    if call.name == "shred" and not given.has("remove"):
        return Described(command=call.command(options=given.options, writes=paths))
    return Described(command=call.command(options=given.options, deletes=paths))


def _write(call: Invocation) -> Described:
    given = read_arguments(
        call.args, Spec.of("r|reference:", "d|date:", "t:", "m|mode:", "s|size:", "a|append", "p|parents")
    )
    return Described(command=call.command(options=given.options, writes=call.paths(*given.operands)))


def _mode(call: Invocation) -> Described:
    """The mode or owner comes first, and may begin with a dash: `chmod -x file`."""
    words = [word for word in call.args if word not in ("-R", "-v", "-f", "-c", "-h", "--recursive", "--")]
    return Described(command=call.command(writes=call.paths(*words[1:])))


def _copy(call: Invocation) -> Described:
    given = read_arguments(call.args, _COPY)
    into = given.of("target-directory")
    sources = call.paths(*(given.operands if into else given.operands[:-1]))
    target = call.paths(*(into or given.operands[-1:]))
    if call.name == "ln" and not into and len(given.operands) == 1:
        sources, target = call.paths(*given.operands), (call.cwd,)
    elif call.name == "ln" and given.has("symbolic") and target:
        sources = replace(call, cwd=_folder_of_link(call, *(into or given.operands[-1:]))).paths(
            *(given.operands if into else given.operands[:-1])
        )
    command = call.command(options=given.options, reads=sources, writes=target)
    if call.name == "mv":
        command = replace(command, deletes=sources)
    return Described(command=command)


def _folder_of_link(call: Invocation, target: str) -> str:
    """What a relative link starts from: the folder that it is in."""
    path = call.path(target)
    return path if target.endswith(("/", ".")) else posixpath.dirname(path)


def _dd(call: Invocation) -> Described:
    given = dict(word.partition("=")[::2] for word in call.args)
    return Described(
        command=call.command(reads=call.paths(given.get("if", "")), writes=call.paths(given.get("of", "")))
    )


def _archive(call: Invocation) -> Described:
    args = list(call.args)
    if args and not args[0].startswith("-") and args[0].isalpha():
        args[0] = "-" + args[0]  # tar's old way: `tar czf x.tgz files`
    given = read_arguments(args, _TAR)
    runs = (
        *given.of("use-compress-program", "to-command"),
        *(a.partition("exec=")[2] for a in given.of("checkpoint-action")),
    )
    archive, rest = call.paths(*given.of("file")), call.paths(*given.operands)
    if given.has("create", "append", "update"):
        command = call.command(reads=rest, writes=archive)
    elif given.has("extract"):
        command = call.command(reads=archive, writes=call.paths(*(given.of("directory") or (".",))))
    else:
        command = call.command(reads=archive)
    return Described(command=command, scripts=tuple(text for text in runs if text))


def _zip(call: Invocation) -> Described:
    given = read_arguments(call.args, Spec.of("d:", "x:", "P:", "i:"))
    paths = call.paths(*given.operands)
    if call.name == "zip":
        return Described(command=call.command(reads=paths[1:], writes=paths[:1], effects=_code("-TT" in call.args)))
    if given.has("l", "t", "v", "p", "Z"):
        return Described(command=call.command(reads=paths[:1]))
    return Described(command=call.command(reads=paths[:1], writes=call.paths(*(given.of("d") or (".",)))))


def _code(runs: bool) -> frozenset[Effect]:
    return frozenset({Effect.CODE}) if runs else frozenset()


def _in_place(call: Invocation) -> Described:
    given = read_arguments(call.args, EVERY)
    paths = call.paths(*given.operands)
    if given.has("c", "stdout", "to-stdout", "l", "list", "t", "test"):
        return Described(command=call.command(reads=paths))
    return Described(command=call.command(reads=paths, writes=paths, deletes=paths))


def _editor(call: Invocation) -> Described:
    given = read_arguments(call.args, EVERY)
    paths = call.paths(*given.operands)
    runs = bool(given.options) or call.name in ("ed", "ex") or any(word.startswith("+") for word in call.args)
    if given.options and all(word in ("--version", "--help", "-v", "-V", "-h") for word in call.args):
        return Described(command=call.command())
    return Described(command=call.command(reads=paths, writes=paths, effects=_code(runs)))


def _split(call: Invocation) -> Described:
    given = read_arguments(call.args, Spec.of("l|lines:", "b|bytes:", "n|number:", "a|suffix-length:", "C:", "filter:"))
    target = call.paths(*given.operands[1:2]) or (call.cwd,)
    command = call.command(reads=call.paths(*given.operands[:1]), writes=target)
    return Described(command=command, scripts=given.of("filter"))


def _openssl(call: Invocation) -> Described:
    at = {word: call.args[number + 1] for number, word in enumerate(call.args[:-1]) if word.startswith("-")}
    sends = (at["-connect"].partition(":")[0],) if "-connect" in at else ()
    reads, writes = call.paths(at.get("-in", ""), at.get("-inkey", "")), call.paths(at.get("-out", ""))
    return Described(command=call.command(reads=reads, writes=writes, sends=sends, downloads=bool(sends)))


def _rsync(call: Invocation) -> Described:
    given = read_arguments(call.args, _RSYNC)
    sources, target = given.operands[:-1], given.operands[-1:]
    hosts = tuple(host_of(word) for word in given.operands if host_of(word))
    here = call.paths(*(word for word in sources if not host_of(word)))
    into = call.paths(*(word for word in target if not host_of(word)))
    deleting = any(option.startswith("delete") for option in given.options)
    command = call.command(
        options=given.options,
        reads=here,
        writes=into,
        deletes=(*(into if deleting else ()), *(here if given.has("remove-source-files") else ())),
        sends=hosts,
        downloads=bool(into) and bool(hosts),
    )
    return Described(command=command, scripts=given.of("rsh") if given.of("rsh") != ("ssh",) else ())


def host_of(word: str) -> str:
    """The host of `user@host:path` or `rsync://host/path`; empty for a path here."""
    if "://" in word:
        return word.partition("://")[2].partition("/")[0].rpartition("@")[2].partition(":")[0]
    before, colon, _ = word.partition(":")
    return before.rpartition("@")[2] if colon and "/" not in before else ""


def _apply_patch(call: Invocation) -> Described:
    """Codex's patches, also when they are given to a shell."""
    edits = read_patch(call.args[0] if call.args else call.stdin.text or "", call.path)
    writes = tuple(edit.path for edit in edits if not edit.deletes)
    deletes = tuple(edit.path for edit in edits if edit.deletes)
    unknown = () if edits else ("the patch is only known when it runs",)
    command = call.command(words=("apply_patch",), writes=writes, deletes=deletes, unknown=unknown)
    return Described(command=replace(command, text="\n".join(edit.added for edit in edits)))


FILE_PROGRAMS: dict[str, Describe] = {
    **LOOKING_PROGRAMS,
    **dict.fromkeys(READERS, _readers),
    **dict.fromkeys(("grep", "egrep", "fgrep", "rg", "ag", "ack", "ugrep"), _grep),
    **dict.fromkeys(("sed", "gsed"), _sed),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
    **dict.fromkeys(("rm", "rmdir", "unlink", "shred", "trash", "trash-put", "srm", "del", "gio"), _delete),
    **dict.fromkeys(("touch", "mkdir", "truncate", "mkfifo", "mktemp", "tee", "sponge", "fallocate"), _write),
    **dict.fromkeys(("chmod", "chown", "chgrp", "chattr", "setfacl", "xattr"), _mode),
    **dict.fromkeys(("cp", "mv", "ln", "install", "gcp"), _copy),
    **dict.fromkeys(("gzip", "gunzip", "bzip2", "bunzip2", "xz", "unxz", "zstd", "dos2unix", "unix2dos"), _in_place),
    **dict.fromkeys(("vim", "vi", "nvim", "nano", "emacs", "code", "subl", "ed", "ex", "patch"), _editor),
    **dict.fromkeys(("zip", "unzip"), _zip),
    **dict.fromkeys(("split", "csplit"), _split),
    **dict.fromkeys(("rsync", "scp"), _rsync),
    "yq": _yq,
    "sort": _sort,
    "uniq": _uniq,
    "dd": _dd,
    "apply_patch": _apply_patch,
    "tar": _archive,
    "bsdtar": _archive,
    "openssl": _openssl,
}
