"""What the rooms need from the outside, as small protocols. Who implements them is said in garden.py alone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

from nightgarden.domain.documents import Documents, Put
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, EdgeKind, Tag
from nightgarden.domain.journal import Change, JournalEntry, Origin
from nightgarden.domain.memory import Category, Memory, Provenance, Scope, Status, Tier
from nightgarden.domain.mind_call import Caps, MindCall, Spent
from nightgarden.domain.session import Extraction, Message, Passage, Session, SessionStatus

if TYPE_CHECKING:  # numpy costs 60 ms to import; commands that never search do without
    import numpy as np
    import numpy.typing as npt

    Vector: TypeAlias = npt.NDArray[np.float32]
else:
    Vector = Any
ItemKind = Literal["memory", "passage"]


class Clock(Protocol):
    """Tells the time, aware and in UTC."""

    def now(self) -> datetime: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """Which model made a vector. Vectors of different ids are never compared."""

    id: str  # name, build and pooling: two builds of one model differ
    name: str
    dimension: int
    pooling: str
    width: float = 1.0  # how far apart it puts texts, against bge-small, by whose cosines thresholds were chosen

    def nearness(self, cosine: float) -> float:
        """About what bge-small's cosine would be."""
        return 1.0 - (1.0 - cosine) / self.width


class Embedder(Protocol):
    """Turns texts into unit vectors. Calls block: run them in a thread."""

    @property
    def model(self) -> EmbeddingModel: ...

    def embed(self, texts: Sequence[str]) -> Vector:
        """One unit row per text, for texts to be found."""
        ...

    def embed_query(self, text: str) -> Vector:
        """One unit vector for a text to search by; some models want a prefix here."""
        ...


class Reranker(Protocol):
    """Reads a query and a text together. Calls block: run them in a thread."""

    def score(self, query: str, texts: Sequence[str]) -> Vector:
        """One number per text, a logit; higher is more relevant."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """Which items a search may return: never archived, superseded or expired ones, as of the moment asked about."""

    now: datetime  # items that expired before this moment are out
    scopes: tuple[Scope, ...] | None = None  # None: all
    kinds: tuple[ItemKind, ...] = ("memory", "passage")
    as_of: datetime | None = None  # answer from what was believed then
    categories: tuple[Category, ...] | None = None  # restricts memories only
    replaced: bool = False  # superseded memories too, to find what took their place; not with `as_of`


@dataclass(frozen=True, slots=True)
class Hit:
    """One item that an arm of search found, with that arm's score (higher is better)."""

    id: str
    kind: ItemKind
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryFilter:
    """Which memories to list; None leaves that field open. Archived ones only when asked for by status."""

    scopes: tuple[Scope, ...] | None = None
    categories: tuple[Category, ...] | None = None
    statuses: tuple[Status, ...] | None = (Status.CANDIDATE, Status.PROMOTED)
    tiers: tuple[Tier, ...] | None = None
    provenances: tuple[Provenance, ...] | None = None
    tag: str | None = None
    session_id: str | None = None
    dedupe_key: str | None = None
    flagged: bool | None = None
    superseded: bool | None = None
    created_after: datetime | None = None
    created_before: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingText:
    """An item whose vector for a model is still missing."""

    id: str
    kind: ItemKind
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much of everything there is."""

    memories: Mapping[str, int]  # by status
    memories_by_category: Mapping[str, int]  # live ones
    memories_by_scope: Mapping[str, int]  # live ones
    passages: int
    sessions: int
    tags: int
    clusters: int
    edges: int
    journal_entries: int
    vectors: Mapping[str, int]  # by model id
    tombstones: int
    documents: Mapping[str, int]  # by kind
    bytes_on_disk: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One line of a doctor's report."""

    name: str
    ok: bool
    detail: str
    repaired: bool = False
    in_file: bool = True  # about the garden itself, which can be rebuilt; not about what stands beside it


class Store(Documents, Protocol):
    """One contract, two engines. Every call that writes is one transaction, durable when it returns."""

    @property
    def url(self) -> str: ...

    @property
    def read_only(self) -> bool: ...

    @property
    def damaged(self) -> int:
        """How many records could not be read and were left out of what was asked for."""
        ...

    @property
    def outdated(self) -> bool:
        """Whether a write met a garden that a newer program migrated meanwhile: this one can write no more."""
        ...

    async def close(self) -> None: ...

    # -- memories and graph ------------------------------------------------------------------------------------------
    async def apply(
        self,
        changes: Sequence[Change],
        origin: Origin,
        *,
        at: datetime,
        vectors: Sequence[tuple[EmbeddingModel, str, Vector]] = (),
        state: Mapping[str, Any] | None = None,
        documents: Sequence[Put] = (),
        restore: str | None = None,
    ) -> tuple[JournalEntry, ...]:
        """Makes all changes or none, with one journal entry each. Raises Conflict when a `before` is not what is there,
        or when a live memory with the same scope and text exists. Vectors (model, id, vector) that are known already
        are stored in the same transaction, and so are `state` (see `put_state`) and `documents` (see `put_documents`,
        not journalled), which speak of the work. `restore` names a cycle whose archived passages are brought back."""
        ...

    async def touch(self, memory_ids: Sequence[str], *, at: datetime) -> None:
        """Counts one access each. Not journaled."""
        ...

    async def memories(self, ids: Sequence[str]) -> list[Memory]:
        """Those that exist, in the order asked for."""
        ...

    async def list_memories(
        self, which: MemoryFilter, *, limit: int | None = None, after: str | None = None, newest_first: bool = False
    ) -> list[Memory]:
        """Ordered by id (which is by creation). `after` is the last id of the page before."""
        ...

    async def edges(
        self, node_ids: Sequence[str], *, kinds: Sequence[EdgeKind] | None = None, incoming: bool = True
    ) -> list[Edge]:
        """Edges that leave the nodes and, if asked, those that reach them; has_tag and in_cluster included."""
        ...

    async def degrees(self, node_ids: Sequence[str]) -> dict[str, int]:
        """How many edges touch each node, has_tag and in_cluster included; nodes without any are left out."""
        ...

    def all_edges(self, *, kinds: Sequence[EdgeKind] | None = None) -> AsyncIterator[list[Edge]]:
        """Every edge in chunks, ordered by key."""
        ...

    async def tags(self) -> list[Tag]:
        """All tags by name, with how many live memories carry each."""
        ...

    async def clusters(self, scopes: Sequence[Scope] | None = None) -> list[Cluster]: ...

    # -- search ------------------------------------------------------------------------------------------------------
    async def search_text(self, terms: Sequence[str], view: View, *, limit: int) -> list[Hit]:
        """BM25 over the terms of domain.text, best first; any of the terms may match."""
        ...

    async def search_vectors(self, vector: Vector, model_id: str, view: View, *, limit: int) -> list[Hit]:
        """Cosine similarity among vectors of that model, best first."""
        ...

    async def said_between(self, spans: Sequence[tuple[datetime, datetime]], view: View, *, limit: int) -> list[Hit]:
        """Items made, said or true from a moment within any span (its end left out), newest first; score 1 each."""
        ...

    async def visible(self, ids: Sequence[str], view: View) -> set[str]:
        """Which of the items the view may return."""
        ...

    async def triggered(self, view: View) -> list[Memory]:
        """All visible memories with trigger patterns or a procedure's trigger."""
        ...

    # -- vectors -----------------------------------------------------------------------------------------------------
    async def pending_vectors(self, model_id: str, *, limit: int) -> list[PendingText]:
        """Items without a vector of that model: memories first, newest first."""
        ...

    async def count_pending_vectors(self, model_id: str) -> int: ...

    async def put_vectors(self, model: EmbeddingModel, ids: Sequence[str], vectors: Vector) -> None:
        """Ids that no longer exist are left out."""
        ...

    async def vectors(self, model_id: str, ids: Sequence[str]) -> dict[str, Vector]: ...

    async def all_vectors(self, model_id: str, view: View) -> tuple[list[str], Vector]:
        """Every visible item's vector, ids in order."""
        ...

    async def drop_vectors(self, *, except_model_id: str) -> int:
        """Removes vectors of other models once the new ones are complete."""
        ...

    # -- sessions and passages ---------------------------------------------------------------------------------------
    async def put_session(self, session: Session, passages: Sequence[Passage], *, again: Sequence[Message] = ()) -> int:
        """Adds or extends a session: messages known by id are left alone, or replaced if `again` has them in the same
        words; new ones follow, with their passages. Its own fields are replaced. Returns how many messages were new."""
        ...

    async def session(self, session_id: str, *, messages: bool = True) -> Session | None: ...

    async def list_sessions(
        self,
        *,
        client: str | None = None,
        status: SessionStatus | None = None,
        extraction: Extraction | None = None,
        scopes: Sequence[Scope] | None = None,
        limit: int | None = None,
    ) -> list[Session]:
        """Newest first, without their messages."""
        ...

    async def passages(self, ids: Sequence[str]) -> list[Passage]: ...

    async def neighbours(self, passage_ids: Sequence[str], *, reach: int) -> dict[str, list[Passage]]:
        """For each passage those of the same session at most `reach` positions away, itself left out, in order."""
        ...

    async def archive_passages(
        self, *, older_than: datetime | None, keep_at_most: int | None, at: datetime, cycle: str
    ) -> int:
        """Retention: search no longer finds passages said before a moment, nor the oldest beyond a number. Nothing is
        removed. Returns how many it took."""
        ...

    async def count_archived_passages(self, cycle: str) -> int:
        """How many passages a cycle archived; `apply` brings them back."""
        ...

    # -- journal, purge, state ---------------------------------------------------------------------------------------
    async def history(
        self, subject_id: str | None = None, *, cycle: str | None = None, action: str | None = None
    ) -> list[JournalEntry]:
        """Journal entries, oldest first; of a subject, a cycle or an action."""
        ...

    async def entries_after(self, after: str, *, limit: int) -> list[JournalEntry]:
        """Journal entries with an id behind this one, oldest first. An empty text is before all."""
        ...

    async def newest_entries(self, *, limit: int, before: str | None = None) -> list[JournalEntry]:
        """Newest first. `before` is the last id of the page before."""
        ...

    async def undos(self) -> list[JournalEntry]:
        """The entries that took something back, oldest first."""
        ...

    async def journal_entry(self, entry_id: str) -> JournalEntry | None: ...

    async def matching_ids(self, part: str, kinds: Sequence[str]) -> list[str]:
        """Ids that begin or end with this, or whose last SHORT_CHARS begin with it, of these kinds (memory, passage,
        session, entry, or a kind of document, by its key); ordered."""
        ...

    async def purge(self, ids: Sequence[str], *, at: datetime) -> list[str]:
        """Erases memories, passages, tasks, documents by key, or whole sessions from text, vectors, graph and journal;
        leaves tombstones without content. With a memory go the sentences it was taken from and the tags that nothing
        else carries; documents that quote what goes are rid of it (see domain/erasing.py). What is left to `scrub` is
        noted in the state (see domain/purging.py). Returns the ids that existed."""
        ...

    async def tombstones(self, keys: Sequence[str]) -> set[str]:
        """Which of these ids or dedupe keys were purged."""
        ...

    async def get_state(self, key: str) -> Any: ...

    async def put_state(self, key: str, value: Any) -> None:
        """Small facts of the program itself (cursors, consents, checkpoints), as JSON; None removes."""
        ...

    async def state_items(self, prefix: str) -> dict[str, Any]: ...

    def exclusive(self, name: str) -> AbstractAsyncContextManager[None]:
        """Held by one process on one garden at a time, until its holder lets go or dies. Else GardenBusy at once."""
        ...

    # -- gaps --------------------------------------------------------------------------------------------------------
    async def gaps(self, *, include_closed: bool = False) -> list[Gap]: ...

    # -- calls of language models ------------------------------------------------------------------------------------
    async def open_call(self, call: MindCall, caps: Caps | None) -> Spent | None:
        """Writes a call down before it is made. With caps, only if what its budget was charged that day leaves room:
        nobody else, in whatever process, can take that room between the look and the writing. Returns what was charged
        when it does not, None when the call may be made."""
        ...

    async def close_call(self, call: MindCall) -> None:
        """Sets a call right, now that it is known what became of it."""
        ...

    async def spent(self, budget: str, *, since: datetime, until: datetime) -> Spent: ...

    async def mind_calls(self, *, since: datetime, limit: int | None = None) -> list[MindCall]:
        """The newest calls from a moment on, newest first."""
        ...

    # -- whole garden ------------------------------------------------------------------------------------------------
    async def counts(self) -> Counts: ...

    async def check(self, *, repair: bool) -> list[Check]: ...

    def dump(self) -> AsyncIterator[dict[str, Any]]:
        """Every row of the garden as records, in a fixed order, for export, migration and checksums."""
        ...

    async def load(self, records: Sequence[dict[str, Any]]) -> None:
        """Takes records of `dump` as they are, journal included. Records already there are left alone; edges, journal
        entries and passages whose other end is not there are left out."""
        ...

    async def existing(self, records: Sequence[dict[str, Any]]) -> list[bool]:
        """For each record of `dump`, whether one with its key is there already."""
        ...

    async def maintain(self) -> None:
        """Bounded upkeep of what the engine keeps in memory; called now and then while the garden is open."""
        ...

    async def empty(self) -> None:
        """Takes everything out again but the state: for a copy that has to be begun anew."""
        ...

    async def scrub(self) -> None:
        """After a purge: makes the store forget on disk as well, free pages and logs included."""
        ...
