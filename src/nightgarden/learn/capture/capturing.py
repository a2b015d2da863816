"""Capturing, as somebody at a place has it: the `garden.learn.capture` part of the public API.

Everything goes through the gate like any other memory, in one cycle that `undo` takes back. Text of reviews, logs and
programs is outside text: it stays a candidate until somebody promotes it or it is seen to hold.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nightgarden.domain.gap import Gap
from nightgarden.domain.gate import Gate
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.ledger import Captured, Source
from nightgarden.domain.memory import Category, Importance, Scope
from nightgarden.domain.ports import Clock, MemoryFilter, Store
from nightgarden.domain.session import Session, SessionStatus
from nightgarden.domain.text import squash
from nightgarden.errors import BadInput
from nightgarden.learn.capture.corrections import corrections_in
from nightgarden.learn.capture.filters import (
    PATTERNS_FILE,
    Patterns,
    plain_text,
    read_patterns,
    shipped_patterns,
    why_not,
)
from nightgarden.learn.capture.lessons import lessons_in
from nightgarden.learn.capture.program_errors import (
    Failure,
    errors_of_log,
    failures_in,
    recurring,
    told,
    told_recurring,
)
from nightgarden.learn.capture.reviews import Comment, FailedCheck, read_payload
from nightgarden.learn.capture.taking import CapturedItem, CaptureReport, Remember, Taking, once
from nightgarden.learn.flush import learned_at_boundaries
from nightgarden.machine.plain_files import NotPlain, read_plain

FILE_BYTES_MAX = 8_000_000
LOG_CHARS_MAX = 8_000_000
SESSIONS_LOOKED = 100  # newest of a project, for errors that recur
SUMMARY_CHARS_MAX = 300
LOG_ERRORS_MAX = 50
GAPS_REVIEWED = 20  # for one session; the most asked for first
_ERROR_SURE = 0.62
_UNREAD = {"payload that could not be read": 1}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureOverview:
    """What was captured in a project so far."""

    captured: Mapping[str, int]  # by source
    refused: Mapping[str, int]  # by reason


class Capture:
    """Captures for one project."""

    def __init__(
        self, store: Store, scope: Scope, clock: Clock, ids: IdMaker, *, remember: Remember, folder: Path
    ) -> None:
        self._store = store
        self._scope = scope
        self._clock = clock
        self._ids = ids
        self._remember = remember
        self._folder = folder  # of the user's own patterns

    # -- what somebody hands over ------------------------------------------------------------------------------------
    async def pr(self, payload: str) -> CaptureReport:
        """Review comments and failed checks of a pull request, as GitHub tells of them. Raises BadInput for what cannot
        be read, which is counted."""
        taking = self._taking(self._scope)
        try:
            comments, checks = read_payload(payload)
        except BadInput:
            await taking.count_refusals(_UNREAD)
            raise
        refused: dict[str, int] = {}
        items = [_check_item(check, self._clock.now()) for check in checks]
        patterns = self._patterns()
        for comment in comments:
            if reason := why_not(comment.author, comment.body, patterns, bot=comment.bot) or _forbidden(comment.body):
                refused[reason] = refused.get(reason, 0) + 1
            else:
                items += _review_items(comment, self._clock.now())
        return await self._finish(taking, items, refused)

    async def errors(self, log: str | None = None) -> CaptureReport:
        """Errors of a log; without one, errors that recur in the sessions of the project. Raises BadInput for a log
        that is empty, or so long that it is not read, which is counted."""
        if log is None:
            sessions = await self._store.list_sessions(scopes=[self._scope], limit=SESSIONS_LOOKED)
            found = [s for h in sessions if (s := await self._store.session(h.id)) is not None]
            failures = [failure for session in found for failure in failures_in(session)]
            return await self._recurring(self._taking(self._scope), failures, cycle=self._cycle())
        if not log.strip():
            raise BadInput("the log is empty")
        if len(log) > LOG_CHARS_MAX:
            await self._taking(self._scope).count_refusals(_UNREAD)
            raise BadInput(f"the log has more than {LOG_CHARS_MAX:,} characters; give a part of it at a time")
        now = self._clock.now()
        items = [
            CapturedItem(
                source=Source.ERROR,
                key=f"log:{name}",
                text=f"This error comes up here: {line}",
                category=Category.GOTCHA,
                confidence=_ERROR_SURE,
                at=now,
                reason="met in a log",
                judged=True,
            )
            for name, line in sorted(errors_of_log(log).items())
        ]
        refused = {f"more than {LOG_ERRORS_MAX} different errors": len(items) - LOG_ERRORS_MAX}
        kept = refused if len(items) > LOG_ERRORS_MAX else {}
        return await self._finish(self._taking(self._scope), items[:LOG_ERRORS_MAX], kept)

    async def file(self, path: Path) -> CaptureReport:
        """Whatever a file holds: JSON as a pull request, a log as errors, anything else as remarks of a review, one a
        paragraph. Raises BadInput."""
        text = await self.read(path)
        if text.lstrip()[:1] in ("{", "["):
            return await self.pr(text)
        if text.lstrip()[:1] == "<":
            await self._taking(self._scope).count_refusals(_UNREAD)
            raise BadInput(f"{path} is an HTML page; save what it says as text")
        if path.suffix == ".log" or len(errors_of_log(text)) > 1:
            return await self.errors(text)
        return await self.remarks(text)

    async def remarks(self, text: str) -> CaptureReport:
        """Remarks of a review as plain text, one a paragraph."""
        taking, now, refused = self._taking(self._scope), self._clock.now(), dict[str, int]()
        items, patterns = [], self._patterns()
        for paragraph in text.split("\n\n"):
            if not paragraph.strip():
                continue
            if reason := why_not("", paragraph, patterns) or _forbidden(paragraph):
                refused[reason] = refused.get(reason, 0) + 1
                continue
            items += _review_items(Comment(key=_digest(squash(paragraph)), author="", body=paragraph), now)
        return await self._finish(taking, items, refused)

    async def read(self, path: Path) -> str:
        """The text of a file. Raises BadInput; a file that is too large or not text is counted."""
        try:
            return read_plain(path, bytes_max=FILE_BYTES_MAX).decode("utf-8")
        except UnicodeDecodeError:
            await self._taking(self._scope).count_refusals(_UNREAD)
            raise BadInput(f"{path} is not text in UTF-8") from None
        except NotPlain as error:
            await self._taking(self._scope).count_refusals(_UNREAD)
            raise BadInput(f"{path} cannot be read: {error}") from None
        except OSError as error:
            raise BadInput(f"{path} cannot be read: {error.strerror or error}") from None

    async def status(self) -> CaptureOverview:
        """What the ledger holds, and what was turned away."""
        taking = self._taking(self._scope)
        captured: dict[str, int] = {}
        for entry in await taking.entries():
            captured[entry.source.value] = captured.get(entry.source.value, 0) + 1
        return CaptureOverview(captured=dict(sorted(captured.items())), refused=await taking.refusals())

    async def ledger(self) -> list[Captured]:
        """Everything that was captured in the project, in the order of its keys."""
        return await self._taking(self._scope).entries()

    # -- what sessions bring -----------------------------------------------------------------------------------------
    async def from_session(self, session_id: str, *, cycle: str | None = None) -> CaptureReport:
        """What a session that was just read holds besides statements: corrections at work, what its client's summaries
        list as learned, errors that were mended or keep coming, and answers to questions that had none."""
        session = await self._store.session(session_id)
        if session is None or session.scope is None:
            return CaptureReport()
        scope, cycle = session.scope, cycle or self._cycle()
        taking = self._taking(scope, "learn")
        memories = await self._store.list_memories(MemoryFilter(session_id=session_id))
        known = frozenset(memory.message_range[0] for memory in memories if memory.message_range)
        failures = failures_in(session)
        mended = [_mended_item(failure) for failure in failures if failure.helped]
        items = once([*corrections_in(session, known=known), *learned_at_boundaries(session), *mended])
        report = await taking.take(items, cycle=cycle)
        if failures and session.status is not SessionStatus.ACTIVE:
            others = await self._failures_of_others(session)
            report.join(await self._recurring(taking, [*failures, *others], cycle=cycle))
        return report

    async def open_gaps(self, session: Session) -> list[Gap]:
        """Questions of the session's project that it did not ask itself and that nobody looked at since."""
        gaps = [gap for gap in await self._store.gaps() if gap.scope == session.scope and gap.session_id != session.id]
        gaps = sorted(gaps, key=lambda gap: (-gap.seen_count, gap.id))[:GAPS_REVIEWED]
        taking = self._taking(session.scope) if session.scope is not None else None
        found = []
        for gap in gaps:
            if taking is not None and await taking.claim(Source.GAP, f"{gap.id}:{session.id}", cycle=""):
                await taking.close(Source.GAP, f"{gap.id}:{session.id}", None, cycle="")
                found.append(gap)
        return found

    async def _failures_of_others(self, session: Session) -> list[Failure]:
        assert session.scope is not None
        headers = await self._store.list_sessions(scopes=[session.scope], limit=SESSIONS_LOOKED)
        others = [await self._store.session(header.id) for header in headers if header.id != session.id]
        return [failure for other in others if other is not None for failure in failures_in(other)]

    async def _recurring(self, taking: Taking, failures: Sequence[Failure], *, cycle: str) -> CaptureReport:
        report = CaptureReport(cycle=cycle)
        for members in recurring(failures):
            names = sorted({failure.signature for failure in members})
            if any([await taking.known(Source.ERROR_CLUSTER, name) for name in names]):
                report.known += 1
            else:
                report.join(await taking.take([_recurring_item(members, names[0])], cycle=cycle))
            for name in names[1:] if len(names) > 1 else ():
                if await taking.claim(Source.ERROR_CLUSTER, name, cycle=cycle):
                    await taking.close(Source.ERROR_CLUSTER, name, None, cycle=cycle)
        return report

    async def _finish(self, taking: Taking, items: Sequence[CapturedItem], refused: dict[str, int]) -> CaptureReport:
        report = await taking.take(once(items), cycle=self._cycle())
        await taking.count_refusals(refused)
        return report.join(CaptureReport(refused=refused))

    def _taking(self, scope: Scope, actor: str = "user") -> Taking:
        return Taking(self._store, scope, self._clock, self._remember, actor=actor)

    def _cycle(self) -> str:
        return f"capture-{self._ids.make(self._clock.now())}"

    def _patterns(self) -> Patterns:
        try:
            own = read_plain(self._folder / PATTERNS_FILE, bytes_max=100_000).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return shipped_patterns()
        return shipped_patterns() + read_patterns(own)


def _forbidden(body: str) -> str:
    """The rule that keeps a whole remark out: a sentence of it may look harmless by itself."""
    refused = Gate(tainted=True).refuse(body)
    return refused.rule.id if refused is not None else ""


def _review_items(comment: Comment, now: datetime) -> list[CapturedItem]:
    text = plain_text(comment.body)
    default = Category.CONVENTION if comment.changes_requested else Category.PATTERN
    return [
        CapturedItem(
            source=Source.REVIEW,
            key=f"{comment.key}:{place}",
            text=lesson.text,
            category=lesson.category,
            confidence=lesson.confidence,
            at=comment.at or now,
            reason="said in a review" if not comment.changes_requested else "changes were requested in a review",
            files=(comment.path,) if comment.path else (),
        )
        for place, lesson in enumerate(lessons_in(text, default=default, strong=comment.changes_requested))
    ]


def _check_item(check: FailedCheck, now: datetime) -> CapturedItem:
    summary = squash(plain_text(check.summary))[:SUMMARY_CHARS_MAX]
    return CapturedItem(
        source=Source.CHECK,
        key=check.key,
        text=f"The check {squash(check.name)[:80]} failed on a pull request" + (f": {summary}" if summary else ""),
        category=Category.GOTCHA,
        confidence=_ERROR_SURE,
        at=check.at or now,
        reason="a check failed",
        judged=True,
    )


def _mended_item(failure: Failure) -> CapturedItem:
    return CapturedItem(
        source=Source.ERROR,
        key=f"{failure.session_id}:{failure.message_id}",
        text=told(failure),
        category=Category.GOTCHA,
        confidence=_ERROR_SURE,
        at=failure.at,
        reason="it failed and was mended in a session",
        session_id=failure.session_id,
        message_id=failure.message_id,
        judged=True,
    )


def _recurring_item(members: Sequence[Failure], key: str) -> CapturedItem:
    return CapturedItem(
        source=Source.ERROR_CLUSTER,
        key=key,
        text=told_recurring(members),
        category=Category.GOTCHA,
        confidence=_ERROR_SURE,
        importance=Importance.HIGH,
        at=members[-1].at,
        reason=f"met in {len({failure.session_id for failure in members})} sessions",
        judged=True,
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
