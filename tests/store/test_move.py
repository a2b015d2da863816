"""A whole garden moves between engines, verified, and goes on where it was broken off."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from nightgarden.errors import BadInput
from nightgarden.store.exchange.move import fingerprint, move
from tests.store.conftest import Place
from tests.store.given import MODEL, NOW, add, add_session, dumped, edge, found, memory, session


async def plant(store, count: int) -> None:
    await add(store, *(memory(f"m{n:04}", f"the bed {n} has roses r{n}x", tags=("bed",)) for n in range(count)))
    await add(store, edge("m0000", "m0001"))
    await add_session(store, session("s", "zebrafish one \x00 ünï", "zebrafish two"))
    await store.put_vectors(MODEL, ["m0000", "p:s-0"], np.array([[1, 0, 0, 0], [0, 0.5, 0.5, 0]], dtype=np.float32))
    await add(store, memory("gone", "to be purged"))
    await store.purge(["gone"], at=NOW)
    await store.put_state("consent.codex", {"at": "now"})


async def test_a_garden_moves_to_the_other_engine_and_back_without_a_difference(
    new_place: Callable[[str], Place],
) -> None:
    there, between, back = [await new_place(engine).open() for engine in ("sqlite", "postgres", "sqlite")]
    try:
        await plant(there, 5)
        first = await move(there, between)
        second = await move(between, back)
        assert first.fingerprints == second.fingerprints == await fingerprint(back)
        assert (first.copied, first.known) == (len(await dumped(there)), 0)
        assert await dumped(back) == await dumped(there)
        for store in (between, back):
            assert await found(store, "r3x") == ["m0003"]
            assert all(check.ok for check in await store.check(repair=False))
    finally:
        for store in (there, between, back):
            await store.close()


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
async def test_a_move_that_was_broken_off_goes_on_and_a_place_that_is_taken_is_refused(
    new_place: Callable[[str], Place], engine: str
) -> None:
    source, target, taken = [await new_place(each).open() for each in ("sqlite", engine, "sqlite")]

    def break_off(_: int) -> None:
        raise KeyboardInterrupt

    try:
        await plant(source, 600)
        with pytest.raises(KeyboardInterrupt):
            await move(source, target, break_off)
        moved = await move(source, target)
        assert moved.known >= 500
        assert moved.copied > 0
        assert await dumped(target) == await dumped(source)
        await add(taken, memory("other", "another garden lives here"))
        with pytest.raises(BadInput, match="holds another garden"):
            await move(source, taken)
    finally:
        for store in (source, target, taken):
            await store.close()
