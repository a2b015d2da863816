"""How fast the embedding queue goes, and what it tells about itself. Pure: values and decisions, no clock."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.domain.backoff import backoff
from nightgarden.domain.ports import PendingText


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Batches and waits. The first four are taken over, not measured; the rest is taste, with the cost of a token in
    mind (docs/why/embedding-model.md)."""

    idle_batch: int = 50
    active_batch: int = 10
    yield_seconds: float = 0.1  # between batches while a session is busy
    cold_start_seconds_max: float = 60.0  # how long a busy session may put off loading the model
    slice_texts_max: int = 8  # one call of the embedder; closing waits for no more than this
    slice_characters_max: int = 4_000  # about 1,000 tokens, 0.4 s on one core
    retry_seconds_min: float = 5.0
    retry_seconds_max: float = 600.0

    def retry_delay(self, failures_in_row: int) -> timedelta:
        """After so many failures before this one."""
        shortest, longest = timedelta(seconds=self.retry_seconds_min), timedelta(seconds=self.retry_seconds_max)
        return backoff(failures_in_row + 1, shortest=shortest, longest=longest)


class QueueState(StrEnum):
    COLD = "cold"  # the model was not needed yet
    DEFERRED = "deferred"  # loading waits for a busy session
    EMBEDDING = "embedding"
    READY = "ready"  # nothing is pending
    UNAVAILABLE = "unavailable"  # the model or the store failed; tried again later
    WITHOUT_MODEL = "without a model"  # none is on this machine; looked for again later
    CLOSED = "closed"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueueHealth:
    """The queue's line in `nightgarden status`."""

    state: QueueState = QueueState.COLD
    model_id: str | None = None
    embedded_count: int = 0
    skipped_count: int = 0  # texts the model could not take; tried again after a restart
    failure_count: int = 0
    last_error: str | None = None
    last_error_at: datetime | None = None

    @property
    def line(self) -> str:
        if self.state is QueueState.WITHOUT_MODEL:
            return "recall works by words alone, as no model is here; `nightgarden models fetch` downloads one"
        words = [f"embeddings {self.state}", self.model_id or "no model yet", f"{self.embedded_count} done"]
        if self.skipped_count:
            words.append(f"{self.skipped_count} skipped")
        if self.failure_count:
            words.append(f"{self.failure_count} failures, the last: {self.last_error}")
        return ", ".join(words)


def decide_start(*, busy: bool, waiting_since: datetime, now: datetime, pace: Pace) -> float:
    """Seconds until the model may be loaded. Loading takes both cores for a moment, which a busy session would feel;
    but not for ever."""
    if not busy:
        return 0.0
    return max(0.0, pace.cold_start_seconds_max - (now - waiting_since).total_seconds())


def slice_texts(items: Sequence[PendingText], pace: Pace) -> Iterator[list[PendingText]]:
    """The items in calls of bounded length, in order."""
    part: list[PendingText] = []
    characters = 0
    for item in items:
        if part and (len(part) >= pace.slice_texts_max or characters + len(item.text) > pace.slice_characters_max):
            yield part
            part, characters = [], 0
        part.append(item)
        characters += len(item.text)
    if part:
        yield part
