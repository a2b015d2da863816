"""Keeping the notebooks of projects up: their pages are written anew a moment after the garden changed."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from nightgarden.errors import NightgardenError
from nightgarden.garden import Garden
from nightgarden.learn.notebook import DEBOUNCE_SECONDS
from nightgarden.surfaces.daemon.background import Done

_LOOK_SECONDS = 60.0  # whether a notebook was begun
_log = logging.getLogger(__name__)


class NotebookKeeping:
    """Remembers the last change that the pages show, and whether more came since the last look."""

    def __init__(self) -> None:
        self._shown: str | None = None
        self._seen: str | None = None

    async def run(self, garden: Garden, at: Callable[[Path], Awaitable[Garden]]) -> Done:
        """Writes the pages once the garden has been still between two looks."""
        roots = await garden.lookup.notebooks()
        if not roots:
            return Done(line="no project has a notebook", again_seconds=_LOOK_SECONDS)
        now = await garden.lookup.newest_change()
        still, self._seen = now == self._seen, now
        if now == self._shown or not still:
            return Done(line=f"{len(roots)} kept up", again_seconds=DEBOUNCE_SECONDS)
        failed = 0
        for root in roots:
            try:
                if root.is_dir():
                    await (await at(root)).learn.notebook.sync()
            except (NightgardenError, OSError) as error:
                failed += 1
                _log.warning("the notebook in %s could not be written: %s", root, error)
        self._shown = self._seen = await garden.lookup.newest_change()  # what was edited became entries of its own
        line = f"{len(roots)} kept up" + (f"; {failed} could not be written" if failed else "")
        return Done(line=line, again_seconds=DEBOUNCE_SECONDS)
