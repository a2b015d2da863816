"""What learning keeps as documents: missions, the ledger of what was captured, core memories and checkpoints, digests
and notebooks."""

from __future__ import annotations

from nightgarden.domain.core_memory import Checkpoint, CoreVersion
from nightgarden.domain.documents import Kind
from nightgarden.domain.ledger import Captured, Refusals
from nightgarden.domain.mission import Mission
from nightgarden.learn.digest_values import DigestState
from nightgarden.learn.notebook_values import NotebookState

MISSION = Kind("mission", Mission)
CAPTURED = Kind("captured", Captured)
REFUSALS = Kind("capture_refusals", Refusals)
CORE = Kind("core_memory", CoreVersion)
CORE_HISTORY = Kind("core_memory_version", CoreVersion)
CHECKPOINT = Kind("checkpoint", Checkpoint)
DIGEST = Kind("digest", DigestState)
NOTEBOOK = Kind("notebook", NotebookState)
