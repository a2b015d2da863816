"""One function says which project a directory belongs to, and it says the same wherever and whenever it is asked."""

from __future__ import annotations

import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from nightgarden import Garden, Saved, Scope, ScopeKind
from nightgarden.errors import BadInput
from nightgarden.scope import IDENTITY_FILE, normalise_address, parse_scope, resolve_place
from tests.cli.command import run
from tests.conftest import BY_WORDS

GIT = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "PATH": os.environ["PATH"]}
GIT |= {f"GIT_{who}_{what}": "a@b.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}


def git(folder: Path, *words: str) -> None:
    command = ["git", "-c", "protocol.file.allow=always", *words]
    subprocess.run(command, cwd=folder, env=GIT, check=True, capture_output=True)


def repository(folder: Path, *, origin: str = "", commit: bool = True) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    if commit:
        git(folder, "commit", "-q", "--allow-empty", "-m", f"first of {folder.name}")
    if origin:
        git(folder, "remote", "add", "origin", origin)
    return folder


def owner(folder: Path) -> str:
    place = resolve_place(folder, {"NIGHTGARDEN_HOME": "/nonexistent"})
    assert place.scope.kind is ScopeKind.PROJECT
    return place.scope.owner


def test_a_repository_is_one_project_in_all_its_folders(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    deep = root / "src" / "deep"
    deep.mkdir(parents=True)
    assert owner(root) == owner(deep)
    assert resolve_place(deep).root == root
    assert resolve_place(deep).name == "app"


def test_a_repository_that_is_moved_stays_the_same_project(tmp_path: Path) -> None:
    for name, commit in (("with", True), ("without", False)):
        root = repository(tmp_path / name, commit=commit)
        before = owner(root)
        shutil.move(root, tmp_path / f"{name}-moved")
        assert owner(tmp_path / f"{name}-moved") == before


def test_a_project_keeps_its_identity_when_it_gets_commits_and_an_origin(tmp_path: Path) -> None:
    root = repository(tmp_path / "young", commit=False)
    before = owner(root)
    git(root, "commit", "-q", "--allow-empty", "-m", "later")
    git(root, "remote", "add", "origin", "git@example.org:me/young.git")
    assert owner(root) == before


def test_worktrees_share_the_project_of_their_repository(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    git(root, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    assert owner(tmp_path / "elsewhere") == owner(root)
    assert resolve_place(tmp_path / "elsewhere").root == tmp_path / "elsewhere"


def test_a_worktree_asked_first_gives_the_same_answer(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    git(root, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    first = owner(tmp_path / "elsewhere")
    assert owner(root) == first


def test_a_submodule_and_a_nested_repository_are_projects_of_their_own(tmp_path: Path) -> None:
    library = repository(tmp_path / "library")
    root = repository(tmp_path / "app")
    git(root, "submodule", "add", "-q", str(library), "vendored")
    nested = repository(root / "nested")
    assert len({owner(root), owner(root / "vendored"), owner(nested)}) == 3


def test_clones_agree_by_the_address_of_their_origin_however_it_is_written(tmp_path: Path) -> None:
    spellings = [
        "git@Example.org:me/app.git",
        "ssh://git@example.org/me/app",
        "ssh://git@example.org:22/me/app.git",
        "https://user:token@example.org/me/app.git/",
        "https://example.org/me/app",
    ]
    assert len({owner(repository(tmp_path / f"clone{n}", origin=o)) for n, o in enumerate(spellings)}) == 1
    assert owner(repository(tmp_path / "other", origin="https://example.org/me/app2")) != owner(tmp_path / "clone0")
    assert "token" not in normalise_address(spellings[3])


def test_plain_folders_are_known_by_their_path_and_by_a_fixed_identity(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    assert owner(one) != owner(other)
    (tmp_path / "link").symlink_to(one)
    assert owner(tmp_path / "link") == owner(one)
    for folder in (one, other):
        (folder / ".nightgarden").mkdir()
        (folder / ".nightgarden" / "config.toml").write_text('[project]\nid = "shared"\n')
    assert owner(one) == owner(other) == "shared"


def test_a_folder_that_does_not_exist_or_a_file_belongs_to_the_project_around_it(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    (root / "file.py").touch()
    assert owner(root / "file.py") == owner(root / "gone") == owner(root)


def test_a_damaged_identity_file_is_derived_again(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    before = owner(root)
    (root / ".git" / IDENTITY_FILE).write_bytes(b"\xff\x00 nonsense")
    assert owner(root) == before


def test_a_git_folder_that_cannot_be_written_gives_the_same_answer_each_time(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    (root / ".git" / IDENTITY_FILE).mkdir()  # writing there fails for every user, root too
    assert owner(root) == owner(root / ".git" / "..")
    assert not [each for each in (root / ".git").iterdir() if each.name.startswith(f"{IDENTITY_FILE}.")]


def test_many_who_ask_first_at_once_get_one_answer(tmp_path: Path) -> None:
    root = repository(tmp_path / "app", commit=False)
    with ThreadPoolExecutor(16) as pool:
        answers = set(pool.map(owner, [root] * 64))
    assert answers == {owner(root)}
    assert (root / ".git" / IDENTITY_FILE).read_text().strip() in answers


async def test_the_command_line_and_the_library_agree(tmp_path: Path, home: Path) -> None:
    root = repository(tmp_path / "app")
    (root / "sub").mkdir()
    async with Garden.open(directory=root, settings=BY_WORDS) as garden:
        saved = await garden.remember("The release train leaves on Thursdays")
        assert isinstance(saved, Saved)
        assert saved.memory.scope == Scope(ScopeKind.PROJECT, owner(root))
    found = run(home, "recall", "release train", "--json", cwd=root / "sub").json
    assert [each["id"] for each in found["results"]] == [saved.id]


def test_scopes_are_written_as_people_write_them(tmp_path: Path) -> None:
    place = resolve_place(tmp_path)
    assert parse_scope("global", place) == Scope(ScopeKind.GLOBAL)
    assert parse_scope(" Project ", place) == place.scope
    assert parse_scope("user:ada", place) == parse_scope("agent:ada", place) == Scope(ScopeKind.AGENT, "ada")
    for wrong in ("", "galaxy", "agent", "agent:", "session:"):
        with pytest.raises(BadInput):
            parse_scope(wrong, place)
