"""Work in a git worktree of its own: opened on a branch, written to, tested, measured, committed, removed.

The worktree lies outside the user's repository and outside nightgarden's own data. The change must be small, and the
project's own tests run before and after it, in the sandbox.
"""

from __future__ import annotations

import asyncio
import builtins
import shutil
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from nightgarden.ambient.projects import AmbientProject
from nightgarden.ambient.work.tests import find_test_command
from nightgarden.ambient.work.work_records import TestedChange, WorkRecord, WorkStatus, check_slug, works
from nightgarden.ambient.work.worktree_git import git_inside, git_outside
from nightgarden.domain.documents import ABSENT
from nightgarden.domain.ports import Check
from nightgarden.errors import BadInput, Conflict, NotAllowed, NotFound, Unreachable
from nightgarden.garden import Garden
from nightgarden.machine.plain_files import read_plain
from nightgarden.safety.sandbox import SandboxLimits, run_sandboxed
from nightgarden.scope import commit_at, machine_of
from nightgarden.settings import data_folder

TEST_SECONDS = 600.0
DIFF_CHARS_MAX = 60_000
FILE_BYTES_MAX = 400_000
OUTPUT_CHARS = 2000
OPEN_MAX = 3  # pieces of work that wait for the user or are under way; more would be a pile nobody reads


def worktrees_folder(env: Mapping[str, str]) -> Path:
    """Beside the data folder, not in it: what is in that, no agent may write."""
    home = data_folder(env)
    return home.with_name(home.name + "-worktrees")


class Worktrees:
    """The pieces of work of one garden."""

    def __init__(self, garden: Garden, env: Mapping[str, str]) -> None:
        self._garden = garden
        self._env = env
        self._machine = machine_of(garden.settings)
        self.folder = worktrees_folder(env)
        self.shelf = works(garden.store)

    async def list(self, *, all: bool = False) -> builtins.list[WorkRecord]:
        """Open ones, newest first; `all`: also what is over."""
        found = [kept.value for kept in await self.shelf.list(newest_first=True)]
        return sorted((w for w in found if all or not w.over), key=lambda w: w.created_at, reverse=True)

    async def get(self, slug: str) -> WorkRecord:
        kept = await self.shelf.get(slug)
        if kept is None:
            raise NotFound(f"there is no work {slug!r}; open it with worktree_open first")
        return kept.value

    async def elsewhere(self, slug: str) -> str:
        """The other machine that has this work; empty when it is here, or unknown."""
        kept = await self.shelf.get(slug)
        return kept.value.machine if kept is not None and kept.value.machine != self._machine else ""

    async def open(self, project: AmbientProject, slug: str, *, cycle: str, kind: str = "") -> WorkRecord:
        """A new worktree at the commit that the user's repository is at; the tests run once as they are."""
        check_slug(slug)
        if len(await self.list()) >= OPEN_MAX:
            raise NotAllowed(f"{OPEN_MAX} pieces of work wait already; the user decides about them first")
        path, prefix = self.folder / slug, project.settings.ambient.work_branch_prefix
        base = commit_at(project.root)
        if not base:
            raise NotAllowed(f"{project.root} has no commit to begin from")
        work = WorkRecord(
            slug=slug,
            scope=project.scope,
            root=str(project.root),
            path=str(path),
            branch=f"{prefix}{slug}",
            base=base,
            cycle=cycle,
            machine=self._machine,
            kind=kind,
            created_at=self._garden.now(),
        )
        try:
            await self._keep(work, expected=ABSENT)  # before anything is there, so that leftovers are known
        except Conflict:
            raise BadInput(f"there is work {slug!r} already; choose another name") from None
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        try:
            await git_outside(project.root, "worktree", "add", "--no-checkout", "-b", work.branch, str(path), base)
            await git_inside(path, "checkout", "--force", "HEAD")
            command = project.settings.ambient.test_command or await asyncio.to_thread(find_test_command, path)
            return await self._keep(replace(work, before=await self._tested(path, command)))
        except (Unreachable, NotAllowed) as error:
            await self.drop(slug, f"could not be opened: {error}")
            raise

    async def write(self, slug: str, name: str, content: str) -> str:
        """Writes a file of the worktree, whole."""
        work = await self._open_one(slug)
        path = self._inside(work, name)
        if len(content.encode()) > FILE_BYTES_MAX:
            raise BadInput(f"{name} would have more than {FILE_BYTES_MAX:,} bytes; that is no small change")
        await asyncio.to_thread(_write, path, content)
        name = str(path.relative_to(Path(work.path).resolve()))
        await self._keep(replace(work, written=tuple(dict.fromkeys((*work.written, name)))))
        return f"wrote {name}, {len(content.splitlines())} lines"

    async def read(self, slug: str, name: str) -> str:
        work = await self.get(slug)
        try:
            return await asyncio.to_thread(_read, self._inside(work, name))
        except (OSError, ValueError) as error:
            raise NotFound(f"{name} cannot be read: {error}") from error

    async def test(self, slug: str) -> TestedChange:
        """Runs the tests as the worktree is now."""
        work = await self._open_one(slug)
        after = await self._tested(Path(work.path), work.before.command)
        await self._keep(replace(work, after=after))
        return after

    async def commit(self, project: AmbientProject, slug: str, *, title: str, description: str) -> WorkRecord:
        """Commits what was changed, if it is small and the tests are no worse than before."""
        work = await self._open_one(slug)
        path, limits = Path(work.path), project.settings.ambient
        if work.written:
            await git_inside(path, "add", "--force", "--", *work.written)
        numbers = await git_inside(path, "diff", "--cached", "--numstat", "--no-ext-diff", "--no-textconv", work.base)
        files, lines = _measured(numbers)
        if not files:
            raise BadInput("nothing was changed yet")
        if files > limits.diff_files_max or lines > limits.diff_lines_max:
            raise NotAllowed(
                f"the change has {lines} lines in {files} files; at most {limits.diff_lines_max} in "
                f"{limits.diff_files_max} are allowed: make it smaller, or leave it"
            )
        after = await self._tested(path, work.before.command)
        if after.ok is False and work.before.ok is not False:
            await self._keep(replace(work, after=after))
            raise NotAllowed(f"the tests passed before and fail now: {after.output[-400:]}")
        await git_inside(path, "commit", "--no-verify", "--allow-empty", "-m", title, "-m", description)
        diff = await git_inside(path, "diff", "--no-ext-diff", "--no-textconv", work.base, "HEAD")
        done = replace(
            work,
            status=WorkStatus.ASKED,
            title=title,
            description=description,
            commit=await git_inside(path, "rev-parse", "HEAD"),
            diff=diff[:DIFF_CHARS_MAX],
            files=files,
            lines=lines,
            after=after,
        )
        return await self._keep(done)

    async def delivered(self, slug: str, *, pull_request: str, result: str) -> WorkRecord:
        """It was pushed: the worktree goes, the branch stays."""
        work = await self.get(slug)
        await self._remove(work, branch=False)
        return await self._keep(replace(work, status=WorkStatus.DELIVERED, pull_request=pull_request, result=result))

    async def drop(self, slug: str, why: str, *, rejected: bool = False) -> WorkRecord:
        """Rejected or given up: worktree and branch go."""
        work = await self.get(slug)
        await self._remove(work, branch=True)
        return await self._keep(replace(work, status=WorkStatus.DROPPED, result=why[:400], rejected=rejected))

    async def leftovers(self) -> builtins.list[str]:
        """Folders of worktrees that no open work names."""
        known = {work.slug for work in await self.list()}
        if not self.folder.is_dir():
            return []
        return sorted(path.name for path in self.folder.iterdir() if path.name not in known)

    async def clear_leftover(self, name: str) -> None:
        """Removes one, with what git knows of it where its work is known."""
        kept = await self.shelf.get(name)
        if kept is not None:
            await self._remove(kept.value, branch=False)
        await asyncio.to_thread(shutil.rmtree, self.folder / name, True)

    async def check(self, *, repair: bool) -> Check:
        """A line of the doctor's report: worktrees that no open work needs."""
        left = await self.leftovers()
        for name in left if repair else ():
            await self.clear_leftover(name)
        if not left:
            return Check(name="worktrees", ok=True, detail="none is left behind", in_file=False)
        detail = f"{len(left)} left behind in {self.folder}: {', '.join(left[:5])}"
        return Check(name="worktrees", ok=repair, detail=detail, repaired=repair, in_file=False)

    async def _remove(self, work: WorkRecord, *, branch: bool) -> None:
        root = Path(work.root)
        await asyncio.to_thread(shutil.rmtree, work.path, True)
        with suppress(Unreachable):  # the repository may be gone, or know nothing of it
            await git_outside(root, "worktree", "prune")
        if branch:
            with suppress(Unreachable):
                await git_outside(root, "branch", "-D", work.branch)

    async def _tested(self, path: Path, command: str) -> TestedChange:
        if not command:
            return TestedChange()
        try:
            # A compiled file of the same second and size would be taken for the changed one.
            line = f"export PYTHONDONTWRITEBYTECODE=1; {command}"
            ran = await run_sandboxed(line, worktree=path, limits=SandboxLimits(seconds=TEST_SECONDS))
        except OSError as error:
            raise NotAllowed(f"no work on code without a sandbox: {error}; install bubblewrap") from error
        return TestedChange(command=command, ok=ran.ok, output=ran.output[-OUTPUT_CHARS:])

    async def _open_one(self, slug: str) -> WorkRecord:
        work = await self.get(slug)
        if work.status is not WorkStatus.OPEN:
            raise BadInput(f"work {slug!r} is {work.status.value}; open another")
        if other := await self.elsewhere(slug):
            raise NotAllowed(f"work {slug!r} is on {other}")
        return work

    def _inside(self, work: WorkRecord, name: str) -> Path:
        path = (Path(work.path) / name).resolve()
        if not path.is_relative_to(Path(work.path).resolve()) or ".git" in Path(name).parts:
            raise NotAllowed(f"{name[:100]!r} is not in the worktree")
        return path

    async def _keep(self, work: WorkRecord, *, expected: int | None = None) -> WorkRecord:
        await self.shelf.put(
            work.slug,
            work,
            expected=expected,
            at=self._garden.now(),
            owner=str(work.scope),
            status=work.status.value,
        )
        return work


def _measured(numbers: str) -> tuple[int, int]:
    """Files and lines of a numstat; a binary file counts as very many lines."""
    rows = [line.split("\t") for line in numbers.splitlines() if line.count("\t") >= 2]
    return len(rows), sum(int(n) if n.isdigit() else 100_000 for row in rows for n in row[:2])


def _write(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content, "utf-8")


def _read(path: Path) -> str:
    return read_plain(path, bytes_max=FILE_BYTES_MAX).decode("utf-8", "replace")
