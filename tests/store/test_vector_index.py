"""The vector index agrees with brute force, through updates, removals, filters and snapshots."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from nightgarden.store.vectors import index as index_module
from nightgarden.store.vectors.codes import encode, normalise
from nightgarden.store.vectors.index import VectorIndex

Floats = npt.NDArray[np.float32]

CLOSE = 0.01  # cosine; what one byte a component is good for in the worst case of few components


def cosines(vectors: Floats, query: Floats) -> npt.NDArray[np.float64]:
    rows, wanted = normalise(vectors).astype(np.float64), normalise(query)[0].astype(np.float64)
    return rows @ wanted


def assert_right(
    found: tuple[npt.NDArray[np.int64], Floats], model: dict[int, Floats], query: Floats, limit: int
) -> None:
    """The answer is a best one: right scores, best first, ties by number, nothing better left out."""
    numbers, scores = found
    assert len(numbers) == len(set(numbers.tolist())) == min(limit, len(model))
    assert set(numbers.tolist()) <= set(model)
    if not model:
        return
    names = sorted(model)
    truth = dict(zip(names, cosines(np.stack([model[name] for name in names]), query).tolist(), strict=True))
    np.testing.assert_allclose(scores, [truth[number] for number in numbers.tolist()], atol=CLOSE)
    assert [(-score, number) for score, number in zip(scores, numbers, strict=True)] == sorted(
        (-score, number) for score, number in zip(scores, numbers, strict=True)
    )
    left_out = [score for number, score in truth.items() if number not in set(numbers.tolist())]
    if left_out and len(scores):
        assert max(left_out) <= scores[-1] + 2 * CLOSE


def clustered(count: int, *, seed: int, dimension: int = 48, topics: int = 150) -> Floats:
    chance = np.random.default_rng(seed)
    centres = np.random.default_rng(99).standard_normal((topics, dimension))
    rows = centres[chance.integers(0, topics, count)] + 0.8 * chance.standard_normal((count, dimension))
    return normalise(rows.astype(np.float32))


def filled(vectors: Floats) -> VectorIndex:
    index = VectorIndex(vectors.shape[1])
    index.put(np.arange(1, len(vectors) + 1), vectors)
    return index


def recall(index: VectorIndex, vectors: Floats, queries: Floats, allowed: npt.NDArray[np.bool_] | None = None) -> float:
    """How many of the true ten are among the few that a store would look at more closely."""
    likeness = queries @ vectors.T
    if allowed is not None:
        likeness[:, ~allowed[1:]] = -2
    found = 0
    for query, scores in zip(queries, likeness, strict=True):
        true = np.argpartition(-scores, 9)[:10] + 1
        found += len(np.intersect1d(true, index.search(query, 20, allowed)[0]))
    return found / (10 * len(queries))


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many blocks, and candidates told by their signs, at sizes a test can afford."""
    monkeypatch.setattr(index_module, "BLOCK_ROWS", 64)
    monkeypatch.setattr(index_module, "RANKED_MIN", 200)


components = st.one_of(st.integers(-3, 3).map(float), st.floats(-(2.0**100), 2.0**100, width=32))
vector = st.lists(components, min_size=5, max_size=5).map(lambda row: np.array(row, dtype=np.float32))


class AgainstADictionary(RuleBasedStateMachine):
    """Random writes, removals and restarts, against a dictionary searched by brute force."""

    folder: Path

    @initialize()
    def begin(self) -> None:
        self.index, self.model = VectorIndex(5), dict[int, Floats]()

    @rule(items=st.lists(st.tuples(st.integers(1, 60), vector), min_size=1, max_size=12))
    def put(self, items: list[tuple[int, Floats]]) -> None:
        self.index.put([number for number, _ in items], np.stack([row for _, row in items]))
        self.model.update(items)

    @rule(numbers=st.lists(st.integers(1, 70), max_size=10))
    def remove(self, numbers: list[int]) -> None:
        self.index.remove(np.array(numbers, dtype=np.int64))
        for number in numbers:
            self.model.pop(number, None)

    @rule(tmp=st.uuids())
    def restart(self, tmp: object) -> None:
        path = self.folder / f"{tmp}"
        self.index.save(path, "stamp")
        loaded = VectorIndex.load(path, 5)
        assert loaded is not None
        assert loaded.generation == "stamp"
        self.index = loaded.index

    @rule(query=vector, limit=st.integers(1, 15))
    def search(self, query: Floats, limit: int) -> None:
        assert_right(self.index.search(query, limit), self.model, query, limit)

    @rule(query=vector, limit=st.integers(1, 15), mask=st.lists(st.booleans(), max_size=70))
    def search_among_allowed(self, query: Floats, limit: int, mask: list[bool]) -> None:
        allowed = np.array(mask, dtype=bool)
        model = {number: row for number, row in self.model.items() if number < len(mask) and mask[number]}
        assert_right(self.index.search(query, limit, allowed), model, query, limit)

    @invariant()
    def holds_what_the_dictionary_holds(self) -> None:
        assert len(self.index) == len(self.model)
        assert self.index.numbers().tolist() == sorted(self.model)


def test_it_agrees_with_a_dictionary_through_any_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_module, "BLOCK_ROWS", 7)  # several blocks, filled and rewritten within a few steps
    machine = type("Machine", (AgainstADictionary,), {"folder": tmp_path})
    run_state_machine_as_test(machine, settings=settings(max_examples=40, stateful_step_count=20, deadline=None))


@given(rows=st.lists(vector, min_size=1, max_size=20))
def test_codes_keep_every_component_within_half_a_step(rows: list[Floats]) -> None:
    unit = normalise(np.stack(rows))
    codes = encode(unit)
    assert np.all(np.abs(codes.levels * codes.steps[:, None] - unit) <= codes.steps[:, None] * 0.501 + 1e-7)


def test_nearly_all_of_the_true_nearest_are_found_with_and_without_filters() -> None:
    vectors, queries = (
        clustered(20_000, seed=1, dimension=96, topics=400),
        clustered(100, seed=2, dimension=96, topics=400),
    )
    index = filled(vectors)
    assert recall(index, vectors, queries) >= 0.97
    chance = np.random.default_rng(3)
    for share in (0.5, 0.2, 0.1, 0.01, 0.001):
        assert recall(index, vectors, queries, chance.random(20_001) < share) >= 0.97


def test_few_allowed_items_far_from_the_query_all_come_back(small_blocks: None) -> None:
    vectors = clustered(5000, seed=1)
    index = filled(vectors)
    farthest = np.argsort(vectors @ vectors[0])[:50] + 1
    allowed = np.zeros(5001, dtype=bool)
    allowed[farthest] = True
    numbers, _ = index.search(vectors[0], 50, allowed)
    assert sorted(numbers.tolist()) == sorted(farthest.tolist())


def test_half_allowed_but_all_of_it_far_away_still_fills_the_limit(small_blocks: None) -> None:
    vectors = clustered(5000, seed=1)
    index = filled(vectors)
    likeness = vectors @ vectors[0]
    allowed = np.concatenate(([False], likeness < np.median(likeness)))
    numbers, _ = index.search(vectors[0], 100, allowed)
    assert len(numbers) == 100
    assert allowed[numbers].all()


def test_a_write_is_found_by_the_next_search_and_a_removed_one_never(small_blocks: None) -> None:
    vectors = clustered(2000, seed=1)
    index = filled(vectors)
    for number, row in enumerate(clustered(200, seed=5), start=3000):
        index.put([number], row[None, :])
        numbers, scores = index.search(row, 1)
        assert numbers.tolist() == [number]
        assert scores[0] == pytest.approx(1.0, abs=CLOSE)
        index.remove([number])
        assert number not in index.search(row, 5)[0]


def test_equal_vectors_come_in_the_order_of_their_numbers() -> None:
    row = clustered(1, seed=1)
    index = VectorIndex(48)
    index.put(np.arange(300, 0, -1), np.repeat(row, 300, axis=0))
    assert index.search(row[0], 20)[0].tolist() == list(range(1, 21))


def test_many_equal_vectors_do_not_crowd_out_a_nearer_one(small_blocks: None) -> None:
    row, other = clustered(2, seed=1)
    index = VectorIndex(48)
    index.put(np.arange(1, 2001), np.repeat(other[None, :], 2000, axis=0))
    index.put([2001], row[None, :])
    assert index.search(row, 3)[0].tolist() == [2001, 1, 2]


def test_the_same_writes_give_the_same_answers() -> None:
    vectors, queries = clustered(12_000, seed=1), clustered(20, seed=2)
    one, two = filled(vectors), filled(vectors)
    for query in queries:
        first, second = one.search(query, 10), two.search(query, 10)
        assert first[0].tolist() == second[0].tolist()
        assert first[1].tolist() == second[1].tolist()


def test_writing_and_removing_by_turns_takes_no_more_memory(small_blocks: None) -> None:
    rows = clustered(100, seed=1)
    index = VectorIndex(48)
    for _ in range(30):
        index.put(np.arange(1, 101), rows)
        index.remove(np.arange(1, 101))
    index.put([1], rows[:1])
    kept = sum(len(block.numbers) for block in index._blocks)
    assert len(index) == 1
    assert kept <= 3 * 64


def test_readers_see_whole_items_while_one_writes(small_blocks: None) -> None:
    vectors = clustered(1500, seed=1)
    index = filled(vectors)
    stop, wrong = threading.Event(), list[str]()

    def read() -> None:
        allowed = np.ones(1501, dtype=bool)
        few = np.zeros(1501, dtype=bool)
        few[1:20] = True
        while not stop.is_set():
            for mask in (None, allowed, few):
                numbers, scores = index.search(vectors[3], 10, mask)
                # Item 4 is rewritten with the same vector over and over: it must be there each time, once.
                if numbers[0] != 4 or abs(float(scores[0]) - 1) > CLOSE or len(set(numbers.tolist())) != 10:
                    wrong.append(f"{numbers.tolist()} {scores.tolist()}")

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for turn in range(150):
        index.put(np.arange(4, 40), vectors[3:39])
        index.remove([100 + turn])
    stop.set()
    for reader in readers:
        reader.join()
    assert wrong == []


@pytest.mark.parametrize(
    "damage",
    ["missing", "empty", "short", "long", "foreign", "header", "numbers", "dimension", "pipe", "endless", "folder"],
)
def test_a_snapshot_that_cannot_be_trusted_counts_as_absent(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "vectors"
    index = VectorIndex(48)
    index.put(np.arange(1, 101), clustered(100, seed=1))
    index.save(path, "7")
    whole = path.read_bytes()
    spoiled = bytearray(whole)
    match damage:
        case "missing" | "pipe" | "endless" | "folder":
            path.unlink()
            make = {"pipe": os.mkfifo, "endless": lambda at: at.symlink_to("/dev/zero"), "folder": Path.mkdir}
            make.get(damage, str)(path)
        case "empty" | "foreign":
            path.write_bytes(b"" if damage == "empty" else b"SQLite format 3\0" * 1000)
        case "short" | "long":
            path.write_bytes(whole[:-1] if damage == "short" else whole + b"\0")
        case "header" | "numbers":
            spoiled[whole.index(b"dimension") if damage == "header" else 400] ^= 1
            path.write_bytes(spoiled)
        case _:
            assert VectorIndex.load(path, 48) is not None
    assert VectorIndex.load(path, 32 if damage == "dimension" else 48) is None


def test_a_loaded_index_takes_writes_and_a_save_over_its_own_file(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    vectors = clustered(12_000, seed=1)
    filled(vectors).save(path, "1")
    loaded = VectorIndex.load(path, 48)
    assert loaded is not None
    extra = clustered(500, seed=9)
    loaded.index.put(np.arange(20_001, 20_501), extra)
    loaded.index.remove(np.arange(1, 1001))
    loaded.index.save(path, "2")
    again = VectorIndex.load(path, 48)
    assert again is not None
    assert again.generation == "2"
    assert len(again.index) == len(loaded.index) == 11_500
    for query in extra[:10]:
        assert again.index.search(query, 5)[0].tolist() == loaded.index.search(query, 5)[0].tolist()
    assert [entry.name for entry in tmp_path.iterdir()] == ["vectors"]


def test_bad_calls_say_what_to_pass() -> None:
    index = VectorIndex(4)
    with pytest.raises(ValueError, match="start at 1"):
        index.put([0], np.ones((1, 4)))
    with pytest.raises(ValueError, match="one vector for each number"):
        index.put([1, 2], np.ones((1, 4)))
    assert index.search(np.ones(4), 5)[0].tolist() == []
    index.put([1], np.ones((1, 4)))
    assert index.search(np.ones(4), 0)[0].tolist() == []
    assert index.search(np.ones(4), 5, np.zeros(0, dtype=bool))[0].tolist() == []
