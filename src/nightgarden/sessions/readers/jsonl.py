"""Reading a transcript that is a growing file of JSON lines. What a line means is the client's reader's business."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nightgarden.domain.session import Message, Session
from nightgarden.domain.time import read_moment
from nightgarden.machine.plain_files import open_plain
from nightgarden.sessions.readers.new_lines import read_records, starts_over
from nightgarden.sessions.readers.progress import Progress, read_progress, usage_of
from nightgarden.sessions.readers.speech import title_of
from nightgarden.sessions.readers.transcript import Read, TranscriptRef
from nightgarden.sessions.session_status import judge_status

Take = Callable[[Progress, dict[str, Any], TranscriptRef], Iterable[Message]]
# Clients date what they write. A file so much younger than its last message was copied, restored or synchronised.
_COPIED = timedelta(hours=1)


def read_jsonl(
    ref: TranscriptRef, cursor: str, *, now: datetime, take: Take, alive: bool | None = None, ended: bool = False
) -> Read:
    """`take` gets each record in order and returns its messages; what it must remember it keeps in the progress."""
    progress = read_progress(cursor)
    with open_plain(ref.path) as file:
        restarted = starts_over(file, progress)
        if restarted:
            progress = Progress()
        damaged_before = progress.damaged_lines
        found: dict[str, Message] = {}
        models: dict[str, str] = {}
        for record in read_records(file, progress):
            for message in take(progress, record, ref):
                if message.id not in found and (spent := progress.take_spent()) is not None:
                    message = replace(message, usage=spent)
                    models[message.id] = progress.model
                found.setdefault(message.id, message)
                _note(progress, message)
    progress.fingerprint = ref.fingerprint
    messages = tuple(found.values())
    status = judge_status(
        turn_open=progress.turn_open,
        ended=ended or progress.ended,
        changed_at=_written_at(progress, ref),
        now=now,
        alive=alive,
    )
    written = progress.write()
    session = Session(
        id=ref.session_id,
        messages=messages,
        client=ref.client,
        title=progress.title,
        directory=progress.directory,
        started_at=read_moment(progress.started_at) if progress.started_at else None,
        ended_at=read_moment(progress.last_at) if progress.last_at and status != "active" else None,
        status=status,
        parent_id=progress.parent_id or ref.parent_id,
        cursor=written,
        damaged_lines=progress.damaged_lines,
        usage=usage_of(progress.total),
    )
    return Read(
        session=session,
        new_messages=messages,
        cursor=written,
        damaged_lines=progress.damaged_lines - damaged_before,
        status=status,
        restarted=restarted,
        models=models,
        limits=progress.limits,
        limits_at=read_moment(progress.limits_at) if progress.limits_at else None,
    )


def _written_at(progress: Progress, ref: TranscriptRef) -> datetime:
    """When the client last wrote: the date of the file, unless its last message is much older."""
    if not progress.last_at:
        return ref.changed_at
    last = read_moment(progress.last_at)
    return last if ref.changed_at - last >= _COPIED else ref.changed_at


def _note(progress: Progress, message: Message) -> None:
    progress.see(message.at)
    if not progress.title and message.role == "user" and not message.pasted:
        progress.title = title_of(message.text)


def file_ref(client: str, session_id: str, path: Path, *, parent_id: str | None = None) -> TranscriptRef | None:
    """A reference to a file as it is now; None when it vanished meanwhile."""
    try:
        seen = path.stat()
    except OSError:
        return None
    return TranscriptRef(
        client=client,
        session_id=session_id,
        path=path,
        changed_at=datetime.fromtimestamp(seen.st_mtime, UTC),
        fingerprint=f"{seen.st_size}-{seen.st_mtime_ns}",
        parent_id=parent_id,
    )


def in_order(refs: Iterable[TranscriptRef | None]) -> list[TranscriptRef]:
    """Oldest change first, so that parents mostly come before what they started."""
    return sorted((ref for ref in refs if ref is not None), key=lambda ref: (ref.changed_at, ref.session_id))
