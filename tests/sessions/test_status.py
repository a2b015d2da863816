"""When a session counts as active, closed or crashed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nightgarden.domain.session import SessionStatus
from nightgarden.sessions.session_status import QUIET, judge_status
from tests.sessions.transcripts import NOON

ACTIVE, CLOSED, CRASHED = SessionStatus.ACTIVE, SessionStatus.CLOSED, SessionStatus.CRASHED


@pytest.mark.parametrize(
    ("ended", "turn_open", "quiet", "alive", "status"),
    [
        (True, False, False, None, CLOSED),
        (True, True, True, True, CLOSED),
        (False, False, False, None, ACTIVE),
        (False, True, False, None, ACTIVE),
        (False, False, True, None, CLOSED),
        (False, True, True, None, CRASHED),
        (False, False, True, True, ACTIVE),
        (False, True, True, True, ACTIVE),
        (False, False, False, False, CLOSED),
        (False, True, False, False, ACTIVE),
        (False, True, True, False, CRASHED),
    ],
)
def test_the_end_mark_the_process_and_silence_decide(
    ended: bool, turn_open: bool, quiet: bool, alive: bool | None, status: SessionStatus
) -> None:
    now = NOON + (QUIET if quiet else timedelta(seconds=1))
    assert judge_status(turn_open=turn_open, ended=ended, changed_at=NOON, now=now, alive=alive) is status
