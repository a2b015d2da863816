"""The user's own `claude` and `codex` as backends: run for one answer, without tools, and kept apart from everything.

Each call is a process of its own, in an empty folder of ours, with an environment that has only what the program needs
to find itself, its login and the network. It keeps no session; should a version keep one all the same, that folder
marks it as ours, and readers of transcripts leave it out (`home.is_own_session`). A hook of ours that such a program
might run sees the variable `INSIDE` and stays silent. Their logins are the programs' own business: none is read here.

Not covered: what an administrator's policy makes these programs do.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.ports import Clock
from nightgarden.errors import ModelUnavailable
from nightgarden.machine import programs
from nightgarden.machine.home import INSIDE, mind_folder
from nightgarden.minds.backend import ANSWER_TOKENS_MAX, CHARACTERS_PER_TOKEN, CallFailed, Completion, said, sendable

_NOT_NEEDED = ("PG", "NG_")  # of what lasting processes get: our own store's and models' affairs
# What the programs say to the model besides our words; measured on the requests of claude 2.1.325 and codex 0.166.0.
OVERHEAD_TOKENS = 800


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedProgram:
    """How a program ended."""

    status: int
    output: str
    errors: str


class Dialect(Protocol):
    """How one program is asked, and how its output is read. Pure."""

    @property
    def provider(self) -> str: ...

    @property
    def reports_cost(self) -> bool: ...

    def words(self, program: str, model: str, folder: Path, schema: Mapping[str, object]) -> list[str]:
        """The command line; the prompt goes in on standard input."""
        ...

    def prompt(self, prompt: str, schema: Mapping[str, object]) -> str: ...

    @property
    def env(self) -> Mapping[str, str]:
        """What it is told by variables of its own."""
        ...

    @property
    def files(self) -> Mapping[str, str]:
        """What it needs to find in the folder beside its working directory, by name."""
        ...

    def read(self, ended: EndedProgram, clock: Clock) -> Completion:
        """Raises CallFailed."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramMind:
    """A backend that runs a program."""

    dialect: Dialect
    program: str  # its absolute path
    model: str
    env: Mapping[str, str]
    passed_on: tuple[str, ...]  # names of variables that the user wants it to have as well
    timeout_seconds: float
    clock: Clock

    @property
    def provider(self) -> str:
        return self.dialect.provider

    @property
    def name(self) -> str:
        return f"{self.provider} ({self.model or 'its own choice of model'})"

    @property
    def reports_cost(self) -> bool:
        return self.dialect.reports_cost

    def check(self) -> None:
        if not os.access(self.program, os.X_OK):
            raise ModelUnavailable(f"{self.program} is not there any more; install {self.provider} again.")

    def tokens_at_most(self, prompt: str, schema: Mapping[str, object]) -> int:
        whole = len(self.dialect.prompt(prompt, schema)) + len(str(schema))
        return whole // CHARACTERS_PER_TOKEN + OVERHEAD_TOKENS + ANSWER_TOKENS_MAX

    async def ask(self, prompt: str, schema: Mapping[str, object]) -> Completion:
        folder = Path(mind_folder(self.env))
        try:
            work = _prepare(folder, self.dialect.files)
            status, output, errors = await programs.run_group(
                self.dialect.words(self.program, self.model, folder, schema),
                cwd=work,
                env={**self.environment(), **self.dialect.env, INSIDE: "1"},
                given=sendable(self.dialect.prompt(prompt, schema)).encode("utf-8"),
                seconds=self.timeout_seconds,
            )
        except TimeoutError:
            words = f"{self.provider} gave no answer within {self.timeout_seconds:g} s and was ended."
            raise CallFailed(words, CallOutcome.TIMED_OUT) from None
        except OSError as error:
            words = f"{self.program} cannot be run ({error.strerror or type(error).__name__})."
            raise CallFailed(words, CallOutcome.UNREACHABLE) from None
        ended = EndedProgram(
            status=status, output=output.decode("utf-8", "replace"), errors=errors.decode("utf-8", "replace")
        )
        return self.dialect.read(ended, self.clock)

    def environment(self) -> dict[str, str]:
        """What the program needs to find itself, its login and the network, and what the user passes on."""
        lasting = programs.lasting(self.env)
        needed = {name: value for name, value in lasting.items() if not name.startswith(_NOT_NEEDED)}
        return needed | {name: self.env[name] for name in self.passed_on if name in self.env}


def find_program(name: str, configured: str, env: Mapping[str, str]) -> str | None:
    """The absolute path of a program: the configured one, else the first on the PATH, whose relative parts, which mean
    whatever folder we are in, do not count."""
    if configured:
        path = str(Path(configured).expanduser())
        return path if os.path.isabs(path) and os.access(path, os.X_OK) else None  # noqa: PTH117
    return shutil.which(name, path=programs.clean(env).get("PATH", ""))


def not_started(provider: str, ended: EndedProgram) -> CallFailed:
    """A program that ended without saying what became of the question."""
    line = next((line for line in ended.errors.splitlines() if line.strip()), "it printed nothing")
    hint = f"; a newer {provider} may be needed" if "unknown option" in line or "unexpected argument" in line else ""
    return CallFailed(f"{provider} ended with status {ended.status}: {said(line)}{hint}.", CallOutcome.UNREACHABLE)


def _prepare(folder: Path, files: Mapping[str, str]) -> Path:
    """The folders, private, and the files that belong there. Returns the working directory, which stays empty."""
    work = folder / "work"
    work.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name, text in files.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            half = path.with_name(f"{name}.{os.getpid()}.part")
            half.write_text(text, encoding="utf-8")
            half.replace(path)
    return work


def json_lines(text: str) -> Iterator[dict[str, Any]]:
    """The objects among the lines of a program's output."""
    for line in text.splitlines():
        if line.startswith("{"):
            try:
                found = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(found, dict):
                yield found
