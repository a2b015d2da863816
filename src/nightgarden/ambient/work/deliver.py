"""Delivering work: the commit that the user approved is pushed to a branch of its own, and a pull request opened.

Exactly that commit, by its hash, never by force. Doing it again does no harm: what is there already is found. A pull
request is opened by the user's own `gh`, or by the forge's API where the settings name one; without either, pushing is
all.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

from nightgarden.ambient.work.work_records import WorkRecord
from nightgarden.ambient.work.worktree_git import PUSH_SECONDS, git_outside
from nightgarden.errors import BadInput, NightgardenError, NotAllowed
from nightgarden.machine import programs
from nightgarden.models.post import post_json
from nightgarden.settings import AmbientSettings

PULL_REQUEST_SECONDS = 60.0
_REPOSITORY = re.compile(r"[:/]([A-Za-z0-9_.-]{1,100})/([A-Za-z0-9_.-]{1,100}?)(?:\.git)?/?\Z")
# The programs at the other end, which is this machine when the remote is a folder, are git's own, whatever is set.
_LOOK = ("ls-remote", "--upload-pack=git-upload-pack")
_PUSH = ("push", "--receive-pack=git-receive-pack")
_REMOTE = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,60}")


async def push(work: WorkRecord, remote: str, env: Mapping[str, str]) -> str:
    """Pushes the commit. Returns what it did. Raises Unreachable with what git said."""
    if not _REMOTE.fullmatch(remote):
        raise BadInput(f"{remote[:60]!r} cannot be the name of a remote")
    if not work.commit:
        raise BadInput(f"work {work.slug!r} has no commit yet; finish it first")
    root, target = Path(work.root), f"refs/heads/{work.branch}"
    there = await git_outside(root, *_LOOK, "--", remote, target, env=env, seconds=PUSH_SECONDS, to_remote=True)
    if there.startswith(work.commit):
        return f"{work.branch} is at {remote} already"
    if there:
        raise NotAllowed(f"{work.branch} is at {remote} with another commit; it is not overwritten")
    commit = f"{work.commit}:{target}"
    await git_outside(root, *_PUSH, "--", remote, commit, env=env, seconds=PUSH_SECONDS, to_remote=True)
    return f"pushed {work.commit[:12]} to {remote} as {work.branch}"


async def open_pull_request(work: WorkRecord, remote: str, settings: AmbientSettings, env: Mapping[str, str]) -> str:
    """The address of the pull request; empty when there is no way to open one."""
    address = await git_outside(Path(work.root), "remote", "get-url", "--", remote, env=env)
    found = _REPOSITORY.search(address)
    base = await _default_branch(work, remote, env)
    if settings.forge_api and found is not None:
        return await asyncio.to_thread(_by_api, work, found[1], found[2], base, settings, env)
    program = shutil.which("gh", path=programs.clean(env).get("PATH", os.defpath))
    if program is None:
        return ""
    words = [program, "pr", "create", "--head", work.branch, "--base", base, "--title", work.title]
    status, out, err = await programs.run_group(
        [*words, "--body", work.description], cwd=work.root, env=env, given=b"", seconds=PULL_REQUEST_SECONDS
    )
    if status:
        raise NotAllowed(f"gh could not open a pull request: {err.decode('utf-8', 'replace').strip()[:300]}")
    return out.decode("utf-8", "replace").strip().splitlines()[-1][:300] if out.strip() else ""


async def _default_branch(work: WorkRecord, remote: str, env: Mapping[str, str]) -> str:
    """What the remote's HEAD names, as it says itself."""
    try:
        said = await git_outside(Path(work.root), *_LOOK, "--symref", "--", remote, "HEAD", env=env, to_remote=True)
    except NightgardenError:
        return "main"
    match = re.match(r"ref: refs/heads/(\S{1,200})", said)
    return match[1] if match else "main"


def _by_api(
    work: WorkRecord, owner: str, repository: str, base: str, settings: AmbientSettings, env: Mapping[str, str]
) -> str:
    """As GitHub and Gitea understand it. Blocks."""
    token = env.get(settings.forge_token_env, "") if settings.forge_token_env else ""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    body = {"title": work.title, "head": work.branch, "base": base, "body": work.description}
    answer = post_json(
        f"{settings.forge_api.rstrip('/')}/repos/{owner}/{repository}/pulls",
        body,
        headers=headers,
        timeout_seconds=PULL_REQUEST_SECONDS,
        where=f"the forge at {settings.forge_api.split('//')[-1].split('/')[0]}",
    )
    return str(answer.body.get("html_url") or answer.body.get("url") or "")[:300]
