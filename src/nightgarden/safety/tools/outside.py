"""Programs that reach beyond files: networks, packages, services, clouds, databases, other people. Pure.

A program whose name is not known here or in `files` is unknown: nothing is claimed about it.
"""

from __future__ import annotations

import re
from dataclasses import replace

from nightgarden.safety.command_reading import UNKNOWN, Effect, GitAct
from nightgarden.safety.secret_files import is_secret
from nightgarden.safety.tools.arguments import EVERY, Spec, read_arguments
from nightgarden.safety.tools.described import Describe, Described, Invocation
from nightgarden.safety.tools.file_programs import host_of

_CURL = Spec.of(
    "o|output:", "O|remote-name", "T|upload-file:", "d|data:", "data-binary:", "data-raw:", "data-urlencode:",
    "data-ascii:",
    "json:", "F|form:", "form-string:", "H|header:", "X|request:", "u|user:", "A|user-agent:", "e|referer:",
    "b|cookie:",
    "c|cookie-jar:", "K|config:", "x|proxy:", "m|max-time:", "connect-timeout:", "retry:", "retry-delay:", "url:",
    "w|write-out:",
    "D|dump-header:", "E|cert:", "key:", "cacert:", "capath:", "resolve:", "connect-to:", "unix-socket:", "limit-rate:",
    "output-dir:", "r|range:", "z|time-cond:", "C|continue-at:", "stderr:", "trace:", "variable:", "L|location",
    "f|fail",
    "s|silent", "S|show-error", "k|insecure", "i|include", "I|head", "g|globoff", "v|verbose", "G|get",
    "J|remote-header-name",
)  # fmt: skip
_WGET = Spec.of(
    "O|output-document:", "o|output-file:", "P|directory-prefix:", "i|input-file:", "post-file:", "body-file:",
    "post-data:",
    "body-data:", "header:", "U|user-agent:", "t|tries:", "T|timeout:", "q|quiet", "e|execute:", "method:",
    "load-cookies:",
    "save-cookies:", "c|continue", "r|recursive", "np|no-parent", "S|server-response", "spider",
)  # fmt: skip
_SQL_READS = re.compile(
    r"\s*+(?:(?:select|show|explain|describe|desc|pragma table_info|with|values|\.schema|\.tables|\.indexes)\b"
    r"|\\(?:d|l|z|conninfo|timing)[\w+]{0,8}+(?:\s++[\w.*\"]++)?+\s*+\Z)",
    re.IGNORECASE,
)
_SQL_CHANGES = re.compile(
    r"\b(?:insert|update|delete|drop|truncate|alter|create|replace|grant|revoke|vacuum|attach|into|copy|call|do|lock)\b"
    # Functions that reach files, other servers and processes.
    r"|\b(?:pg_read_\w{1,30}|pg_ls_\w{1,30}|pg_terminate_backend|pg_cancel_backend|lo_(?:im|ex)port|dblink\w{0,20}"
    r"|setval|nextval|load_file|load_extension|readfile|writefile|edit|fts3_tokenizer|sys_exec|sys_eval)\s*+\("
    r"|\\!|\\(?:o|i|copy|g)\b|^[ \t]{0,20}(?:system\b|source\b|\\\.)",
    re.IGNORECASE | re.MULTILINE,
)
# Verbs that only look, by program; anything else of these programs has the effect named.
_LOOKS: dict[str, tuple[Effect, str]] = {
    "npm": (Effect.PACKAGES, "ls list view info outdated audit why explain help root prefix search ping bin "
    "whoami -v"),
    "pnpm": (Effect.PACKAGES, "ls list view info outdated audit why help -v root"),
    "yarn": (Effect.PACKAGES, "list info outdated audit why help --version"),
    "bun": (Effect.PACKAGES, "--version"),
    "pip": (Effect.PACKAGES, "list show freeze check help --version index"),
    "pip3": (Effect.PACKAGES, "list show freeze check help --version index"),
    "uv": (Effect.PACKAGES, "tree help --version"),
    "poetry": (Effect.PACKAGES, "show check about --version"),
    "cargo": (Effect.CODE, "tree metadata search --version version help verify-project"),
    "go": (Effect.CODE, "version env list doc vet help"),
    "gem": (Effect.PACKAGES, "list search info which help"),
    "bundle": (Effect.PACKAGES, "list show info outdated check"),
    "composer": (Effect.PACKAGES, "show outdated info why"),
    "brew": (Effect.PACKAGES, "list info search outdated deps config doctor --version"),
    "apt": (Effect.PACKAGES, "list show search policy"),
    "apt-get": (Effect.PACKAGES, "--version"),
    "apt-cache": (Effect.PACKAGES, "search show policy depends"),
    "dpkg": (Effect.PACKAGES, "-l -L -s -S --list --status"),
    "dnf": (Effect.PACKAGES, "list info search"),
    "yum": (Effect.PACKAGES, "list info search"),
    "pacman": (Effect.PACKAGES, "-Q -Qi -Ql -Ss -Si"),
    "apk": (Effect.PACKAGES, "info search list"),
    "snap": (Effect.PACKAGES, "list info find"),
    "conda": (Effect.PACKAGES, "list info search"),
    "rustup": (Effect.PACKAGES, "show --version"),
    "docker": (Effect.SERVICE, "ps images logs inspect version info top stats port history diff events search"),
    "podman": (Effect.SERVICE, "ps images logs inspect version info top stats port history diff"),
    "docker-compose": (Effect.SERVICE, "ps logs config images top version"),
    "kubectl": (Effect.DEPLOY, "get describe logs top explain version api-resources api-versions cluster-info diff "
    "auth config"),
    "helm": (Effect.DEPLOY, "list status get history show search template lint version"),
    "terraform": (Effect.DEPLOY, "plan show validate version output fmt providers graph"),
    "tofu": (Effect.DEPLOY, "plan show validate version output providers graph"),
    "pulumi": (Effect.DEPLOY, "preview version whoami about logs"),
    "ansible-playbook": (Effect.DEPLOY, "--version --syntax-check --list-hosts"),
    "ansible": (Effect.DEPLOY, "--version"),
    "fly": (Effect.DEPLOY, "status logs version"), "flyctl": (Effect.DEPLOY, "status logs version"),
    "vercel": (Effect.DEPLOY, "ls inspect logs whoami"), "netlify": (Effect.DEPLOY, "status"),
    "heroku": (Effect.DEPLOY, "logs ps info apps releases"), "wrangler": (Effect.DEPLOY, "whoami tail"),
    "aws": (Effect.DEPLOY, "help --version"), "gcloud": (Effect.DEPLOY, "version info help"), "az": (Effect.DEPLOY,
    "version"),
    "systemctl": (Effect.SERVICE, "status list-units list-unit-files show is-active is-enabled cat"),
    "service": (Effect.SERVICE, "--status-all"),
    "launchctl": (Effect.SERVICE, "list print"),
    "crontab": (Effect.SERVICE, "-l"),
    "journalctl": (Effect.SERVICE, ""),
    "at": (Effect.SERVICE, "-l"),
    "sysctl": (Effect.SERVICE, "-a -n"),
    "ufw": (Effect.SERVICE, "status"),
    "gh": (Effect.MESSAGE, "status --version help"),
    "glab": (Effect.MESSAGE, "--version help"),
    "nightgarden": (Effect.SETTINGS, "recall list show history related flagged gaps stats status doctor briefing "
    "turn logs safety --help --version"),
    "ng": (Effect.SETTINGS, "recall list show history related flagged gaps stats status doctor briefing turn logs "
    "safety --help --version"),
}  # fmt: skip
_FETCHING = frozenset(
    "npm pnpm yarn bun pip pip3 uv poetry cargo go gem bundle composer brew apt apt-get dnf yum pacman apk snap "
    "conda rustup".split()
)
_CALLING = frozenset(
    "gh glab kubectl helm terraform tofu pulumi ansible ansible-playbook fly flyctl vercel netlify heroku wrangler "
    "aws gcloud az".split()
)
_OWN_LOOKS = frozenset(
    "permissions list|permissions show|permissions log|notifications list|directives list|schedule list|skills list|"
    "minds list|models list|sessions list|sessions search|sessions show|episodes list|procedures list".split("|")
)
_NOUNS = "network volume image container context system buildx node service secret stack config plugin".split()
_NOUN_LOOKS = "ls list inspect df info ps logs history".split()
# Two words that only look, for programs whose first word alone does not tell.
_TWO_LOOK: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        ("npm", "pnpm", "yarn"),
        frozenset("config get|config list|config ls|pkg get|cache ls|version|bin|store path".split("|")),
    ),
    "uv": frozenset("pip list|pip show|pip freeze|pip check|pip tree|python list|python find|python dir|tool list|tool "
                    "dir|cache dir|version".split("|")),
    "poetry": frozenset("version|env list|env info|config --list|source show".split("|")),
    "conda": frozenset(("env list",)),
    "go": frozenset("mod graph|mod why|mod verify".split("|")),
    "rustup": frozenset("toolchain list|target list|component list".split("|")),
    **dict.fromkeys(("docker", "podman"), frozenset(f"{noun} {verb}" for noun in _NOUNS for verb in _NOUN_LOOKS)),
}  # fmt: skip
_CHANGED_BY_A_WORD = ("version", "env", "config")  # looking, until a further word says what to change
_TURNING = frozenset(  # options with which a look runs a program or changes settings
    "toolexec vettool exec overlay script-shell node-options config python globalconfig userconfig".split()
)
_ONLY_VERSION = frozenset("java javac mvn gradle dotnet cmake make gmake ant scala kotlinc ctest ninja swift".split())
_GH_LOOKS = frozenset("view list status diff checks ls show download watch".split())
_RUNS = frozenset(
    "make gmake just task rake ant mvn gradle cmake ctest bazel ninja meson pytest py.test tox nox jest vitest "
    "mocha tsc eslint "
    "prettier ruff mypy black isort flake8 pylint pyright golangci-lint rustc gcc g++ clang cc java javac kotlinc "
    "scala swift "
    "dotnet phpunit rspec cypress playwright webpack vite next nuxt rollup esbuild pre-commit lint-staged husky "
    "turbo nx lerna "
    "coverage sphinx-build mkdocs hugo jekyll alembic manage.py flask uvicorn gunicorn rails hypothesis deno".split()
)
REMOTE_RUNS = frozenset("npx bunx pnpx uvx pipx dlx".split())
_MESSAGES = frozenset(
    "mail mailx sendmail mutt msmtp swaks telegram-send slack-cli wall write notify-send osascript".split()
)


def _curl(call: Invocation) -> Described:
    given = read_arguments(call.args, _CURL)
    urls = (*given.operands, *given.of("url"))
    sent = [
        value.lstrip("@") for value in given.of("data", "data-binary", "data-ascii", "json") if value.startswith("@")
    ]
    sent += [value.partition("@")[2] for value in given.of("data-urlencode") if "@" in value]
    sent += [
        value.partition("=")[2].lstrip("@<").partition(";")[0]
        for value in given.of("form")
        if value.partition("=")[2][:1] in ("@", "<")
    ]
    sent += [
        *given.of("upload-file"),
        *given.of("config", "cert", "key"),
        *(v for v in given.of("cookie") if "=" not in v),
    ]
    sent += [value[1:] for value in given.of("header") if value.startswith("@")]
    local = [url.removeprefix("file://") for url in urls if url.lower().startswith("file://")]
    writes = [*given.of("output", "cookie-jar", "dump-header", "stderr", "trace")]
    if given.has("remote-name"):
        writes += [_last(url) for url in urls]
    writes += given.of("output-dir")
    hosts = tuple(_host(url) for url in urls if not url.lower().startswith("file://"))
    return Described(
        command=call.command(
            options=given.options,
            reads=call.paths(*sent, *local),
            writes=call.paths(*writes),
            sends=(*hosts, *(host_of(proxy) or proxy for proxy in given.of("proxy"))),
            downloads=bool(hosts),
            unknown=("it takes options from a file",) if given.has("config") else (),
        )
    )


def _wget(call: Invocation) -> Described:
    given = read_arguments(call.args, _WGET)
    written = (*given.of("output-document", "output-file"), *given.of("directory-prefix"))
    if not given.of("output-document") and not given.has("spider"):
        written += tuple(_last(url) for url in given.operands)
    hosts = tuple(_host(url) for url in given.operands)
    reads = call.paths(*given.of("post-file", "body-file", "input-file", "load-cookies"))
    return Described(
        command=call.command(
            options=given.options, reads=reads, writes=call.paths(*written), sends=hosts or (UNKNOWN,), downloads=True
        )
    )


def _last(url: str) -> str:
    return url.partition("?")[0].rstrip("/").rpartition("/")[2]


def _host(url: str) -> str:
    return host_of(url if "://" in url else f"http://{url}") or UNKNOWN


def _connect(call: Invocation) -> Described:
    """nc, telnet, ftp and the like: the first operand is the host; `-e` runs a program for whoever connects."""
    given = read_arguments(call.args, Spec.of("p:", "s:", "w:", "e|exec:", "c|sh-exec:", "l|listen", "X:", "x:", "i:"))
    hosts = tuple(host_of(word) or word for word in given.operands[:1]) or (UNKNOWN,)
    starts = call.name == "socat" and any(word.lower().startswith(("exec:", "system:", "shell:")) for word in call.args)
    effects = frozenset({Effect.REMOTE_CODE}) if starts or given.of("exec", "sh-exec") else frozenset[Effect]()
    return Described(
        command=call.command(sends=hosts, downloads=True, effects=effects), scripts=given.of("exec", "sh-exec")
    )


def _looks(call: Invocation) -> Described:
    """A program with verbs: some only look."""
    effect, looking = _LOOKS[call.name]
    if any(word in ("--help", "--version") for word in call.args[:2]):  # further on it may be for what is started
        return Described(command=call.command())
    given = read_arguments(
        call.args,
        Spec.of(
            "n|namespace:", "context:", "f|file:", "profile:", "region:", "env-file:", "R|repo:", "var:", "H|host:"
        ),
    )
    words = [word for word in given.operands if word]
    verb = words[0] if words else next(iter(call.args), "")
    only_looks = _only_looks(call, verb, words, looking)
    reads = (*call.paths(*given.of("env-file")), *(secrets_among(call) if call.name in _CALLING else ()))
    runs = ("test", "start", "t", "run") if call.name in ("npm", "pnpm", "yarn", "bun") else ("test",)
    if verb in runs and call.name in _FETCHING:
        return Described(command=call.command(effects=frozenset({Effect.CODE}), reads=reads))
    sends = (call.name,) if call.name in _CALLING or (call.name in _FETCHING and not only_looks) else ()
    effects = frozenset[Effect]() if only_looks else frozenset({effect})
    if only_looks and call.name in _CALLING:
        return Described(command=call.command(sends=sends, downloads=True, reads=reads))
    command = call.command(options=given.options, effects=effects, sends=sends, reads=reads)
    if words[:2] == ["repo", "sync"] and given.has("force"):
        command = replace(command, git=GitAct(verb="push", remote="origin", force=True, changes=True))
    if words[:2] in (["repo", "delete"], ["release", "delete"]) or _deletes_by_api(call, words):
        command = replace(command, git=GitAct(verb="push", deletes_remote=True, changes=True))
    if (
        call.name == "gh"
        and words[:1] == ["api"]
        and not given.has("X", "method", "f", "F", "field", "raw-field", "input")
    ):
        command = replace(command, effects=frozenset())
    return Described(command=command)


def _only_looks(call: Invocation, verb: str, words: list[str], looking: str) -> bool:
    """Whether a program with verbs was asked for nothing but a look."""
    first = verb in looking.split() or call.name == "journalctl"
    pair = " ".join(words[:2])
    match call.name:
        case "nightgarden" | "ng":
            return (first and "--repair" not in call.args) or pair in _OWN_LOOKS
        case "gh" | "glab":
            return first or (len(words) > 1 and words[1] in _GH_LOOKS)
        case "aws" | "gcloud" | "az":
            return first or any(word.startswith(("describe", "list", "get-", "ls", "show")) for word in words[1:3])
    told = {word.lstrip("-").partition("=")[0] for word in call.args if word.startswith("-")}
    turning = _TURNING | {"w", "u"} if call.name == "go" and verb == "env" else _TURNING
    if call.name in _FETCHING and not turning.isdisjoint(told):
        return False
    if pair in _TWO_LOOK.get(call.name, ()):
        return "bump" not in told
    if verb in _CHANGED_BY_A_WORD and call.name not in ("go", "kubectl", "docker-compose", "brew"):
        return first and len(words) == 1 and "bump" not in told and call.name != "poetry"
    return first and words[1:2] != ["fix"] and "fix" not in told


def _deletes_by_api(call: Invocation, words: list[str]) -> bool:
    return words[:1] == ["api"] and any(word.rpartition("=")[2].removeprefix("-X") == "DELETE" for word in call.args)


def secrets_among(call: Invocation) -> tuple[str, ...]:
    """Files with secrets that are named in the arguments, such as `s3 cp .env` or `--from-env-file=.env`."""
    parts = (part for word in call.args for part in re.split(r"[=:,@]", word) if "." in part or "/" in part)
    return tuple(path for path in call.paths(*parts) if is_secret(path))


def _runs_code(call: Invocation) -> Described:
    told = call.args in (("-version",), ("-v",), ("--info",)) and call.name in _ONLY_VERSION
    if told or any(word in ("--version", "--help", "-V") for word in call.args[:2]):
        return Described(command=call.command())
    given = read_arguments(call.args, EVERY)
    effects = {Effect.CODE, Effect.SETTINGS} if call.args[:1] == ("uninstall",) else {Effect.CODE}  # of hooks
    return Described(command=call.command(options=given.options, effects=frozenset(effects)))


def _runs_remote(call: Invocation) -> Described:
    return Described(command=call.command(sends=("packages",), effects=frozenset({Effect.CODE, Effect.PACKAGES})))


def _message(call: Invocation) -> Described:
    effects = frozenset({Effect.MESSAGE})
    return Described(command=call.command(effects=effects, sends=(UNKNOWN,), reads=secrets_among(call)))


def _kill(call: Invocation) -> Described:
    looks = any(word in ("-l", "-0", "--list") for word in call.args)
    return Described(command=call.command(effects=frozenset() if looks else frozenset({Effect.PROCESS})))


def _system(call: Invocation) -> Described:
    return Described(command=call.command(effects=frozenset({Effect.SERVICE})))


def _database(call: Invocation) -> Described:
    given = read_arguments(
        call.args,
        Spec.of("c|command:", "e|execute:", "f|file:", "h|host:", "U|username:", "d|dbname:", "p|port:", "u|user:"),
    )
    texts = [*given.of("command", "execute")]
    if call.name in ("sqlite3", "duckdb"):
        texts += given.operands[1:]
    elif call.stdin.text:
        texts.append(call.stdin.text)
    looks = bool(texts) and all(_SQL_READS.match(text) and not _SQL_CHANGES.search(text) for text in texts)
    looks = looks or any(word in ("--version", "--help", "-l") for word in call.args)
    reads = call.paths(*given.of("file"), *(given.operands[:1] if call.name in ("sqlite3", "duckdb") else ()))
    looks = looks or (call.name == "redis-cli" and given.operands[:1] in _REDIS_LOOKS)
    command = call.command(reads=reads, sends=given.of("host"))
    if not looks:
        writes = reads[-1:] if call.name in ("sqlite3", "duckdb") and reads else ()
        command = replace(command, writes=writes, effects=frozenset({Effect.DATABASE}))
    return Described(command=command)


_REDIS_LOOKS = tuple((word,) for word in "ping get mget keys scan info ttl type exists dbsize llen hgetall".split())


OUTSIDE_PROGRAMS: dict[str, Describe] = {
    **dict.fromkeys(_LOOKS, _looks),
    **dict.fromkeys(_RUNS, _runs_code),
    **dict.fromkeys(REMOTE_RUNS, _runs_remote),
    **dict.fromkeys(_MESSAGES, _message),
    **dict.fromkeys(("nc", "ncat", "netcat", "telnet", "ftp", "sftp", "socat", "ping", "dig", "nslookup", "host",
        "traceroute",
                     "http", "https", "xh", "aria2c", "lynx", "w3m"), _connect),
    **dict.fromkeys(("kill", "pkill", "killall", "xkill"), _kill),
    **dict.fromkeys(("reboot", "shutdown", "halt", "poweroff", "mount", "umount", "mkfs", "fdisk", "parted",
        "useradd", "usermod",
                     "userdel", "passwd", "visudo", "iptables", "nft", "modprobe", "insmod", "chsh", "swapoff",
                     "hdparm"), _system),
    **dict.fromkeys(("psql", "mysql", "mariadb", "sqlite3", "duckdb", "mongosh", "mongo", "redis-cli", "dropdb",
        "createdb",
                     "pg_restore", "pg_dump", "mysqldump"), _database),
    "curl": _curl, "wget": _wget,
}  # fmt: skip
