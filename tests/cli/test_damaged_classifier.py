"""A file of the built-in classifier that is cut short or missing: rules stand alone, and `doctor` says so."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from nightgarden.errors import ModelDamaged
from nightgarden.models.catalog import BGE_SMALL
from nightgarden.models.classifier import BuiltInClassifier
from nightgarden.models.classifier_files import DEEP_NETWORK, FOLDER_VARIABLE, SECOND_NETWORK, classifier_folder
from nightgarden.models.model_files import find_model
from nightgarden.models.models_of_settings import load_classifier
from tests.cli.command import run
from tests.conftest import Open

SMALL_FILES = ("classifier.onnx", "classifier-words.npz", "contrasts.npz")
Cut = Callable[[str], Path]


@pytest.fixture
def cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cut:
    """The package's files in a folder of their own, one of them cut short."""

    def damage(name: str) -> Path:
        monkeypatch.delenv(FOLDER_VARIABLE)
        folder = tmp_path / "files"
        folder.mkdir()
        for path in classifier_folder().iterdir():
            shutil.copyfile(path, folder / path.name)
        (folder / name).write_bytes((folder / name).read_bytes()[:1000])
        monkeypatch.setenv(FOLDER_VARIABLE, str(folder))
        return folder

    return damage


@pytest.mark.parametrize("name", [*SMALL_FILES, "occasions.npz", DEEP_NETWORK, SECOND_NETWORK])
def test_doctor_says_which_file_is_damaged_and_what_to_do(home: Path, project: Path, cut: Cut, name: str) -> None:
    assert find_model(BGE_SMALL) is not None, "run `nightgarden models fetch` first; `make test` does"
    environment = {FOLDER_VARIABLE: str(cut(name))}
    told = run(home, "doctor", cwd=project, env=environment)
    assert told.code == 1
    assert f"classifier: {name} is damaged" in told.out
    assert "reinstall nightgarden" in told.out
    answer = json.loads(run(home, "doctor", "--json", cwd=project, env=environment).out)
    assert answer["classifier"] == {"state": "damaged", "files": [name]}
    assert answer["ok"] is False


def test_what_is_missing_or_switched_off_is_told_to_scripts_and_is_no_fault(
    home: Path, project: Path, cut: Cut
) -> None:
    folder = cut("classifier.onnx")
    (folder / "classifier.onnx").unlink()
    for environment, state, files in (
        ({FOLDER_VARIABLE: str(folder)}, "missing", ["classifier.onnx"]),
        ({FOLDER_VARIABLE: str(folder), "NIGHTGARDEN_CLASSIFIER_ENABLED": "false"}, "disabled", []),
        ({FOLDER_VARIABLE: ""}, "ready", []),
    ):
        told = run(home, "doctor", "--json", cwd=project, env=environment)
        assert told.code == 0
        assert json.loads(told.out)["classifier"] == {"state": state, "files": files}


@pytest.mark.parametrize("name", SMALL_FILES)
async def test_rules_stand_alone_and_the_damage_is_known(open_garden: Open, cut: Cut, name: str) -> None:
    cut(name)
    async with open_garden() as garden:
        assert type(await garden.remember("The password is hunter22")).__name__ == "Refused"
        assert type(await garden.remember("The API listens on port 8080")).__name__ == "Saved"
        damage = await garden.warm()
        assert damage is not None
        assert damage.file == name


def test_a_damaged_deep_network_is_told_of_and_not_tried_again(cut: Cut, monkeypatch: pytest.MonkeyPatch) -> None:
    cut(DEEP_NETWORK)
    told: list[ModelDamaged] = []
    opened: list[int] = []
    load = BuiltInClassifier.load

    def counted(classifier: BuiltInClassifier) -> None:
        opened.append(1)
        load(classifier)

    monkeypatch.setattr(BuiltInClassifier, "load", counted)
    assert not load_classifier((), note=told.append).deep
    assert [each.file for each in told] == [DEEP_NETWORK]
    assert len(opened) == 2  # with the deep ones, and without
