"""What learning keeps as documents: missions, the ledger of what was captured, core memories and checkpoints, digests
and notebooks."""

from __future__ import annotations

from nightgarden.domain.core_memory import Checkpoint, CoreVersion
from nightgarden.domain.documents import DocumentKind
from nightgarden.domain.ledger import Captured, Refusals
from nightgarden.domain.mission import Mission
from nightgarden.learn.digest_values import DigestState
from nightgarden.learn.notebook_values import NotebookState

MISSION = DocumentKind("mission", Mission)
CAPTURED = DocumentKind("captured", Captured)
REFUSALS = DocumentKind("capture_refusals", Refusals)
CORE = DocumentKind("core_memory", CoreVersion)
CORE_HISTORY = DocumentKind("core_memory_version", CoreVersion)
CHECKPOINT = DocumentKind("checkpoint", Checkpoint)
DIGEST = DocumentKind("digest", DigestState)
NOTEBOOK = DocumentKind("notebook", NotebookState)
