"""What a tool call did, in words that are the same for the same thing in every client and session. Pure.

A shell command becomes the programs it runs with their subcommands ("git commit", "npm run build"), a change of a file
becomes the kind of file ("edit migrations/*.py"). Looking around (reading, listing, searching) is no action. Does not
understand shell functions, loops or aliases: what stands in them is taken word by word.
"""

from __future__ import annotations

import itertools
import json
import posixpath
import re
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from nightgarden.domain.session import Message

COMMAND_CHARS_MAX = 600
DETAIL_CHARS_MAX = 200
_SHELLS = frozenset("bash shell exec_command local_shell run_shell_command execute_command terminal".split())
_EDITS = frozenset("edit write multiedit notebookedit patch create_file str_replace_based_edit_tool".split())
_PATCH_FILE = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (\S.*)$", re.MULTILINE)
_SEPARATORS = frozenset(("&&", "||", ";", "|", "&", "|&", ";;", "(", ")"))
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_NEEDS_QUOTES = re.compile(r"[\s'\"\\$`]")
_WORD = re.compile(r"[a-z][a-z0-9_:-]{0,30}\Z")
_PROGRAM = re.compile(r"(?!\.\.)[A-Za-z0-9_.@~][^\x00-\x1f]*\Z")  # what follows `$(…)` may begin with two dots
_REDACTED = re.compile(r"\[redacted: [^\]\n]*\]")
_WRAPPERS = frozenset("sudo time env nohup command exec npx bunx xargs timeout nice stdbuf then do else".split())
_RUNNERS = frozenset(("uv run", "poetry run", "pipenv run", "hatch run", "pnpm exec", "yarn exec", "bundle exec"))
_PYTHONS = ("python", "python3", "py")
_INTERPRETERS = (*_PYTHONS, "node", "ruby", "bash", "sh")
_LOOKING = frozenset(
    "cd ls cat echo pwd head tail grep egrep rg ag find which wc sort uniq sleep true false printf export source test ["
    " mkdir rmdir cp mv rm touch chmod chown ln tree jq yq less more man type date ps kill diff stat file du df awk cut"
    " tr tee set unset read if fi for while done wait python python3 node set -e seq basename dirname realpath hexdump"
    " nl xxd id whoami uname hostname history alias eval trap return exit shift local declare".split()
)
_LOOKING_SUBCOMMANDS = frozenset(
    (
        *(f"git {each}" for each in "status diff log show branch blame stash ls-files rev-parse remote grep".split()),
        *(f"kubectl {each}" for each in "get describe logs top explain".split()),
        *(f"docker {each}" for each in "ps images logs history inspect".split()),
        *("git config", "git describe", "npm ls", "npm view", "pip show", "pip list", "pip freeze", "systemctl status"),
    )
)
_WITH_VALUE = frozenset(
    "-n --namespace -C -f --file --prefix --context --cwd -H --project --profile --region -w".split()
)
_WITH_SUBCOMMANDS = frozenset(
    "git npm yarn pnpm bun cargo go docker podman kubectl gh glab alembic pip pip3 uv poetry make terraform aws gcloud"
    " az helm systemctl apt apt-get brew rails rake manage.py flask dotnet gradle gradlew mvn deno mix composer pybabel"
    " twine hatch tox nox prisma supabase firebase vercel netlify fly heroku ansible docker-compose conda dvc dbt"
    " redis-cli bundle gem rustup wrangler sam cdk pulumi argocd skaffold nomad vault consul just task".split()
)
_ALIASES = {"npm i": "npm install", "npm add": "npm install", "npm t": "npm test", "pnpm i": "pnpm install"}
_INSTALLS = frozenset(("npm install", "pip install", "pip3 install", "uv pip install", "pnpm install"))
_VERSIONED = re.compile(r"@?[\w./-]+(?:@|==|>=|~=)[\w.^~-]")
_THIRD_WORDS = frozenset(
    ("npm run", "yarn run", "pnpm run", "bun run", "docker compose", "gh pr", "gh release", "gh issue", "gh workflow")
)
_THIRD_WORDS |= frozenset(
    (
        "git bisect",
        "git worktree",
        "git submodule",
        "terraform state",
        "kubectl rollout",
        "aws s3",
        "go mod",
        "uv pip",
        "helm repo",
        "gh run",
        "docker image",
    )
)
_TEST_FOLDERS = frozenset(("tests", "test", "__tests__", "spec"))
_NAMED_FILES = frozenset(
    "changelog.md readme.md package.json package-lock.json pyproject.toml cargo.toml go.mod dockerfile makefile"
    " setup.py setup.cfg requirements.txt docker-compose.yml docker-compose.yaml agents.md claude.md .gitignore"
    " openapi.yaml openapi.json tsconfig.json schema.prisma version".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing done: its kind, the command or file it was done with, and whether it went wrong."""

    name: str
    detail: str = ""
    failed: bool = False
    file: str = ""  # that was changed

    @property
    def program(self) -> str:
        """The program of a command; empty for a change of a file."""
        return "" if self.file or self.name.startswith("edit ") else self.name.split(" ")[0]


def actions_of(message: Message) -> Iterator[Action]:
    """The actions of one tool call, in order."""
    tool = message.tool_name.rsplit("__", 1)[-1].lower()
    if tool in _SHELLS:
        command = _command(message.arguments)
        found = list(commands_of(command))
        for number, (name, detail) in enumerate(found):
            # A chain stops where it fails: only its last command is known to have failed.
            yield Action(name=name, detail=detail, failed=message.failed and number == len(found) - 1)
    elif tool == "apply_patch" or (tool in _EDITS and "*** " in message.arguments.get("input", "")):
        text = "\n".join(message.arguments.values())
        for path in dict.fromkeys(_PATCH_FILE.findall(text)):
            yield _edit(path.strip(), failed=message.failed)
    elif tool in _EDITS:
        path = next((message.arguments[k] for k in _PATH_KEYS if message.arguments.get(k)), "")
        if path:
            yield _edit(path, failed=message.failed)
    elif message.tool_name.startswith("mcp__") and "nightgarden" not in message.tool_name:
        yield Action(name=f"tool {tool}", detail=tool, failed=message.failed)


_PATH_KEYS = ("file_path", "filePath", "path", "notebook_path", "target_file")


def _command(arguments: Mapping[str, str]) -> str:
    raw = next((arguments[key] for key in ("command", "cmd", "script", "input") if arguments.get(key)), "")
    if raw.startswith("["):  # a list of words, the last of which is the script when the first is a shell
        try:
            words = json.loads(raw)
        except (ValueError, RecursionError):
            words = []
        if isinstance(words, list) and words and all(isinstance(word, str) for word in words):
            if len(words) >= 3 and posixpath.basename(words[0]) in ("bash", "sh", "zsh"):
                return str(words[-1])
            return shlex.join(words)
    return raw


def commands_of(command: str) -> Iterator[tuple[str, str]]:
    """The programs that a command line runs, with what each was given."""
    for line in _REDACTED.sub("[redacted]", command[:COMMAND_CHARS_MAX]).splitlines():
        if line.lstrip().startswith("#"):
            continue
        folder = ""
        for words in _simple_commands(line):
            if len(words) == 2 and words[0] == "cd" and not words[1].startswith(("/", "~", "$")):
                folder = f"cd {quote_word(words[1])} && "  # without it the command would not do the same
            name = _name(_unwrapped(words))
            if name:
                told = itertools.dropwhile(_ASSIGNMENT.match, words)  # variables hold what others must not see
                yield name, (folder + " ".join(quote_word(word) for word in told))[:DETAIL_CHARS_MAX]


def quote_word(word: str) -> str:
    """As somebody would type it: `dist/*` needs no quotation marks to be read."""
    return shlex.quote(word) if not word or _NEEDS_QUOTES.search(word) else word


def _simple_commands(line: str) -> Iterator[list[str]]:
    reader = shlex.shlex(line, posix=True, punctuation_chars=True)
    reader.whitespace_split = True
    reader.commenters = ""
    words: list[str] = []
    try:
        for token in reader:
            if token in _SEPARATORS:
                yield words
                words = []
            else:
                words.append(token)
    except ValueError:  # a quotation that does not end, as in a here-document: its first words tell enough
        words = words or line.split()[:4]
    yield words


def _unwrapped(words: list[str]) -> list[str]:
    """Without what stands before a program: variables, wrappers, the runner of an environment."""
    at = 0
    while at < len(words) and (skipped := _before_program(words, at)):
        at += skipped
    rest = words[at:]
    if not rest:
        return []
    program = rest[0].removeprefix("./") if _is_script(rest, 0) else posixpath.basename(rest[0])
    return [program, *rest[1:]]


def _before_program(words: list[str], at: int) -> int:
    """How many of the next words stand before the program itself."""
    word, following = posixpath.basename(words[at]), words[at + 1 : at + 2]
    if _ASSIGNMENT.match(words[at]) or word in _WRAPPERS:
        return 1
    if at and (word.isdigit() or words[at].startswith("-")):  # of `timeout 60`, `env -i`
        return 1
    if " ".join((word, *following)) in _RUNNERS or (word in _PYTHONS and "-m" in following):
        return 2
    return int(word in _INTERPRETERS and _is_script(words, at + 1))


def _is_script(words: list[str], at: int) -> bool:
    if at >= len(words) or words[at].startswith(("-", "/")):
        return False
    return words[at].endswith((".py", ".sh", ".js", ".mjs", ".ts", ".rb")) or words[at].startswith("./")


def _name(words: list[str]) -> str:
    if not words or words[0] in _LOOKING or not _PROGRAM.match(words[0]):
        return ""
    program = words[0]
    if program == "sed" and not any(word.startswith("-i") for word in words[1:]):
        return ""
    if posixpath.basename(program) not in _WITH_SUBCOMMANDS:
        return program[:60]
    given = zip(words[1:], words, strict=False)
    plain = [word for word, before in given if _WORD.match(word) and before not in _WITH_VALUE]
    if not plain:
        return program
    name = _ALIASES.get(f"{program} {plain[0]}", f"{program} {plain[0]}")
    if name in _LOOKING_SUBCOMMANDS:
        return ""
    if name in _THIRD_WORDS and len(plain) > 1:
        name, plain = f"{name} {plain[1]}", plain[1:]
    if name in _INSTALLS and (len(plain) > 1 or any(_VERSIONED.match(word) for word in words)):
        return f"{name} package"  # not the same as installing what the project lists
    return name


def _edit(path: str, *, failed: bool) -> Action:
    clean = path.replace("\\", "/")
    return Action(name=f"edit {kind_of_file(clean)}", detail=clean[:DETAIL_CHARS_MAX], failed=failed, file=clean)


def kind_of_file(path: str) -> str:
    """A file that every project has by its name; others by their folder and ending. Tests are one kind, wherever."""
    folder, name = posixpath.split(path)
    if name.lower() in _NAMED_FILES:
        return name
    _, ending = posixpath.splitext(name)
    parent = "tests" if _TEST_FOLDERS & set(folder.split("/")) else posixpath.basename(folder)
    return f"{parent}/*{ending or name}" if parent else f"*{ending or name}"


def relative(path: str, directory: str) -> str:
    """A file as the project names it."""
    if directory and path.startswith(directory.rstrip("/") + "/"):
        return path[len(directory.rstrip("/")) + 1 :]
    return posixpath.normpath(path)
