"""Settings come from four places, each over the one before, and what is wrong is said with its place and its cure."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nightgarden.errors import BadSetting
from nightgarden.settings import Settings, data_folder, load_settings, user_file


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"NIGHTGARDEN_HOME": str(tmp_path / "home")}


def test_without_any_source_the_defaults_hold(tmp_path: Path, env: dict[str, str]) -> None:
    assert load_settings(tmp_path, env) == Settings()


def test_project_file_beats_user_file_and_environment_beats_both(tmp_path: Path, env: dict[str, str]) -> None:
    write(tmp_path / "home" / "config.toml", "[recall]\nlimit = 3\nrerank = false\n[garden]\nbackups_kept = 2\n")
    write(tmp_path / "p" / ".nightgarden" / "config.toml", "[recall]\nlimit = 4\n")
    inside = tmp_path / "p" / "src" / "deep"
    inside.mkdir(parents=True)
    assert load_settings(inside, env).recall.limit == 4
    loaded = load_settings(inside, env | {"NIGHTGARDEN_RECALL_LIMIT": "5"})
    assert (loaded.recall.limit, loaded.recall.rerank, loaded.garden.backups_kept) == (5, False, 2)
    assert load_settings(tmp_path, env).recall.limit == 3


def test_the_nearest_project_file_counts(tmp_path: Path, env: dict[str, str]) -> None:
    write(tmp_path / ".nightgarden" / "config.toml", "[recall]\nlimit = 1\n")
    write(tmp_path / "inner" / ".nightgarden" / "config.toml", "[sessions]\npassage_days = 9\n")
    loaded = load_settings(tmp_path / "inner", env)
    assert (loaded.recall.limit, loaded.sessions.passage_days) == (10, 9)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[recal]\nlimit = 3", "unknown section [recal]; known are garden, project"),
        ("[recall]\nlimits = 3", "unknown key recall.limits; known are limit, rerank"),
        ("[recall]\nlimit = 0", "recall.limit = 0 is not allowed; it must be a whole number from 1 to 1000"),
        ("[recall]\nlimit = 2.5", "a whole number"),
        ("[recall]\nlimit = [1]", "a whole number"),
        ("[recall]\nlimit = inf", "a whole number"),
        ("[recall]\nlimit = nan", "a whole number"),
        ("[recall]\nlimit = true", "a whole number"),
        ('[recall]\nlimit = "3"', "a whole number"),
        ("[recall]\nrerank = 1", "true or false"),
        ('[embedding]\nmodel = "gpt"', "one of auto, bge-small, minilm, remote, off"),
        ('[remember]\npersonal_allowed = "mail"', "a list"),
        ('[remember]\npersonal_allowed = ["face"]', "one of mail, phone, card, national_id, iban"),
        ("[garden]\nurl = 5", "text"),
        ("recall = 5", "[recall] must be a table"),
        ("[recall\nlimit", "not valid TOML"),
    ],
)
def test_a_bad_file_is_named_with_the_key_and_what_is_allowed(
    tmp_path: Path, env: dict[str, str], text: str, said: str
) -> None:
    file = write(tmp_path / "home" / "config.toml", text)
    with pytest.raises(BadSetting, match=re.escape(said)) as raised:
        load_settings(tmp_path, env)
    assert str(file) in str(raised.value)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("NIGHTGARDEN_RECALL_LIMIT", "many", "a whole number from 1 to 1000"),
        ("NIGHTGARDEN_RECALL_LIMIT", "", "a whole number"),
        ("NIGHTGARDEN_RECALL_LIMT", "3", "unknown key recall.limt"),
        ("NIGHTGARDEN_RECALL_RERANK", "perhaps", "true or false"),
        ("NIGHTGARDEN_EMBEDDING_MODEL", "x", "one of auto"),
    ],
)
def test_a_bad_variable_is_named_too(tmp_path: Path, env: dict[str, str], name: str, text: str, said: str) -> None:
    with pytest.raises(BadSetting, match=re.escape(said)) as raised:
        load_settings(tmp_path, env | {name: text})
    assert "environment" in str(raised.value)


def test_variables_are_read_as_the_type_of_their_setting(tmp_path: Path, env: dict[str, str]) -> None:
    given = {"NIGHTGARDEN_RECALL_RERANK": "off", "NIGHTGARDEN_REMEMBER_PERSONAL_ALLOWED": "mail, phone"}
    loaded = load_settings(tmp_path, env | given | {"NIGHTGARDEN_TEST_CACHE": "belongs to someone else"})
    assert loaded.recall.rerank is False
    assert loaded.remember.personal_allowed == ("mail", "phone")


def test_a_file_that_is_not_text_is_refused_with_its_name(tmp_path: Path, env: dict[str, str]) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadSetting, match="not valid TOML"):
        load_settings(tmp_path, env)


def test_data_lives_in_the_home_that_is_set_and_else_where_the_platform_says(tmp_path: Path) -> None:
    assert data_folder({"NIGHTGARDEN_HOME": str(tmp_path)}) == tmp_path
    assert user_file({"NIGHTGARDEN_HOME": str(tmp_path)}) == tmp_path / "config.toml"
    assert data_folder({"XDG_DATA_HOME": str(tmp_path)}).name == "nightgarden"


@pytest.mark.parametrize(
    "lines",
    ['[garden]\nurl = "postgresql://elsewhere/x"\n', '[embedding]\nmodel = "remote"\nendpoint = "https://elsewhere"\n'],
)
def test_a_project_may_not_say_where_memories_go(lines: str, tmp_path: Path) -> None:
    write(tmp_path / "p" / ".nightgarden" / "config.toml", lines)
    with pytest.raises(BadSetting, match="cannot be set by a project; move it to"):
        load_settings(tmp_path / "p", {"XDG_CONFIG_HOME": str(tmp_path / "none")})
