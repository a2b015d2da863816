"""New whole lines of a file that another program is writing. Reads only; the caller opens it for one reading.

A last line without its newline is left for the next time. A file that shrank or was rewritten is noticed.
Not covered: a file rewritten so that the bytes before the cursor stay the same; what was changed above is not noticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from nightgarden.sessions.readers.progress import Progress

_MARK_BYTES = 1024  # of the start and before the offset: enough to hold ids and times of a few lines; taste


def starts_over(file: BinaryIO, progress: Progress) -> bool:
    """Whether the bytes read before are no longer there."""
    return progress.offset > 0 and _mark(file, progress.offset) != progress.mark


def read_records(file: BinaryIO, progress: Progress) -> Iterator[dict[str, Any]]:
    """Each new line that is a JSON object. Moves `progress` past every whole line, and counts those that are not."""
    file.seek(progress.offset)
    for line in file:
        if not line.endswith(b"\n"):
            break
        record = _parse(line)
        if record is not None:
            yield record
        elif line.strip():
            progress.damaged_lines += 1
        progress.offset += len(line)
    progress.mark = _mark(file, progress.offset)


def _parse(line: bytes) -> dict[str, Any] | None:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):  # a UnicodeDecodeError is a ValueError
        return None
    return record if isinstance(record, dict) else None


def _mark(file: BinaryIO, offset: int) -> str:
    file.seek(0)
    head = file.read(min(offset, _MARK_BYTES))
    start = max(0, offset - _MARK_BYTES)
    file.seek(start)
    before = file.read(offset - start)
    if len(before) < offset - start:
        return ""  # the file is shorter than what was read: no mark equals this
    return hashlib.blake2b(head + before, digest_size=8).hexdigest()
