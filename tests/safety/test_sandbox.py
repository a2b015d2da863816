"""What a command can do in the sandbox, and what it cannot. The set-up of the tests installs bubblewrap."""

from __future__ import annotations

import asyncio
import os
import subprocess
from pathlib import Path

import pytest

from nightgarden import Garden
from nightgarden.safety.gated import GatedToolbox
from nightgarden.safety.sandbox import SandboxLimits, find_sandbox, run_sandboxed
from tests.safety.agent import Tools, bash
from tests.safety.requirements import requirement


@pytest.fixture
def tree(project: Path) -> Path:
    assert find_sandbox() is not None, "install bubblewrap: the tests need it"
    env = {"PATH": os.environ["PATH"], "HOME": str(project)}
    git = ["git", "-C", str(project), "-c", "user.name=a", "-c", "user.email=a@example.org"]
    subprocess.run([*git, "init", "-q", "-b", "main"], env=env, check=True)
    (project / "a.txt").write_text("hello")
    subprocess.run([*git, "add", "."], env=env, check=True)
    subprocess.run([*git, "commit", "-qm", "x"], env=env, check=True)
    return project


async def out(command: str, tree: Path, **limits: float) -> tuple[int | None, str]:
    ran = await run_sandboxed(command, worktree=tree, limits=SandboxLimits(**limits))  # type: ignore[arg-type]
    return ran.status, ran.output


@requirement("sandbox-writes")
async def test_it_reads_and_writes_the_worktree(tree: Path) -> None:
    assert await out("cat a.txt && echo b > b.txt", tree) == (0, "hello")
    assert (tree / "b.txt").read_text() == "b\n"


@requirement("sandbox-writes")
async def test_it_writes_nowhere_else(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tree / "link").symlink_to(tmp_path / "elsewhere")
    for command in ("echo x > ../elsewhere/a", "echo x > link/a", "echo x > /usr/a", "echo x > /etc/a", "touch ~/.ssh"):
        await out(command, tree)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    assert not Path("/usr/a").exists()
    await out("echo x > /tmp/nightgarden-sandbox-test", tree)
    assert not Path("/tmp/nightgarden-sandbox-test").exists()


@requirement("sandbox-network")
async def test_it_has_no_network(tree: Path) -> None:
    status, text = await out("cat /proc/net/dev | tail -n +3 | cut -d: -f1 | tr -d ' '", tree)
    assert (status, text.split()) == (0, ["lo"])


@requirement("sandbox-secrets")
async def test_it_sees_neither_home_nor_environment_of_the_user(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "hidden-value")
    _, text = await out("env; ls -a ~; ls /root /home 2>&1", tree)
    assert "hidden-value" not in text
    assert ".bashrc" not in text
    assert "HOME=/home/agent" in text


@requirement("sandbox-secrets")
async def test_files_with_secrets_are_empty_in_it(tree: Path) -> None:
    (tree / ".env").write_text("TOKEN=xylophone")
    (tree / "sub").mkdir()
    (tree / "sub" / "server.key").write_text("key")
    status, text = await out("cat .env sub/server.key; grep -r xylophone .", tree)
    assert "xylophone" not in text
    assert "key" not in text.replace("server.key", "")
    assert status != 0


async def test_git_commits_but_hooks_and_settings_are_read_only(tree: Path) -> None:
    who = "-c user.name=a -c user.email=a@example.org"
    status, text = await out(f"echo c > c.txt && git add c.txt && git {who} commit -qm c && git log --oneline", tree)
    assert status == 0, text
    (tree / ".git" / "hooks").mkdir(exist_ok=True)
    await out("echo 'touch /x' > .git/hooks/pre-commit; git config core.pager evil; rm -rf .git/hooks", tree)
    assert not (tree / ".git" / "hooks" / "pre-commit").exists()
    assert "evil" not in (tree / ".git" / "config").read_text()


async def test_limits_hold(tree: Path) -> None:
    assert await out("sleep 60", tree, seconds=0.5) == (None, "cut off after 0.5 s")
    status, _ = await out("head -c 2000000 /dev/zero > big", tree, file_bytes=1_000_000)
    assert status != 0
    assert (tree / "big").stat().st_size <= 1_000_000
    status, _ = await out(
        "python3 -c 'x = bytearray(10**9)' || perl -e '$x = \"a\" x 10**9'", tree, memory_bytes=200_000_000
    )
    assert status != 0
    _, text = await out("yes nightgarden | head -c 500000", tree)
    assert len(text) < 70_000
    assert "characters left out" in text


async def test_nothing_outlives_it(tree: Path) -> None:
    await out("(sleep 300 && touch late) & echo started", tree, seconds=20)
    found = (await asyncio.to_thread(subprocess.run, ["ps", "-eo", "args"], capture_output=True, text=True)).stdout
    assert "sleep 300 && touch late" not in found


@requirement("sandbox-missing")
async def test_a_shell_behind_the_gate_counts_as_sandboxed_only_if_its_owner_says_so(
    tree: Path, garden: Garden, home: Path
) -> None:
    env = {"NIGHTGARDEN_HOME": str(home), "NIGHTGARDEN_SAFETY_PROACTIVE": "true", "PATH": os.environ["PATH"]}
    unsaid, said = Tools(), Tools()
    await GatedToolbox(unsaid, garden=garden, cycle="c", directory=tree, env=env).call(bash("python3 build.py"))
    assert unsaid.commands == []
    box = GatedToolbox(said, garden=garden, cycle="c", directory=tree, env=env, sandboxed=True)
    await box.call(bash("python3 build.py"))
    assert said.commands == ["python3 build.py"]
