"""What the operations on missions, core memory, captures, digest and notebook answer with, as types."""

from __future__ import annotations

from typing import Annotated, TypedDict

from nightgarden.domain.core_memory import CoreMemory, CoreVersion
from nightgarden.domain.mission import Mission
from nightgarden.learn.digest_values import Digest
from nightgarden.surfaces.operations.answer_types import MemoryRecord, Record

MissionRecord = Annotated[Record, Mission]


class CandidatesAnswer(TypedDict):
    """Memories that have not proved themselves yet."""

    candidates: list[MemoryRecord]


class MissionsAnswer(TypedDict):
    """Missions, newest first."""

    missions: list[MissionRecord]


class MissionStartedAnswer(TypedDict):
    """A mission that goes on."""

    mission: MissionRecord


class MissionAnswer(TypedDict):
    """A mission and its memories."""

    mission: MissionRecord
    memories: list[MemoryRecord]


class CapturedAnswer(TypedDict):
    """What one run captured: `stored` are ids, `known` was captured before, `refused` counts reasons."""

    cycle: str
    stored: list[str]
    known: int
    refused: dict[str, int]


class MissionEndedAnswer(TypedDict):
    """A mission, and what its end wrote."""

    mission: MissionRecord
    report: CapturedAnswer


class CoreAnswer(TypedDict):
    """A version of an agent's core memory."""

    agent: str
    version: int
    core: Annotated[Record, CoreMemory]
    at: str | None
    by: str
    reason: str


class CoreHistoryAnswer(TypedDict):
    """Versions, newest first."""

    versions: list[Annotated[Record, CoreVersion]]


class CaptureStatusAnswer(TypedDict):
    """How much was captured, by source, and left out, by reason."""

    captured: dict[str, int]
    refused: dict[str, int]


class DigestAnswer(TypedDict):
    """What nobody was told of yet; null when there is nothing."""

    digest: Annotated[Record, Digest] | None


class NotebookSyncAnswer(TypedDict):
    """What one sync did; pages by name, memories by id."""

    folder: str
    cycle: str
    written: list[str]
    imported: list[str]
    outside: list[str]
    archived: list[str]
    refused: list[str]
    kept: list[str]


class NotebookStatusAnswer(TypedDict):
    """How the notebook stands, and which files name it."""

    folder: str
    on: bool
    pages: list[str]
    edited: list[str]
    outdated: bool
    linked: list[str]
