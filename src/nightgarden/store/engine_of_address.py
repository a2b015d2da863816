"""Which engine an address means."""

from __future__ import annotations

from pathlib import Path

from nightgarden.domain.ports import Store
from nightgarden.errors import BadInput, StoreUnavailable


async def open_store(target: str, *, read_only: bool = False) -> Store:
    """A path opens SQLite; a postgresql:// address opens PostgreSQL."""
    if target.startswith(("postgresql://", "postgres://")):
        try:
            from nightgarden.store.postgres import (
                open_store as open_postgres,
            )  # 40 ms and an extra: for those who use it
        except ImportError as error:
            raise StoreUnavailable(
                'PostgreSQL needs an extra package; install it with: pip install "nightgarden[postgres]"'
            ) from error
        if read_only:
            raise BadInput("a PostgreSQL garden cannot be opened read-only; give its user only SELECT rights instead")
        return await open_postgres(target)
    if "://" in target and not target.startswith("file://"):
        raise BadInput(f"cannot open {target.split('://')[0]}:// addresses; use a file path or postgresql://…")
    from nightgarden.store.sqlite import open_store as open_sqlite  # 60 ms with numpy; what only prints does without

    return await open_sqlite(Path(target.removeprefix("file://")), read_only=read_only)
