"""What a purge makes of notebooks: the lines of what was erased go at once, found by the id that ends each."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from nightgarden.domain.ports import Store
from nightgarden.domain.shelf import Shelf
from nightgarden.errors import Conflict, NotAllowed
from nightgarden.learn.learning_documents import NOTEBOOK
from nightgarden.learn.notebook_values import FOLDER, PAGE_BYTES_MAX, PAGES, NotebookState, digest_of, without_entries
from nightgarden.learn.project_files import need_plain_way, write_inside
from nightgarden.machine.plain_files import read_small


async def purge_in_notebooks(store: Store, machine: str, ids: Collection[str], *, at: datetime) -> list[Path]:
    """In the pages of every notebook that is kept up on this machine, and in edited pages that were kept beside them.
    Returns what could not be read or written. Does not reach other machines, what git has of a page, or a line whose
    mark somebody took away."""
    shelf, left = Shelf(store, NOTEBOOK), []
    for kept in await shelf.list():
        state, root = kept.value, Path(kept.value.root)
        if state.machine != machine or not state.root or not (root / FOLDER).is_dir():
            continue
        after, failed = await asyncio.to_thread(_purge_in, root, state, ids)
        left += failed
        if after != state:
            with suppress(Conflict):  # a sync wrote the pages at this moment, from what is there after the purge
                await shelf.put(kept.key, after, expected=kept.version, owner=kept.document.owner, at=at)
    return left


def _purge_in(root: Path, state: NotebookState, ids: Collection[str]) -> tuple[NotebookState, list[Path]]:
    pages, left = dict(state.pages), []
    beside = sorted(path.name for path in (root / FOLDER).glob("edited-*.md"))
    for name in (*PAGES, *beside):
        relative = f"{FOLDER}/{name}"
        try:
            need_plain_way(root, relative)
            text = read_small(root / relative, bytes_max=PAGE_BYTES_MAX).text
            if (rest := without_entries(text, ids)) != text:
                write_inside(root, relative, rest)
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError, NotAllowed):
            left.append(root / relative)
            continue
        if (page := pages.get(name)) is not None and rest != text:
            # A page that nobody had edited is not taken for edited now.
            digests = (digest_of(rest), *page.digests) if digest_of(text) in page.digests else page.digests
            entries = {id: said for id, said in page.entries.items() if id not in ids}
            pages[name] = replace(page, entries=entries, digests=digests)
    return replace(state, pages=pages), left
