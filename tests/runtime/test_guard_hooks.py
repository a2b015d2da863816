"""The guard as each client calls it: the hook's process, asked before a tool runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.cli.command import run
from tests.runtime.running import Home

RULES = ("Never force-push anything", "Never edit files under generated/", "Don't use npm here, use pnpm")
FORMS: dict[str, dict[str, tuple[str, dict[str, Any]]]] = {
    "claude-code": {
        "push": ("Bash", {"command": "git -C . push -f", "description": "Push the branch"}),
        "look": ("Bash", {"command": "grep -rn 'git push --force' . | head", "description": "Look for force pushes"}),
        "edit": ("Edit", {"file_path": "generated/a.py", "old_string": "a", "new_string": "b"}),
        "read": ("Bash", {"command": "cat generated/a.py"}),
        "fine": ("Edit", {"file_path": "README.md", "old_string": "npm install", "new_string": "pnpm install"}),
    },
    "codex": {
        "push": ("exec_command", {"cmd": "bash -lc 'git push origin +HEAD'"}),
        "look": ("exec_command", {"cmd": "git log --grep='force push'"}),
        "edit": (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: generated/a.py\n@@\n-a\n+b\n*** End Patch"},
        ),
        "read": ("shell", {"command": ["cat", "generated/a.py"]}),
        "fine": (
            "apply_patch",
            {"input": "*** Begin Patch\n*** Update File: R.md\n@@\n-npm i\n+pnpm i\n*** End Patch"},
        ),
    },
    "opencode": {
        "push": ("bash", {"command": "F=--force; git push $F"}),
        "look": ("bash", {"command": "ls && git status"}),
        "edit": ("write", {"filePath": "generated/a.py", "content": "b"}),
        "read": ("read", {"filePath": "generated/a.py"}),
        "fine": ("edit", {"filePath": "README.md", "oldString": "npm install", "newString": "pnpm install"}),
    },
}


class Session:
    """One session of a client, as its hooks see it."""

    def __init__(self, home: Home, client: str, project: Path) -> None:
        self.home, self.client, self.project = home, client, project

    def send(self, event: str, **data: Any) -> str:
        given = {"session_id": f"s-{self.client}", "cwd": str(self.project), "hook_event_name": event, **data}
        words = ("hook", event, self.client)
        return run(self.home.path, *words, cwd=self.project, stdin=json.dumps(given).encode()).out

    def denied(self, what: str) -> str:
        tool, given = FORMS[self.client][what]
        said = self.send("PreToolUse", tool_name=tool, tool_input=given)
        parts = json.loads(said) if said.strip() else {}
        inner = parts.get("hookSpecificOutput", {})
        return str(parts.get("deny") or inner.get("permissionDecisionReason") or "")


def test_each_client_is_stopped_by_what_a_command_means_and_a_yes_is_consent(home: Home, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    home.start()
    for rule in RULES:
        assert run(home.path, "remember", rule, cwd=project).code == 0
    for client in FORMS:
        session = Session(home, client, project)
        session.send("UserPromptSubmit", prompt="thanks")
        assert RULES[0] in session.denied("push"), client
        assert RULES[1] in session.denied("edit"), client
        assert [session.denied(what) for what in ("look", "read", "fine")] == ["", "", ""], client
        session.send("UserPromptSubmit", prompt="Yes, go ahead.")
        assert session.denied("push") == "", client
        session.send("UserPromptSubmit", prompt="thanks")
        assert RULES[0] in session.denied("push"), client
