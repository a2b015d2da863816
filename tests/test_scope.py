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
from nightgarden.scope import IDENTITY_FILE, branch_at, normalise_address, parse_scope, resolve_place
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


def test_plain_folders_are_known_by_their_path_and_share_where_the_user_says_so(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir()
    other.mkdir()
    assert owner(one) != owner(other)
    (tmp_path / "link").symlink_to(one)
    assert owner(tmp_path / "link") == owner(one)
    said = {"NIGHTGARDEN_HOME": "/nonexistent", "NIGHTGARDEN_PROJECT_ID": "shared"}
    assert {resolve_place(folder, said).scope.owner for folder in (one, other)} == {"shared"}


def name_project(folder: Path, name: str) -> Path:
    (folder / ".nightgarden").mkdir(parents=True)
    (folder / ".nightgarden" / "config.toml").write_text(f'[project]\nid = "{name}"\n')
    return folder


def test_a_file_in_a_folder_makes_that_folder_a_project_of_its_own_with_all_below(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    part = name_project(root / "packages" / "web", "web")
    (part / "src").mkdir()
    assert owner(part) == owner(part / "src") != owner(root)
    assert resolve_place(part / "src").root == part
    git(root, "worktree", "add", "-q", str(tmp_path / "elsewhere"))
    name_project(tmp_path / "elsewhere" / "packages" / "web", "web")
    assert owner(tmp_path / "elsewhere" / "packages" / "web") == owner(part)


def test_a_file_in_a_folder_can_name_no_project_that_is_elsewhere(tmp_path: Path) -> None:
    bank = repository(tmp_path / "bank", origin="git@github.com:acme/bank-internal.git")
    plain = tmp_path / "plain"
    plain.mkdir()
    named = name_project(tmp_path / "named", "shared")
    for n, known in enumerate((owner(bank), owner(plain), owner(named), "shared")):
        for hostile in (tmp_path / f"hostile{n}", repository(tmp_path / f"cloned{n}", origin="https://evil.example/x")):
            name_project(hostile, known)
            assert owner(hostile) not in (owner(bank), owner(plain), owner(named), "shared")


def test_a_git_folder_can_claim_no_other_projects_number_or_path(tmp_path: Path) -> None:
    bank = repository(tmp_path / "bank", commit=False)
    known = owner(bank)
    hostile = repository(tmp_path / "hostile")
    for claim in (known, f"number {known}", f"path {bank}/.git", f"named {known}", "number x", f"origin {'x' * 9999}"):
        (hostile / ".git" / IDENTITY_FILE).write_text(claim + "\n")
        assert owner(hostile) != known


@pytest.mark.parametrize("way", ["commondir", "file", "link", "worktree"])
def test_a_git_folder_elsewhere_counts_only_where_it_says_so_itself(way: str, tmp_path: Path) -> None:
    bank = repository(tmp_path / "bank")
    known = owner(bank)
    untouched = {path: path.read_bytes() for path in bank.rglob("*") if path.is_file()}
    hostile = tmp_path / "hostile"
    match way:
        case "commondir":
            repository(hostile)
            (hostile / ".git" / "commondir").write_text(f"{bank}/.git\n")
        case "file":
            hostile.mkdir()
            (hostile / ".git").write_text(f"gitdir: {bank}/.git\n")
        case "link":
            hostile.mkdir()
            (hostile / ".git").symlink_to(bank / ".git")
        case "worktree":
            inner = hostile / "inner"
            inner.mkdir(parents=True)
            (inner / "gitdir").write_text(f"{hostile}/.git\n")
            (inner / "commondir").write_text(f"{bank}/.git\n")
            (hostile / ".git").write_text(f"gitdir: {inner}\n")
    assert owner(hostile) != known
    assert {path: path.read_bytes() for path in bank.rglob("*") if path.is_file()} == untouched


def test_the_identity_is_never_written_through_a_link(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    for target in (tmp_path / "missing", tmp_path / "there"):
        (tmp_path / "there").write_text("kept")
        (root / ".git" / IDENTITY_FILE).unlink(missing_ok=True)
        (root / ".git" / IDENTITY_FILE).symlink_to(target)
        assert owner(root) == owner(root)
        assert not (tmp_path / "missing").exists()
        assert (tmp_path / "there").read_text() == "kept"


@pytest.mark.parametrize("name", ["config", "HEAD", IDENTITY_FILE])
def test_files_without_end_in_a_git_folder_are_not_read(name: str, tmp_path: Path) -> None:
    root = repository(tmp_path / "app", origin="git@example.org:me/app.git")
    (root / ".git" / name).unlink(missing_ok=True)
    (root / ".git" / name).symlink_to("/dev/zero")
    assert owner(root)
    assert branch_at(root) in ("", "main", "master")
    (root / ".git" / name).unlink(missing_ok=True)
    os.mkfifo(root / ".git" / name)
    assert owner(root)
    assert branch_at(root) in ("", "main", "master")


@pytest.mark.parametrize("directory", ["~nosuchuser/x", "a\0b", "\ud800"])
def test_what_cannot_be_a_directory_is_refused_in_words(directory: str) -> None:
    with pytest.raises(BadInput, match="cannot be a directory"):
        resolve_place(directory)


def test_a_folder_that_does_not_exist_or_a_file_belongs_to_the_project_around_it(tmp_path: Path) -> None:
    root = repository(tmp_path / "app")
    (root / "file.py").touch()
    assert owner(root / "file.py") == owner(root / "gone") == owner(root)


def test_a_folder_that_is_gone_is_the_project_it_was_and_not_the_folder_around_it(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    before = owner(folder)
    folder.rmdir()
    assert owner(folder) == before != owner(tmp_path)


def test_a_damaged_identity_file_is_derived_again(tmp_path: Path) -> None:
    root = repository(tmp_path / "app", origin="git@example.org:me/app.git")
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
    assert (root / ".git" / IDENTITY_FILE).read_text().startswith("number ")


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
