"""Settings come from four places, each over the one before, and what is wrong is said with its place and its cure."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping
from dataclasses import fields, replace
from operator import attrgetter
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.errors import BadSetting
from nightgarden.settings import (
    Settings,
    data_folder,
    load_settings,
    section_kinds,
    settings_problems,
    user_file,
)


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"NIGHTGARDEN_HOME": str(tmp_path / "home")}


def test_without_any_source_the_defaults_hold(tmp_path: Path, env: dict[str, str]) -> None:
    assert load_settings(tmp_path, env) == Settings()


def test_a_project_narrows_what_the_user_says_and_the_environment_beats_both(
    tmp_path: Path, env: dict[str, str]
) -> None:
    write(tmp_path / "home" / "config.toml", "[recall]\nlimit = 6\nrerank = false\n[garden]\nbackups_kept = 2\n")
    write(tmp_path / "p" / ".nightgarden" / "config.toml", "[recall]\nlimit = 4\n")
    inside = tmp_path / "p" / "src" / "deep"
    inside.mkdir(parents=True)
    assert load_settings(inside, env).recall.limit == 4
    loaded = load_settings(inside, env | {"NIGHTGARDEN_RECALL_LIMIT": "5"})
    assert (loaded.recall.limit, loaded.recall.rerank, loaded.garden.backups_kept) == (5, False, 2)
    assert load_settings(tmp_path, env).recall.limit == 6


def test_the_nearest_project_file_counts(tmp_path: Path, env: dict[str, str]) -> None:
    write(tmp_path / ".nightgarden" / "config.toml", "[recall]\nlimit = 1\n")
    write(tmp_path / "inner" / ".nightgarden" / "config.toml", "[turn]\nitems_max = 2\n")
    loaded = load_settings(tmp_path / "inner", env)
    assert (loaded.recall.limit, loaded.turn.items_max) == (10, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[recal]\nlimit = 3", "unknown section [recal]; known are garden, project"),
        ("[recall]\nlimits = 3", "unknown key recall.limits; known are limit, recency, rerank"),
        ("[recall]\nlimit = 0", "recall.limit = 0 is not allowed; it must be a whole number from 1 to 1000"),
        ("[recall]\nlimit = 2.5", "a whole number"),
        ("[recall]\nlimit = [1]", "a whole number"),
        ("[recall]\nlimit = inf", "a whole number"),
        ("[recall]\nlimit = nan", "a whole number"),
        ("[recall]\nlimit = true", "a whole number"),
        ('[recall]\nlimit = "3"', "a whole number"),
        ("[recall]\nrerank = 1", "true or false"),
        ('[embedding]\nmodel = "gpt"', "one of auto, bge-small, minilm, multilingual, remote, off"),
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


# -- what a project's file may do --------------------------------------------------------------------------------
KEYS = [
    (section, key.name, get_type_hints(kind)[key.name], key.metadata)
    for section, kind in section_kinds().items()
    for key in fields(kind)
]
# What keeps the user safe, decides what is kept and for how long, where text goes and what is spent.
OF_THE_USER_ALONE = {"garden", "embedding", "guard", "sessions", "daemon", "mind", "tend", "notify"}
OF_THE_USER_ALONE |= {section for section in section_kinds() if section.startswith("initiative.")}


def any_value(hint: Any, bounds: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is tuple:
        return st.lists(any_value(get_args(hint)[0], {}), max_size=4).map(tuple)
    if hint is bool:
        return st.booleans()
    if hint in (int, float):
        numbers: Any = st.integers if hint is int else st.floats
        return numbers(bounds["least"], bounds["most"])
    return st.text("abc-/", max_size=8)


def as_toml(value: Any) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value)


def with_value(value: Any, path: str, new: Any) -> Any:
    name, _, rest = path.partition(".")
    return replace(value, **{name: with_value(getattr(value, name), rest, new) if rest else new})


@given(st.data())
def test_whatever_a_project_says_about_any_setting_it_only_narrows(data: st.DataObject) -> None:
    section, key, hint, metadata = data.draw(st.sampled_from(KEYS))
    users, projects = (data.draw(any_value(hint, metadata), label=who) for who in ("user", "project"))
    with tempfile.TemporaryDirectory() as folder:
        env = {"NIGHTGARDEN_HOME": f"{folder}/home"}
        write(Path(folder) / "home" / "config.toml", f"[{section}]\n{key} = {as_toml(users)}\n")
        before = load_settings(Path(folder), env)
        write(Path(folder) / ".nightgarden" / "config.toml", f"[{section}]\n{key} = {as_toml(projects)}\n")
        after, problems = load_settings(Path(folder), env), settings_problems(Path(folder), env)
    was, now = (attrgetter(f"{section}.{key}")(each) for each in (before, after))
    assert with_value(after, f"{section}.{key}", was) == before
    match metadata["project"]:
        case "lower":
            assert now == min(was, projects)
        case "higher":
            assert now == max(was, projects)
        case "off":
            assert now is (was and projects)
        case "fewer":
            assert set(now) <= set(was)
        case "more":
            assert set(now) == {*was, *projects}
        case _:
            assert now == was
    silent = metadata["project"] in ("here", "more")
    assert bool(problems) == (metadata["project"] == "never" or (not silent and now != projects))


def test_what_protects_the_user_is_never_a_projects_to_say() -> None:
    may = {(section, key) for section, key, _, metadata in KEYS if metadata["project"] != "never"}
    assert {section for section, _ in may} == {"project", "remember", "recall", "turn", "safety", "ambient"}
    assert not {section for section, _ in may} & OF_THE_USER_ALONE
    assert {key for section, key in may if section == "remember"} == {"personal_allowed"}
    of_ambient = {metadata["project"] for section, _, _, metadata in KEYS if section == "ambient"}
    assert of_ambient == {"never", "off", "lower", "higher"}  # nothing there can be widened


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[guard]\nmode = "off"', "guard.mode cannot be set by a project"),
        ('[remember]\npersonal_allowed = ["mail"]', "a project may only take away from it"),
        ('[garden]\nurl = "postgresql://elsewhere/x"', "garden.url cannot be set by a project"),
        ("[recall]\nlimit = 500", "a project may only set it lower"),
        ("[recal]\nlimit = 3", "unknown section [recal]"),
        ("recall = 5", "[recall] must be a table"),
        ("[recall\nlimit", "not valid TOML"),
        ("x = " + "[" * 5000 + "]" * 5000, "not valid TOML"),
        ("# " + "x" * 200_000, "larger than"),
    ],
)
def test_what_a_project_may_not_say_is_left_out_and_told_and_the_rest_holds(
    tmp_path: Path, env: dict[str, str], text: str, said: str
) -> None:
    file = write(tmp_path / ".nightgarden" / "config.toml", text + "\n")
    assert load_settings(tmp_path, env) == Settings()
    [problem] = settings_problems(tmp_path, env)
    assert said in problem
    assert str(file) in problem
    if said.startswith(("unknown", "guard", "garden")):
        write(file, text + "\n[turn]\nitems_max = 1\n")
        assert load_settings(tmp_path, env).turn.items_max == 1


def test_a_projects_file_counts_only_if_it_is_the_users_and_only_theirs_to_write(
    tmp_path: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / ".nightgarden" / "config.toml", "[recall]\nlimit = 1\n")
    file.chmod(0o666)
    assert load_settings(tmp_path, env) == Settings()
    assert "every user of this machine can write it" in settings_problems(tmp_path, env)[0]
    file.chmod(0o644)
    assert load_settings(tmp_path, env).recall.limit == 1
    monkeypatch.setattr("os.geteuid", lambda: file.stat().st_uid + 1)
    assert load_settings(tmp_path, env) == Settings()
    assert "belongs to another user" in settings_problems(tmp_path, env)[0]


@pytest.mark.parametrize("edge", ["repository", "home", "shared"])
def test_no_file_above_the_project_counts(
    edge: str, tmp_path: Path, env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "a" / "b"
    inside.mkdir(parents=True)
    write(tmp_path / ".nightgarden" / "config.toml", "[recall]\nlimit = 1\n")
    assert load_settings(inside, env).recall.limit == 1
    match edge:
        case "repository":
            (tmp_path / "a" / ".git").mkdir()
        case "home":
            monkeypatch.setenv("HOME", str(tmp_path / "a"))
        case "shared":
            tmp_path.chmod(0o1777)
    assert load_settings(inside, env) == Settings()


def test_a_file_that_leads_elsewhere_is_not_read(tmp_path: Path, env: dict[str, str]) -> None:
    (tmp_path / ".nightgarden").mkdir()
    for target in ("/dev/zero", write(tmp_path / "other.toml", "[recall]\nlimit = 1\n")):
        (tmp_path / ".nightgarden" / "config.toml").unlink(missing_ok=True)
        (tmp_path / ".nightgarden" / "config.toml").symlink_to(target)
        assert load_settings(tmp_path, env) == Settings()
        assert "cannot be read" in settings_problems(tmp_path, env)[0]
