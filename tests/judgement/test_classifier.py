"""The shipped classifier in the product: what it keeps out, what it lets in, and that its files can be missing."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from nightgarden import Garden
from nightgarden.domain.session import Message, Session
from nightgarden.domain.verdict import Refused, Reinforced, Saved, Superseded
from nightgarden.errors import ModelUnavailable
from nightgarden.models.classifier import BuiltInClassifier
from nightgarden.models.classifier_files import CONTRASTS, FOLDER_VARIABLE, NETWORK, WORDS, classifier_folder
from nightgarden.settings import EmbeddingSettings, Settings
from tests.conftest import BY_WORDS, Ticking

WEIGHTS_BYTES_MAX = 12_000_000


@pytest.fixture
def judging(monkeypatch: pytest.MonkeyPatch) -> BuiltInClassifier:
    monkeypatch.delenv(FOLDER_VARIABLE)
    return BuiltInClassifier()


@pytest.fixture
async def garden(judging: BuiltInClassifier, tmp_path: Path):
    async with Garden.open(tmp_path / "garden.db", settings=BY_WORDS, clock=Ticking(), directory=tmp_path) as made:
        yield made


@pytest.mark.parametrize(
    "text",
    [
        "The wifi password at the studio is Marigold-Teapot-88",
        "log in to the printer admin as root with the password Sparrow!2024",
        "Das Passwort fuer den Server lautet Sonnenblume99!",
    ],
)
async def test_a_credential_in_plain_words_is_refused(garden: Garden, text: str) -> None:
    verdict = await garden.remember(text)
    assert isinstance(verdict, Refused)
    assert verdict.rule.id == "secret"


@pytest.mark.parametrize(
    "text",
    [
        "We deploy on Fridays",
        "I'm vegetarian",
        "I like small commits",
        "The staging database runs on port 5433",
        "Anna reviews payments code",
        "No emojis",
        "pnpm only",
    ],
)
async def test_plain_statements_are_saved(garden: Garden, text: str) -> None:
    assert isinstance(await garden.remember(text), Saved)


@pytest.mark.parametrize(
    "chatter",
    [
        "ok thanks, that worked, let me run the tests now",
        "ok",
        "lgtm",
        "ok thanks",
        "asdf",
        "tests are green now",
        "I like it",
    ],
)
async def test_chatter_is_refused_unless_its_user_insists(garden: Garden, chatter: str) -> None:
    verdict = await garden.remember(chatter)
    assert isinstance(verdict, Refused)
    assert verdict.rule.id == "not-lasting"
    assert isinstance(await garden.remember(chatter, allow=("not-lasting",)), Saved)


async def test_another_number_replaces_the_old_one(garden: Garden) -> None:
    await garden.remember("The staging database runs on port 5433")
    assert isinstance(await garden.remember("The staging database now runs on port 5440"), Superseded)


@pytest.mark.parametrize(
    ("known", "told", "kept"),
    [
        ("The API listens on port 9090 now", "The API listens on port 9090 now, 8080 clashed with the proxy.", Saved),
        (
            "The API listens on port 9090 now, 8080 clashed with the proxy.",
            "The API listens on port 9090 now",
            Reinforced,
        ),
        ("We use pnpm, not npm.", "We use pnpm.", Saved),
    ],
)
async def test_what_goes_on_from_a_known_statement_is_no_conflict(
    garden: Garden, known: str, told: str, kept: type
) -> None:
    await garden.remember(known)
    assert isinstance(await garden.remember(told), kept)


async def test_a_session_gives_what_is_lasting_in_it(garden: Garden) -> None:
    said = (
        "can you rerun the import please",
        "Please remember that invoices go out on the third working day of the month, the auditors insist on it",
        "thanks, looks good",
    )
    clock = Ticking()
    messages = tuple(Message(id=str(n), role="user", text=text, at=clock.now()) for n, text in enumerate(said))
    await garden.sessions.add(Session(id="s", messages=messages))
    await garden.sessions.extract("s")
    kept = [memory.content for memory in await garden.list()]
    assert len(kept) == 1
    assert "third working day" in kept[0]


def test_the_same_question_gives_the_same_scores(judging: BuiltInClassifier) -> None:
    asked = ("The API listens on port 8080", ["The API listens on port 9090"])
    assert judging.relate_to(*asked) == judging.relate_to(*asked)


def test_the_files_are_small_enough_to_ship(judging: BuiltInClassifier) -> None:
    weights = [path for path in classifier_folder().iterdir() if path.suffix in (".npz", ".onnx")]
    assert sum(path.stat().st_size for path in weights) <= WEIGHTS_BYTES_MAX


def test_without_its_files_there_is_no_classifier(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="reinstall nightgarden"):
        BuiltInClassifier(tmp_path)


async def test_a_network_that_cannot_be_loaded_leaves_the_rules_alone(
    judging: BuiltInClassifier, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lack(*given: object, **named: object) -> None:
        raise ModelUnavailable("onnxruntime cannot be imported")

    monkeypatch.setattr("nightgarden.models.classifier_networks.open_session", lack)
    async with Garden.open(tmp_path / "garden.db", directory=tmp_path, settings=BY_WORDS) as garden:
        assert isinstance(await garden.remember("The staging database listens on port 5433"), Saved)
        assert isinstance(await garden.remember("The password is Hunter2-Correct-Horse!"), Refused)


def test_a_damaged_table_of_words_is_no_classifier(judging: BuiltInClassifier, tmp_path: Path) -> None:
    for name in (NETWORK, WORDS, CONTRASTS):
        shutil.copyfile(classifier_folder() / name, tmp_path / name)
    (tmp_path / WORDS).write_bytes((tmp_path / WORDS).read_bytes()[:1000])
    with pytest.raises(ModelUnavailable, match="damaged"):
        BuiltInClassifier(tmp_path).load()


async def test_a_told_change_replaces_what_it_is_about_and_nothing_else(garden: Garden) -> None:
    for text in (
        "User likes small commits, one thing each",
        "Anna reviews everything under payments/",
        "The API listens on port 8080",
        "Amounts are stored as integer cents",
        "The service uses PostgreSQL 15",
    ):
        await garden.remember(text)
    verdict = await garden.remember("We moved to PostgreSQL 16 last night, Jonas did the upgrade")
    assert isinstance(verdict, Superseded)
    assert [(await garden.get(each)).content for each in verdict.replaced_ids] == ["The service uses PostgreSQL 15"]
    assert isinstance(await garden.remember("The office is in Lisbon now"), Saved)


async def test_a_turn_is_shown_what_matters_in_such_work_and_small_talk_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    settings = Settings(embedding=EmbeddingSettings(model="minilm"))
    async with Garden.open(tmp_path / "garden.db", settings=settings, directory=tmp_path) as garden:
        for text in (
            "Nothing is deployed after four in the afternoon.",
            "Commit messages are in the imperative, at most 60 characters.",
            "Anna reviews the payments code.",
            "The staging database runs on port 5433.",
            "Release notes are written by Tom.",
        ):
            await garden.remember(text)
        await garden.settle()
        for turn, needed in (
            ("deploy the new version this evening", "after four"),
            ("commit this and push the branch", "imperative"),
            ("write the release announcement for 2.3", "Tom"),
        ):
            shown = await garden.turn(turn, session_id=turn, deadline_ms=60_000)
            assert shown is not None
            assert [line for line in shown.lines if needed in line.text]
            assert len(shown.lines) == 1
        assert await garden.turn("morning! freezing outside today", session_id="b", deadline_ms=60_000) is None


async def test_what_users_say_of_themselves_holds_everywhere_and_what_names_the_project_does_not(garden) -> None:
    for text, scope in (
        ("I prefer short answers", "global"),
        ("The user's name is Katarina", "global"),
        ("I prefer pnpm for this project", "project"),
        ("The staging database runs on port 5433", "project"),
    ):
        verdict = await garden.remember(text)
        assert verdict.memory.scope.kind == scope, text
    kept = await garden.remember("I prefer tabs over spaces", scope="project")
    assert kept.memory.scope.kind == "project"
