"""Work on code, from a failing test to a pull request: in a worktree, in the sandbox, by the user's word."""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycles import Cycle, CyclePhase
from nightgarden.ambient.events import Trigger
from nightgarden.ambient.run_gate import Run
from nightgarden.ambient.work.work_records import WorkStatus
from nightgarden.ambient.work.worktree import Worktrees, worktrees_folder
from nightgarden.minds.scripted import calls
from nightgarden.minds.speaker import Spoken
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import RequestStatus
from nightgarden.settings import load_settings
from tests.ambient.conftest import Standing
from tests.ambient.test_agent import Talks, ends
from tests.conftest import Open

BROKEN = "def add(a, b):\n    return a - b\n"
MENDED = "def add(a, b):\n    return a + b\n"
TEST = "import unittest\nfrom sums import add\n\n\nclass Sums(unittest.TestCase):\n    def test_add(self):\n" + (
    "        self.assertEqual(add(2, 2), 4)\n"
)


def git(folder: Path, *words: str) -> str:
    words = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", *words)
    done = subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout.strip()


@pytest.fixture
def repository(project: Path, tmp_path: Path) -> Path:
    """A repository with a test that really fails, and a bare remote."""
    bare = tmp_path / "ada" / "sums.git"
    bare.mkdir(parents=True)
    git(bare, "init", "-q", "--bare", "-b", "main")
    git(project, "init", "-q", "-b", "main")
    (project / "sums.py").write_text(BROKEN, "utf-8")
    (project / "test_sums.py").write_text(TEST, "utf-8")
    (project / "Makefile").write_text("test:\n\tpython3 -m unittest -q\n", "utf-8")
    (project / ".git" / "hooks" / "post-checkout").write_text(f"#!/bin/sh\ntouch {tmp_path}/trap\n", "utf-8")
    (project / ".git" / "hooks" / "post-checkout").chmod(0o755)
    git(project, "add", "sums.py", "test_sums.py", "Makefile")
    git(project, "commit", "-q", "-m", "one")
    git(project, "remote", "add", "origin", str(bare))
    git(project, "push", "-q", "origin", "main")
    (project / "notes.txt").write_text("not committed", "utf-8")
    git(project, "add", "notes.txt")
    return project


class Forge(BaseHTTPRequestHandler):
    """Opens pull requests, as a forge's API does."""

    asked: list[tuple[str, dict[str, Any], str | None]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append((self.path, body, self.headers.get("Authorization")))
        answer = json.dumps({"html_url": "https://forge.example/ada/sums/pulls/7"}).encode()
        self.send_response(201)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def forge() -> Iterator[tuple[str, list[Any]]]:
    asked: list[Any] = []
    server = HTTPServer(("127.0.0.1", 0), type("TestForge", (Forge,), {"asked": asked}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
async def garden(
    open_garden: Open,
    clock: Standing,
    home: Path,
    repository: Path,
    forge: tuple[str, list[Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> AsyncIterator[Garden]:
    (home / "config.toml").write_text(
        "[embedding]\nmodel = 'off'\n[safety]\nproactive = true\n[ambient]\nenabled = true\n"
        f"forge_api = '{forge[0]}'\nforge_token_env = 'FORGE_TOKEN'\n",
        "utf-8",
    )
    monkeypatch.setenv("FORGE_TOKEN", "t0ken")
    async with open_garden(clock=clock, settings=load_settings(repository)) as opened:
        await Ambient(opened).control.trust()
        yield opened


SLUG = "mend-add"


def working(slug: str = SLUG, content: str = MENDED, **about: str) -> Any:
    """A script: open, look, mend, test, finish, ask for the push of the commit that it was told, end."""
    turn = 0

    def script(request: Any) -> Spoken:
        nonlocal turn
        turn += 1
        match turn:
            case 1:
                return calls("worktree_open", project="project", slug=slug, **about)
            case 2:
                return calls("worktree_read", slug=slug, file="sums.py")
            case 3:
                return calls("worktree_write", slug=slug, file="sums.py", content=content)
            case 4:
                return calls("worktree_test", slug=slug)
            case 5:
                return calls("worktree_finish", slug=slug, title="Mend add", description="It subtracted.")
            case 6:
                told = [each.text for each in request.utterances if "commit " in each.text]
                commit = told[-1].split("commit ")[-1].split()[0] if told else "none"
                return calls("worktree_push", slug=slug, commit=commit, remote="origin")
            case _:
                return ends(proactive_work="mended add")

    return script


async def run_again(talks: Talks, clock: Standing) -> Cycle:
    clock.pass_(hours=3)
    decision = await talks.ambient.look()
    assert isinstance(decision, Run)
    return await talks.ambient.run(decision)


async def test_a_failing_test_becomes_a_branch_a_request_a_push_and_a_pull_request(
    garden: Garden, clock: Standing, repository: Path, tmp_path: Path, forge: tuple[str, list[Any]]
) -> None:
    before = (git(repository, "status", "--porcelain"), git(repository, "rev-parse", "HEAD"))
    talks = Talks(garden, working())
    cycle = await talks.run()
    assert cycle.status is CyclePhase.COMPLETE, talks.answers()
    assert "Scout for proactive work" in talks.system
    assert len(await Permissions(garden).pending()) == 1, talks.answers()
    (request,) = await Permissions(garden).pending()
    (work,) = await Worktrees(garden, talks.ambient.env).list()
    assert (work.status, work.before.ok, work.after.ok, work.files) == (WorkStatus.ASKED, False, True, 1), "\n".join(
        talks.answers()
    )
    assert "+    return a + b" in work.diff
    assert request.review.diff == work.diff
    assert "after: `make test` passes" in request.review.notes
    assert request.call is not None
    assert request.call.arguments["commit"] == work.commit
    assert request.description == f"run git push origin {work.commit}:refs/heads/ambient/{SLUG}"
    assert git(repository, "ls-remote", "origin").count("refs/heads/") == 1  # nothing has left the machine
    await Permissions(garden).decide(request.id, approve=True, by="ada")
    talks.ambient._converser = None
    clock.pass_(hours=3)
    decision = await talks.ambient.look()
    assert isinstance(decision, Run)
    assert decision.because.trigger is Trigger.DECISION
    later = await talks.ambient.run(decision)  # needs no model
    assert "pull request: https://forge.example/ada/sums/pulls/7" in later.summary
    assert f"refs/heads/ambient/{SLUG}" in git(repository, "ls-remote", "origin")
    path, body, authorization = forge[1][0]
    assert (path, authorization) == ("/repos/ada/sums/pulls", "Bearer t0ken")
    assert (body["head"], body["base"], body["title"]) == (f"ambient/{SLUG}", "main", "Mend add")
    done = await Worktrees(garden, talks.ambient.env).get(SLUG)
    assert (done.status, done.pull_request) == (WorkStatus.DELIVERED, "https://forge.example/ada/sums/pulls/7")
    assert not Path(done.path).exists()
    assert (git(repository, "status", "--porcelain"), git(repository, "rev-parse", "HEAD")) == before
    assert not (tmp_path / "trap").exists()  # no hook of the repository ran
    await run_again(talks, clock)
    assert len(forge[1]) == 1  # delivered once


async def test_a_cycle_that_delivered_what_was_approved_can_still_work_on_code(
    garden: Garden, clock: Standing, repository: Path
) -> None:
    await Talks(garden, working()).run()
    (request,) = await Permissions(garden).pending()
    await Permissions(garden).decide(request.id, approve=True, by="ada")
    clock.pass_(hours=3)
    talks = Talks(garden, [calls("worktree_open", project="project", slug="next"), ends()])
    cycle = await talks.run()
    assert "pull request: https://forge.example" in cycle.summary
    assert "on ambient/next" in talks.answers()[0]  # what git said when it pushed was not shown to the model


async def test_a_rejection_cleans_up_and_is_learned(garden: Garden, clock: Standing, repository: Path) -> None:
    talks = Talks(garden, working())
    await talks.run()
    (request,) = await Permissions(garden).pending()
    await Permissions(garden).decide(request.id, approve=False, by="ada", reason="I mend tests myself")
    again = Talks(garden, [ends()])
    clock.pass_(hours=3)
    cycle = await again.run()
    assert f"work {SLUG} was denied" in cycle.summary
    assert "I mend tests myself" in again.system
    assert f"ambient/{SLUG}" not in git(repository, "branch", "--list", "--all")
    assert list(worktrees_folder(again.ambient.env).iterdir()) == []


async def test_a_rejection_is_remembered_for_good_and_that_kind_of_work_is_proposed_last(
    garden: Garden, clock: Standing, repository: Path
) -> None:
    (repository / "README.md").write_text("See [the guide](guide.md).\n", "utf-8")
    (repository / "later.py").write_text("# TODO: sort the sums\n", "utf-8")
    talks = Talks(garden, working(kind="stale docs"))
    await talks.run()
    proposed = talks.system.split("## Opportunities")[1]
    assert proposed.index("stale docs, project: README.md") < proposed.index("todo, project: TODO in later.py")
    (request,) = await Permissions(garden).pending()
    await Permissions(garden).decide(request.id, approve=False, by="ada", reason="I write the guide myself")
    for _ in range(3):  # also when the decision is no longer news
        clock.pass_(hours=3)
        again = Talks(garden, [ends()])
        await again.run()
    assert "I write the guide myself" in again.system.split("## Feedback of the user")[1]
    proposed = again.system.split("## Opportunities")[1]
    assert proposed.index("todo, project: TODO in later.py") < proposed.index("stale docs, project: README.md")


async def test_work_that_was_never_finished_is_taken_away_by_the_next_cycle(
    garden: Garden, clock: Standing, repository: Path
) -> None:
    talks = Talks(garden, [calls("worktree_open", project="project", slug=SLUG), ends()])
    await talks.run()
    worktrees = Worktrees(garden, talks.ambient.env)
    assert [work.slug for work in await worktrees.list()] == [SLUG]
    cycle = await run_again(Talks(garden, [ends()]), clock)
    assert f"work {SLUG} was never finished" in cycle.summary
    assert await worktrees.list() == []
    assert list(worktrees.folder.iterdir()) == []
    assert f"ambient/{SLUG}" not in git(repository, "branch", "--list", "--all")


async def test_a_delivery_that_fails_is_asked_about_again(garden: Garden, clock: Standing, repository: Path) -> None:
    talks = Talks(garden, working())
    await talks.run()
    (request,) = await Permissions(garden).pending()
    await Permissions(garden).decide(request.id, approve=True, by="ada")
    origin = git(repository, "remote", "get-url", "origin")
    git(repository, "remote", "set-url", "origin", "/not/there")
    talks.ambient._converser = None
    cycle = await run_again(talks, clock)
    assert "could not be delivered; you are asked again" in cycle.summary
    (again,) = await Permissions(garden).pending()
    git(repository, "remote", "set-url", "origin", origin)
    await Permissions(garden).decide(again.id, approve=True, by="ada")
    cycle = await run_again(talks, clock)
    assert f"refs/heads/ambient/{SLUG}" in git(repository, "ls-remote", "origin")


async def test_what_was_approved_waits_for_the_machine_that_has_the_work(
    garden: Garden, clock: Standing, repository: Path, open_garden: Open
) -> None:
    talks = Talks(garden, working())
    await talks.run()
    (request,) = await Permissions(garden).pending()
    await Permissions(garden).decide(request.id, approve=True, by="ada")
    settings = replace(garden.settings, garden=replace(garden.settings.garden, machine_id="desk"))
    async with open_garden(clock=clock, settings=settings) as other:
        clock.pass_(hours=3)
        cycle = await run_again(Talks(other, [ends()]), clock)
        assert (cycle.machine, cycle.because.trigger) == ("desk", Trigger.TIMER)
    assert (await Permissions(garden).get(request.id)).status is RequestStatus.APPROVED
    talks.ambient._converser = None
    assert "pull request: https://forge.example" in (await run_again(talks, clock)).summary


async def test_the_agent_reads_history_and_code_but_nothing_that_is_ignored(garden: Garden, repository: Path) -> None:
    (repository / ".gitignore").write_text("private/\n*.local\n", "utf-8")
    (repository / "private").mkdir()
    (repository / "private" / "plan.py").write_text("# TODO: sell the house\n", "utf-8")
    (repository / "notes.local").write_text("sell the house\n", "utf-8")
    here = str(repository)
    talks = Talks(
        garden,
        [
            calls("git_history", path=here),
            calls("list_files", path=here),
            calls("search_code", path=here, words="sell the house"),
            calls("read_file", path=f"{here}/notes.local"),
            calls("read_file", path=f"{here}/private/plan.py"),
            calls("list_files", path=f"{here}/private"),
            ends(),
        ],
    )
    await talks.run()
    history, files, found, *refused = talks.answers()
    assert "Ada" in history
    assert "sums.py, test_sums.py" in history
    assert "sums.py" in files
    assert "private" not in files
    assert "nothing was found" in found
    assert all("ignored or may hold secrets" in answer for answer in refused), refused
    assert "sell the house" not in talks.system


async def test_a_change_that_breaks_what_worked_or_is_too_large_is_not_committed(
    garden: Garden, repository: Path
) -> None:
    (repository / "sums.py").write_text(MENDED, "utf-8")
    git(repository, "commit", "-q", "-m", "two", "sums.py")
    talks = Talks(garden, working("break-add", BROKEN))
    await talks.run()
    assert any("passed before and fail now" in answer for answer in talks.answers())
    assert await Permissions(garden).pending() == []
    talks = Talks(garden, working("large", MENDED + "# more\n" * 300))
    await talks.run()
    assert any("make it smaller" in answer for answer in talks.answers())


async def test_nothing_is_written_outside_the_worktree(garden: Garden, repository: Path) -> None:
    talks = Talks(
        garden,
        [
            calls("worktree_open", project="project", slug=SLUG),
            calls("worktree_write", slug=SLUG, file="../../project/sums.py", content="x"),
            calls("worktree_write", slug=SLUG, file=".git/hooks/pre-commit", content="x"),
            ends(),
        ],
    )
    await talks.run()
    assert (repository / "sums.py").read_text("utf-8") == BROKEN
    assert len([answer for answer in talks.answers() if "Denied" in answer or "not in the worktree" in answer]) == 2


async def test_before_it_is_trusted_and_where_a_project_forbids_it_there_are_no_tools_for_code(
    garden: Garden, repository: Path
) -> None:
    await Ambient(garden).control.trust(approved=False)
    talks = Talks(garden, working())
    await talks.run()
    assert "worktree_open" not in {spec.name for spec in talks.stepper.asked[0].specs}
    await Ambient(garden).control.trust()
    (repository / ".nightgarden").mkdir()
    (repository / ".nightgarden" / "config.toml").write_text("[ambient]\nproactive_work = false\n", "utf-8")
    talks = Talks(garden, working())
    await talks.run()
    assert "worktree_open" not in {spec.name for spec in talks.stepper.asked[0].specs}
