"""Wheels of our own carry a model from its file to where nightgarden finds it, with its licence and origin."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from train.wheels import PACKAGES, Package, build

from nightgarden.models.catalog import BGE_SMALL, MINILM, KnownModel
from nightgarden.models.model_files import find_model

WEIGHTS = (b"weights of one", b"weights of another")


@pytest.fixture
def package(tmp_path: Path) -> tuple[Package, dict[str, Path]]:
    models: list[KnownModel] = []
    files = {}
    for known, weights in zip((BGE_SMALL, MINILM), WEIGHTS, strict=True):
        model = replace(known, sha256=hashlib.sha256(weights).hexdigest(), size_bytes=len(weights))
        files[model.id] = tmp_path / model.name
        files[model.id].write_bytes(weights)
        models.append(model)
    return Package(name="nightgarden-trial", summary="For a test.", models=tuple(models)), files


def test_an_installed_wheel_is_found_by_its_hash(package: tuple[Package, dict[str, Path]], tmp_path: Path) -> None:
    made, files = package
    wheel = build(made, files, tmp_path / "dist")
    install = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "-q",
        "--no-index",
        "--no-deps",
        "--prefix",
        str(tmp_path / "env"),
    ]
    ran = subprocess.run([*install, str(wheel)], capture_output=True, text=True, check=False, timeout=300)
    assert ran.returncode == 0, ran.stderr
    for model, weights in zip(made.models, WEIGHTS, strict=True):
        found = find_model(model, [tmp_path / "env" / "share" / "nightgarden" / "models"])
        assert found is not None
        assert found.path.read_bytes() == weights


def test_a_wheel_says_whose_weights_they_are_and_on_what_terms(
    package: tuple[Package, dict[str, Path]], tmp_path: Path
) -> None:
    made, files = package
    with zipfile.ZipFile(build(made, files, tmp_path / "dist")) as archive:
        inside = {name.rsplit("/", 1)[-1]: archive.read(name).decode() for name in archive.namelist()}
    assert "License-Expression: Apache-2.0 AND MIT" in inside["METADATA"]
    for model in made.models:
        assert f"{model.licence}, from {model.origin}; SHA-256 {model.sha256}" in inside["METADATA"]
    assert "Permission is hereby granted" in inside["MIT.txt"]
    assert "Apache License" in inside["Apache-2.0.txt"]


def test_the_same_models_give_the_same_wheel(package: tuple[Package, dict[str, Path]], tmp_path: Path) -> None:
    one, two = (build(*package, tmp_path / folder).read_bytes() for folder in ("one", "two"))
    assert one == two


def test_every_model_that_is_fetched_has_a_wheel() -> None:
    assert {model.name for package in PACKAGES for model in package.models} == {
        "bge-small-en-v1.5",
        "all-MiniLM-L6-v2",
        "ms-marco-MiniLM-L-12-v2",
    }
