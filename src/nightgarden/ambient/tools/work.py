"""Tools for work on code: a worktree of its own, files in it, the tests, finishing, and delivering what was approved.

`worktree_push` always passes the gate: the user sees branch, description and diff, and approves exactly that commit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nightgarden.ambient.projects import AmbientProjects
from nightgarden.ambient.running import Running
from nightgarden.ambient.tools.code_reading import project_of
from nightgarden.ambient.tools.toolbox import AmbientTool, Answer, spec, text
from nightgarden.ambient.work.deliver import open_pull_request, push
from nightgarden.ambient.work.scout import WEIGHTS
from nightgarden.ambient.work.worktree import Worktrees
from nightgarden.domain.conversation import ToolAnswer
from nightgarden.errors import BadInput, NotAllowed

PUSH = "worktree_push"


def work_tools(worktrees: Worktrees, projects: AmbientProjects, running: Running) -> list[AmbientTool]:
    """Those with which code is changed: only when the agent may."""

    async def open_one(given: Mapping[str, Any]) -> str:
        project = project_of(projects, given["project"])
        if not project.proactive:
            raise NotAllowed(
                f"{project.name} lets nobody work on its code; see safety.proactive, ambient.proactive_work"
            )
        work = await worktrees.open(project, given["slug"], cycle=running.cycle.id, kind=given.get("kind", ""))
        return f"{work.path} on {work.branch}, at {work.base[:12]}; {work.before.words}\n{work.before.output[-800:]}"

    async def read(given: Mapping[str, Any]) -> str:
        return await worktrees.read(given["slug"], given["file"])

    async def write(given: Mapping[str, Any]) -> str:
        return await worktrees.write(given["slug"], given["file"], given["content"])

    async def test(given: Mapping[str, Any]) -> ToolAnswer:
        tested = await worktrees.test(given["slug"])
        return ToolAnswer(text=f"{tested.words}\n{tested.output}", failed=tested.ok is False)

    async def finish(given: Mapping[str, Any]) -> str:
        work = await worktrees.get(given["slug"])
        project = projects.of(work.scope)
        if project is None or not project.proactive:
            raise NotAllowed("the project lets nobody work on its code any more")
        done = await worktrees.commit(
            project, work.slug, title=given["title"][:120], description=given["description"][:4000]
        )
        return (
            f"committed {done.commit} on {done.branch}: {done.lines} lines in {done.files} files; {done.after.words}. "
            f"Ask for delivery now: {PUSH} with slug {done.slug}, commit {done.commit} and the remote."
        )

    return _as_tools(open_one, read, write, test, finish)


def _as_tools(open_one: Answer, read: Answer, write: Answer, test: Answer, finish: Answer) -> list[AmbientTool]:
    slug = text("name of the work, lower case with dashes; also of the branch")
    file = text("path within the worktree")
    return [
        AmbientTool(
            spec=spec(
                "worktree_open",
                "Open a worktree of a project on a new branch; runs its tests once.",
                required=("project", "slug"),
                project=text("name or folder of the project"),
                slug=slug,
                kind=text("of the opportunity it takes up, if it is one", enum=sorted(WEIGHTS)),
            ),
            answer=open_one,
        ),
        AmbientTool(
            spec=spec("worktree_read", "A file of the worktree.", required=("slug", "file"), slug=slug, file=file),
            answer=read,
        ),
        AmbientTool(
            spec=spec(
                "worktree_write",
                "Write a file of the worktree, whole.",
                required=("slug", "file", "content"),
                slug=slug,
                file=file,
                content=text("all of the file"),
            ),
            answer=write,
        ),
        AmbientTool(
            spec=spec("worktree_test", "Run the project's own tests there.", required=("slug",), slug=slug),
            answer=test,
            repeats=True,
        ),
        AmbientTool(
            spec=spec(
                "worktree_finish",
                "Commit the change, if it is small and the tests are no worse than before.",
                required=("slug", "title", "description"),
                slug=slug,
                title=text("of the commit and the pull request"),
                description=text("what was changed and why, for the user"),
            ),
            answer=finish,
        ),
    ]


def push_tool(worktrees: Worktrees, projects: AmbientProjects, env: Mapping[str, str]) -> AmbientTool:
    """Delivers. Every cycle has it, for what was approved meanwhile; the gate asks about it before."""

    async def deliver(given: Mapping[str, Any]) -> str:
        work = await worktrees.get(given["slug"])
        project = projects.of(work.scope)
        if work.commit != given["commit"]:
            raise BadInput(f"work {work.slug!r} is at {work.commit[:12]}, not at {given['commit'][:12]}")
        if project is None:
            raise NotAllowed("the project is closed to the agent, or not on this machine")
        told = await push(work, given["remote"], env)
        address = await open_pull_request(work, given["remote"], project.settings.ambient, env)
        await worktrees.delivered(work.slug, pull_request=address, result=told)
        return f"{told}; pull request: {address or 'none could be opened, open it by hand'}"

    return AmbientTool(
        spec=spec(
            PUSH,
            "Push finished work to its own branch at a remote and open a pull request. Needs the user's permission.",
            required=("slug", "commit", "remote"),
            slug=text("name of the work"),
            commit=text("the commit that worktree_finish named"),
            remote=text("name of the git remote, such as origin"),
        ),
        answer=deliver,
    )
