"""How a command of an agent is run once the gate let it through: in the sandbox, or as the user where the user said so.

What the user approved or allows by a rule, and what needs the network or there is no sandbox for, runs with the user's
own rights and programs; the question showed exactly this command. Everything else runs in the sandbox.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from nightgarden import programs
from nightgarden.safety.decide import ALWAYS_ALLOW, Decision
from nightgarden.safety.reading import Reading
from nightgarden.safety.sandbox import Ran, SandboxLimits, find_sandbox, run_sandboxed, shortened


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """A call that the gate is letting through right now."""

    reading: Reading
    decision: Decision
    approved: bool  # by the user, for exactly this call


_passing: ContextVar[Passed | None] = ContextVar("nightgarden_passing", default=None)


@contextmanager
def passing(passed: Passed) -> Iterator[None]:
    """While the gate calls the tool."""
    token = _passing.set(passed)
    try:
        yield
    finally:
        _passing.reset(token)


async def run_command(
    command: str,
    *,
    worktree: Path,
    directory: Path | None = None,
    limits: SandboxLimits | None = None,
    env: Mapping[str, str] | None = None,
) -> Ran:
    """Runs a line of shell for a tool behind the gate. Raises OSError when it did not come through the gate, or there
    is neither a sandbox nor the user's word."""
    passed = _passing.get()
    if passed is None:
        raise OSError("a command runs only for a call that came through the gate")
    by_user = passed.approved or any(each.rule == ALWAYS_ALLOW for each in passed.decision.because)
    sends = any(each.sends for each in passed.reading.commands)
    if (by_user or sends) and (sends or find_sandbox(env) is None):
        return await _run_as_user(command, directory or worktree, limits or SandboxLimits(), env)
    return await run_sandboxed(command, worktree=worktree, directory=directory, limits=limits, env=env)


async def _run_as_user(command: str, directory: Path, limits: SandboxLimits, env: Mapping[str, str] | None) -> Ran:
    try:
        status, out, err = await programs.run_group(
            ["/bin/sh", "-c", command],
            cwd=directory,
            env=os.environ if env is None else env,
            given=b"",
            seconds=limits.seconds,
        )
    except TimeoutError:
        return Ran(status=None, output=f"cut off after {limits.seconds:g} s")
    text = (out + (b"\n" if out and err else b"") + err).decode("utf-8", "replace")
    return Ran(status=status, output=shortened(text))
