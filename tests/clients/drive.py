"""The real clients, run headless against the scripted model server: a fresh HOME, a clean environment, dummy keys."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.clients.install import CLAUDE_CODE, CODEX, OPENCODE, OPENCODE_PLUGIN, install, install_folder
from tests.clients.node import path_with_node
from tests.clients.terminal import Terminal

# A client starts in one to four seconds on an idle machine; a busy one is given time rather than a failure.
_TIMEOUT_SECONDS = 240


@dataclass(frozen=True, slots=True, kw_only=True)
class Ran:
    """What a client's run left on its output."""

    returncode: int
    stdout: str
    stderr: str

    def events(self) -> list[dict[str, object]]:
        """Its output as JSON lines, other lines left out."""
        return [json.loads(line) for line in self.stdout.splitlines() if line.startswith("{")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """Where a client works in a test: its home, and a project folder in it."""

    home: Path
    project: Path
    more_env: Mapping[str, str] = field(default_factory=dict)

    def run(self, program: Path, arguments: list[str], env: Mapping[str, str]) -> Ran:
        done = subprocess.run(
            [str(program), *arguments],
            env=self.clean_env(env),
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_SECONDS,
            check=False,
        )
        return Ran(returncode=done.returncode, stdout=done.stdout, stderr=done.stderr)

    def start(self, program: Path, arguments: list[str], env: Mapping[str, str]) -> subprocess.Popen[bytes]:
        """The same, left running in a process group of its own."""
        return subprocess.Popen(
            [str(program), *arguments],
            env=self.clean_env(env),
            cwd=self.project,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def clean_env(self, env: Mapping[str, str]) -> dict[str, str]:
        """Nothing of our own environment but the PATH."""
        scratch = self.home / "tmp"  # clients leave sockets and task files in the temporary folder
        scratch.mkdir(exist_ok=True)
        ours = {"HOME": str(self.home), "PATH": path_with_node(), "LANG": "C.UTF-8", "TMPDIR": str(scratch)}
        return {**ours, "CLAUDE_CODE_TMPDIR": str(scratch), **self.more_env, **env}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeCodeClient:
    """`claude -p`."""

    desk: Desk
    server_url: str

    def ask(self, prompt: str, *more: str, env: Mapping[str, str] | None = None) -> Ran:
        return self.desk.run(install(CLAUDE_CODE), self._arguments(prompt, *more), {**self.env, **(env or {})})

    def start(self, prompt: str) -> subprocess.Popen[bytes]:
        return self.desk.start(install(CLAUDE_CODE), self._arguments(prompt), self.env)

    def _arguments(self, prompt: str, *more: str) -> list[str]:
        return ["-p", prompt, "--output-format", "json", "--allowedTools", "Read,Bash,Agent,Task", *more]

    def sit_down(self) -> Terminal:
        """Starts it in a terminal, past the questions of a first start."""
        state = {
            "hasCompletedOnboarding": True,
            "customApiKeyResponses": {"approved": [self.env["ANTHROPIC_API_KEY"][-20:]], "rejected": []},
            "projects": {str(self.desk.project): {"hasTrustDialogAccepted": True}},
        }
        (self.desk.home / ".claude.json").write_text(json.dumps(state))
        terminal = Terminal([str(install(CLAUDE_CODE))], cwd=self.desk.project, env=self.desk.clean_env(self.env))
        terminal.wait_for("❯")
        return terminal

    @property
    def env(self) -> dict[str, str]:
        return {
            "ANTHROPIC_BASE_URL": self.server_url,
            "ANTHROPIC_API_KEY": "sk-ant-dummy",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class CodexClient:
    """`codex exec`."""

    desk: Desk
    server_url: str

    def configure(self, settings: str = "") -> None:
        folder = self.desk.home / ".codex"
        folder.mkdir(exist_ok=True)
        (folder / "config.toml").write_text(
            f"{settings}\n"
            'model = "scripted-model"\nmodel_provider = "scripted"\n'
            f'[model_providers.scripted]\nname = "scripted"\nbase_url = "{self.server_url}/v1"\n'
            'wire_api = "responses"\nenv_key = "SCRIPTED_KEY"\nrequest_max_retries = 0\nstream_max_retries = 0\n'
        )

    def ask(self, prompt: str, *more: str, thread: str | None = None) -> Ran:
        """In a new thread, or in the one named."""
        arguments = self._arguments(*more, *(["resume", thread] if thread else []), prompt)
        return self.desk.run(install(CODEX), arguments, {"SCRIPTED_KEY": "dummy"})

    def start(self, prompt: str) -> subprocess.Popen[bytes]:
        arguments = self._arguments("--dangerously-bypass-hook-trust", prompt)
        return self.desk.start(install(CODEX), arguments, {"SCRIPTED_KEY": "dummy"})

    def _arguments(self, *more: str) -> list[str]:
        return ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", *more]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCodeClient:
    """`opencode run` and `opencode export`."""

    desk: Desk
    server_url: str

    def configure(self) -> None:
        model = {"name": "scripted-model", "tool_call": True, "limit": {"context": 100_000, "output": 4_000}}
        provider = {
            "npm": "@ai-sdk/openai-compatible",
            "name": "scripted",
            "options": {"baseURL": f"{self.server_url}/v1", "apiKey": "dummy"},
            "models": {"scripted-model": model},
        }
        name = "scripted/scripted-model"
        config = {"model": name, "small_model": name, "provider": {"scripted": provider}, "autoupdate": False}
        folder = self.desk.home / ".config" / "opencode"
        folder.mkdir(parents=True)
        (folder / "opencode.json").write_text(json.dumps(config))
        installed = install_folder(OPENCODE_PLUGIN)  # as its own first start leaves it, without asking any registry
        for name in ("package.json", "package-lock.json"):
            shutil.copyfile(installed / name, folder / name)
        (folder / "node_modules").symlink_to(installed / "node_modules")

    def ask(self, prompt: str, *more: str) -> Ran:
        return self._run("run", "--format", "json", *more, prompt)

    def start(self, prompt: str) -> subprocess.Popen[bytes]:
        return self.desk.start(install(OPENCODE), ["run", "--format", "json", prompt], self.env)

    def _run(self, *arguments: str) -> Ran:
        return self.desk.run(install(OPENCODE), list(arguments), self.env)

    @property
    def env(self) -> dict[str, str]:
        return {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}
