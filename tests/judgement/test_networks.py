"""The networks of the classifier: which ones judge, that all answer alike in form, and that neighbours do not change an
answer."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from nightgarden.models.catalog import BGE_SMALL, MS_MARCO_RERANKER
from nightgarden.models.classifier import BuiltInClassifier
from nightgarden.models.classifier_files import DEEP_NETWORK, FOLDER_VARIABLE, SECOND_NETWORK, classifier_folder
from nightgarden.models.classifier_networks import DeepNetwork, Numbers
from nightgarden.models.encoding import Encoded
from nightgarden.models.local import LocalEmbedder
from nightgarden.models.model_files import ModelFile, find_deep_weights, find_model
from nightgarden.models.models_of_settings import load_classifier
from nightgarden.recall.helpful import shares_of_turn

KNOWN = ["The API listens on port 8080", "Anna reviews everything under payments/", "Deploys happen on Tuesdays"]
NEWER = "Since Monday the API listens on port 9090"


@pytest.fixture(autouse=True)
def shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)


@pytest.fixture(scope="module")
def base() -> ModelFile:
    found = find_model(BGE_SMALL)
    assert found is not None, "run `nightgarden models fetch` first; `make test` does"
    return found


def damage(network: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package's files in a folder of their own, one of them damaged."""
    for path in classifier_folder().iterdir():
        shutil.copyfile(path, folder / path.name)
    (folder / network).write_bytes(b"no network")
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder))


def test_the_deep_network_judges_where_its_weights_are(base: ModelFile) -> None:
    assert load_classifier(()).relate_to(NEWER, KNOWN[:1])[0].deep


def test_without_its_weights_the_small_network_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    monkeypatch.setattr("sys.path", [])
    assert not find_deep_weights((tmp_path,))
    assert not load_classifier((tmp_path,)).relate_to(NEWER, KNOWN[:1])[0].deep


def test_a_package_without_the_deep_network_judges_with_the_small_one(
    base: ModelFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in classifier_folder().iterdir():
        if path.name != DEEP_NETWORK:
            shutil.copyfile(path, tmp_path / path.name)
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    assert not load_classifier(()).relate_to(NEWER, KNOWN[:1])[0].deep


def test_a_damaged_deep_network_leaves_the_small_one(
    base: ModelFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(DEEP_NETWORK, tmp_path, monkeypatch)
    assert not load_classifier(()).relate_to(NEWER, KNOWN[:1])[0].deep


def test_two_deep_networks_say_the_mean_of_what_each_says(base: ModelFile) -> None:
    bases = find_deep_weights(())
    assert list(bases) == [DEEP_NETWORK, SECOND_NETWORK]
    alone = [BuiltInClassifier(bases={name: file}).relate_to(NEWER, KNOWN[:1])[0] for name, file in bases.items()]
    together = BuiltInClassifier(bases=bases).relate_to(NEWER, KNOWN[:1])[0]
    assert min(each.changes for each in alone) < together.changes < max(each.changes for each in alone)


def test_the_second_network_is_asked_only_where_the_first_is_in_doubt(
    base: ModelFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    run = DeepNetwork.run

    def counted(network: DeepNetwork, inputs: Sequence[Encoded]) -> list[tuple[Numbers, Numbers]]:
        asked.extend(network.model_name for _ in inputs)
        return run(network, inputs)

    monkeypatch.setattr(DeepNetwork, "run", counted)
    classifier = load_classifier(())
    classifier.relate_to("Marta is allergic to nuts", ["The API listens on port 8080"])
    classifier.read_message("thanks, looks good", previous="")
    assert set(asked) == {BGE_SMALL.name}
    classifier.relate_to(NEWER, KNOWN[:1])
    assert MS_MARCO_RERANKER.name in asked


def test_without_the_rerankers_weights_the_first_deep_network_judges_alone(
    base: ModelFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copyfile(base.path, tmp_path / base.path.name)
    monkeypatch.setattr("sys.prefix", str(tmp_path / "nowhere"))
    monkeypatch.setattr("sys.path", [])
    assert list(find_deep_weights((tmp_path,))) == [DEEP_NETWORK]
    assert load_classifier((tmp_path,)).deep


def test_a_damaged_second_network_leaves_the_first(
    base: ModelFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(SECOND_NETWORK, tmp_path, monkeypatch)
    found = load_classifier(()).relate_to(NEWER, KNOWN[:1])
    assert found == BuiltInClassifier(bases={DEEP_NETWORK: base}).relate_to(NEWER, KNOWN[:1])
    assert found[0].deep


def test_weights_that_are_not_the_published_ones_are_not_used(
    base: ModelFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = bytearray(base.path.read_bytes())
    changed[len(changed) // 2] ^= 1
    (tmp_path / base.path.name).write_bytes(changed)
    monkeypatch.setattr("sys.prefix", str(tmp_path / "nowhere"))
    monkeypatch.setattr("sys.path", [])
    assert not find_deep_weights((tmp_path,))


@pytest.mark.parametrize("deep", [False, True])
def test_an_answer_does_not_depend_on_what_else_is_asked(base: ModelFile, deep: bool) -> None:
    classifier = BuiltInClassifier(bases=find_deep_weights(()) if deep else None)
    together = classifier.relate_to(NEWER, KNOWN)
    alone = [classifier.relate_to(NEWER, [known])[0] for known in KNOWN]
    if deep:
        assert together == alone
    else:
        assert [round(each.changes, 3) for each in together] == [round(each.changes, 3) for each in alone]


@pytest.mark.parametrize("deep", [False, True])
def test_both_networks_answer_every_question(base: ModelFile, deep: bool) -> None:
    classifier = BuiltInClassifier(bases=find_deep_weights(()) if deep else None)
    for scores in classifier.relate_to(NEWER, KNOWN):
        total = scores.same + scores.changes + scores.narrows + scores.excepts + scores.compatible + scores.unrelated
        assert total == pytest.approx(1.0, abs=1e-5)
    screened = classifier.screen("The wifi password at the studio is Marigold-Teapot-88")
    assert screened.secret > 0.5
    text = "please fix the test, and we always squash before merging"
    read = classifier.read_message(text, previous="")
    assert [text[word.start : word.end] for word in read.words] == text.split()
    assert len(classifier.helps("commit this", KNOWN)) == len(KNOWN)


def test_a_turn_alone_is_read_for_what_would_help_with_it(base: ModelFile) -> None:
    assert BuiltInClassifier().read_turn("ship it") is None  # the small network was never asked that
    classifier, embedder = BuiltInClassifier(bases=find_deep_weights(())), LocalEmbedder(base, threads=1)
    memories = ["Nothing is deployed after four in the afternoon", "Figures in the report have two decimals"]
    vectors = dict(zip(memories, embedder.embed(memories), strict=True))
    readings = {turn: classifier.read_turn(turn) for turn in ("roll the new version out tonight", "haha nice one")}
    rollout, chatter = (shares_of_turn(reading, vectors) for reading in readings.values() if reading is not None)
    assert rollout[memories[0]] > rollout[memories[1]]
    assert sum(chatter.values()) < sum(rollout.values())


def test_a_text_of_thousands_of_words_is_read(base: ModelFile) -> None:
    classifier = BuiltInClassifier(bases=find_deep_weights(()))
    screened = classifier.screen("The build is quick and the tests are many. " * 400)
    assert screened.secret < 0.5


def test_the_same_says_the_same_whichever_was_told_first(base: ModelFile) -> None:
    classifier = BuiltInClassifier(bases=find_deep_weights(()))
    one, other = "Deploys happen on Tuesdays", "We deploy every Tuesday"
    first, second = (classifier.relate_to(newer, [older])[0] for newer, older in ((one, other), (other, one)))
    assert first.same > 0.5
    assert first.same == pytest.approx(second.same, abs=1e-5)


def test_where_both_networks_are_here_both_read_a_message(base: ModelFile) -> None:
    text = "please fix the test, and we always squash before merging"
    small, both = (
        BuiltInClassifier(bases=each).read_message(text, previous="") for each in (None, find_deep_weights(()))
    )
    assert small.keeps != both.keeps
    assert len(small.words) == len(both.words)
