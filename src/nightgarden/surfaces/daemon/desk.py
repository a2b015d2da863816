"""Answers requests: the daemon's own operations, and those of the catalogue on the garden of the caller's place.

Knows no transport: the Unix socket and HTTP both bring their requests here.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import datetime
from typing import Any, NamedTuple

from nightgarden._version import __version__
from nightgarden.domain.time import write_moment
from nightgarden.errors import (
    BadInput,
    DaemonSlow,
    NeedsRepair,
    NewerGarden,
    NightgardenError,
    RunLocally,
    Unreachable,
)
from nightgarden.garden import Garden
from nightgarden.models.pace import QueueState
from nightgarden.surfaces.daemon.background import BackgroundRunner
from nightgarden.surfaces.daemon.change_stream import error_event, stream_changes
from nightgarden.surfaces.daemon.gardens import Gardens
from nightgarden.surfaces.hooks.event import directory_of
from nightgarden.surfaces.operations.perform import perform
from nightgarden.surfaces.operations.registry import OPERATIONS
from nightgarden.surfaces.operations.who_speaks import Speaker

_log = logging.getLogger("nightgarden.desk")
_UNREADABLE = "\ufffd"
_QUIET = ("ping", "status")  # do not count as use


class Performed(NamedTuple):
    """The answer of an operation, and how many damaged records it leaves out."""

    answer: dict[str, Any]
    damaged: int


class Desk:
    """One for the whole daemon."""

    def __init__(
        self, gardens: Gardens, background: BackgroundRunner, *, started_at: datetime, stop: Callable[[], None]
    ) -> None:
        self.gardens = gardens
        self._background = background
        self._started_at = started_at
        self._stop = stop
        self._counts: Counter[str] = Counter()
        self._faults = 0
        self._last_fault: str | None = None
        self._malformed = 0
        self.used_at = time.monotonic()  # for stopping when idle
        self.running = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self.http_url: str | None = None

    async def answer(self, request: dict[str, Any], speaker: Speaker = "agent") -> dict[str, Any]:
        """The answer to one request; never raises but when cancelled. The transport says who speaks."""
        began = time.perf_counter()
        answer: dict[str, Any] = {"id": request.get("id")}
        op = request.get("op")
        self.running += 1
        self._idle.clear()
        try:
            async with asyncio.timeout(_deadline_seconds(request)):
                result = await self._perform(op, request, speaker)
            if isinstance(result, Performed):
                answer |= {"damaged": result.damaged} if result.damaged else {}
                result = result.answer
            answer |= {"ok": True, "result": result}
        except TimeoutError:
            answer |= _no(DaemonSlow(f"{op} was not done within {request.get('deadline_ms')} ms"))
        except NightgardenError as error:
            answer |= _no(self._give_way(error))
        except Exception as error:  # noqa: BLE001 - a top handler: counted, logged, shown in status
            self._faults += 1
            self._last_fault = f"{op}: {type(error).__name__}: {error}"
            _log.exception("%s failed", op)
            words = f"{op} failed inside nightgarden ({type(error).__name__}); `nightgarden logs` has the details"
            answer |= {"ok": False, "error": {"kind": "Internal", "message": words}}
        finally:
            self.running -= 1
            if not self.running:
                self._idle.set()
        answer["took_ms"] = round((time.perf_counter() - began) * 1000, 2)
        return answer

    def _give_way(self, error: NightgardenError) -> NightgardenError:
        """A daemon that is older than the garden must not go on: it ends, and a newer one can take its place."""
        if not isinstance(error, NewerGarden):
            return error
        _log.error("ending, because this daemon (%s) is older than the garden: %s", __version__, error)
        self._last_fault = f"older than the garden, and ending: {error}"
        self._stop()
        return RunLocally(f"the daemon was older than the garden and ends: {error}")

    async def _perform(self, op: Any, request: dict[str, Any], speaker: Speaker) -> Any:
        if not isinstance(op, str):
            raise BadInput("a request needs an op")
        arguments, env = request.get("arguments") or {}, request.get("env") or {}
        if not isinstance(arguments, dict) or not isinstance(env, dict):
            raise BadInput("arguments and env must be objects")
        self._counts[op] += 1
        if op not in _QUIET:
            self.used_at = time.monotonic()
        directory = _directory(op, request)
        if not (directory is None or (isinstance(directory, str) and "\0" not in directory)):
            raise BadInput(f"{directory!r} cannot be a directory")
        if not all(isinstance(value, str) for value in env.values()):
            raise BadInput("the values of env must be texts")
        match op:
            case "ping":
                return {"version": __version__, "pid": os.getpid()}
            case "status":
                return await self.status()
            case "stop":
                self._stop()
                return {"stopping": True}
            case "spooled":
                self._background.wake("spool")
                return {}
            case _:
                commands = request.get("for_user") is True
                garden = await (self._for_command(directory, env) if commands else self.gardens.at(directory, env))
                if op in OPERATIONS and not OPERATIONS[op].reads:
                    await self.gardens.register(garden)
                return Performed(await perform(garden, op, arguments, speaker), garden.damaged)

    async def _for_command(self, directory: str | None, env: dict[str, str]) -> Garden:
        """The garden that a command would open itself. Raises RunLocally where it had better do so."""
        try:
            garden = await self.gardens.at(directory, env)
        except (NeedsRepair, Unreachable) as error:
            if isinstance(error, NewerGarden):
                raise
            raise RunLocally("the daemon cannot open this garden") from error
        opened, wanted = garden.opened_with, garden.settings
        if (opened.embedding, opened.mind) != (wanted.embedding, wanted.mind):
            raise RunLocally("the caller wants other models than the daemon has")
        return garden

    async def changes(self, directory: str | None, after: str | None, speaker: Speaker) -> AsyncIterator[bytes]:
        """What changes in the garden of a place, as server-sent events, until nobody listens."""
        self._counts["changes"] += 1
        try:
            garden = await self.gardens.at(directory, {})
            async for event in stream_changes(garden, after, speaker):
                self.used_at = time.monotonic()
                yield event
        except NightgardenError as error:
            yield error_event(type(error).__name__, str(error))

    def note_stray(self, context: dict[str, Any]) -> None:
        """An exception that nobody awaited: counted and shown in `status` like a failed request."""
        error = context.get("exception")
        words = f"{type(error).__name__}: {error}" if error else str(context.get("message"))
        self._faults += 1
        self._last_fault = f"background: {words}"
        _log.error("unhandled: %s", context.get("message"), exc_info=error)

    def note_malformed(self) -> None:
        """A request that could not even be read: its sender was told, and `status` shows how many there were."""
        self._malformed += 1

    async def finish(self, seconds_max: float) -> None:
        """Waits for the requests that are being answered, so long and no longer."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), seconds_max)

    async def take(self, event: dict[str, Any]) -> object:
        """A spooled event."""
        garden = await self.gardens.at(_directory(event["op"], event), event.get("env") or {})
        try:
            return await perform(garden, event["op"], event.get("arguments") or {})
        except NewerGarden as error:
            raise self._give_way(error) from error

    async def status(self) -> dict[str, Any]:
        """What `nightgarden status` shows."""
        lines = [health.shape() for health in self._background.health()]
        for address, garden in self.gardens.opened().items():
            queue = garden.embedding_health
            wanted = garden.opened_with.embedding.model
            missed = queue.state is QueueState.WITHOUT_MODEL and wanted != "auto"  # by somebody who asked for it
            ok = wanted == "off" or not (missed or queue.state is QueueState.UNAVAILABLE)
            lines.append(
                {"name": "embedding", "ok": ok, "line": f"{address}: {queue.line}", "failures": queue.failure_count}
            )
            if (mind := await garden.minds.health()) is not None:
                lines.append(
                    {"name": "mind", "ok": mind.ok, "line": f"{address}: {mind.line}", "failures": mind.failures}
                )
        return {
            "running": True,
            "version": __version__,
            "pid": os.getpid(),
            "started_at": write_moment(self._started_at),
            "http": self.http_url,
            "gardens": list(self.gardens.opened()),
            "requests": dict(self._counts),
            "due": sum([await garden.schedule.count_due(everywhere=True) for garden in self.gardens.opened().values()]),
            "faults": self._faults,
            "last_fault": self._last_fault,
            "malformed": self._malformed,
            "steps": lines,
            "ok": self._faults == 0 and all(line["ok"] for line in lines),
        }


def _directory(op: str, request: dict[str, Any]) -> Any:
    """Where a request is made; an event of a client says better than its hook where it happened."""
    arguments = request.get("arguments")
    said = directory_of(arguments.get("data")) if op == "hook" and isinstance(arguments, dict) else None
    if said and _UNREADABLE in said:  # a client could not write the path's bytes; its hook can
        said = None
    return said or request.get("directory")


def _deadline_seconds(request: dict[str, Any]) -> float | None:
    """Only what reads is given up: a change that has begun is brought to its end."""
    deadline_ms, operation = request.get("deadline_ms"), OPERATIONS.get(str(request.get("op")))
    if operation is None or not operation.reads or not isinstance(deadline_ms, int | float):
        return None
    return deadline_ms / 1000


def _no(error: NightgardenError) -> dict[str, Any]:
    return {"ok": False, "error": {"kind": type(error).__name__, "message": str(error)}}
