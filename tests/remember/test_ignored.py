"""Ignore files are read as git reads them; git itself is asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nightgarden.domain.ignore_patterns import read_patterns, ruling
from nightgarden.remember.ignored import is_ignored

PATHS = [
    "a",
    "b.log",
    "a/b",
    "a/b.log",
    "a/b/c",
    "ab/c.log",
    "a/x/b",
    "a/x/y/b",
    "b/a",
    "c d",
    "#x",
    "!y",
    "a/[b]",
    "dir/a/b.txt",
]
PATTERNS = st.one_of(
    st.sampled_from(
        [
            "*.log",
            "/a",
            "a/",
            "a/b",
            "**/b",
            "a/**",
            "a/**/b",
            "!a",
            "!b.log",
            "!*.log",
            "#x",
            "\\#x",
            "\\!y",
            "c d",
            "c\\ d",
            "a ",
            "?",
            "[ab]",
            "[!a]*",
            "[a-c]",
            "**",
            "/**",
            "*",
            "/*",
            "!/a",
            "a*b",
            "a**b",
            "**a",
            "dir/",
            "dir/*",
            "!dir/a",
            "!dir/a/",
            "a/*",
            "!a/b",
            "",
            " ",
            "/",
            "[",
            "[]b]",
            "a\\",
            "[[:alpha:]]",
            "[[:digit:]]x",
            "x/**/y",
            "**/x/**",
            "*/b",
            "a/?",
            "\\a",
            "[^a]",
            "[\\]]",
        ]
    ),
    st.text("ab*?/[]!#\\ .-x", max_size=7),
)


def git_ignored(root: Path, paths: list[str]) -> set[str]:
    asked = subprocess.run(
        ["git", "-c", "core.excludesFile=/dev/null", "check-ignore", "--no-index", "-z", "--stdin"],
        cwd=root,
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    assert asked.returncode in (0, 1), asked.stderr
    return set(asked.stdout.decode().split("\0")) - {""}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


@given(top=st.lists(PATTERNS, max_size=4), inner=st.lists(PATTERNS, max_size=2))
@settings(max_examples=150, deadline=None)
def test_every_pattern_means_what_it_means_to_git(tree: Path, top: list[str], inner: list[str]) -> None:
    (tree / ".gitignore").write_text("\n".join(top), encoding="utf-8")
    (tree / "a").mkdir(exist_ok=True)
    (tree / "a" / ".gitignore").write_text("\n".join(inner), encoding="utf-8")
    ours = {path for path in PATHS if is_ignored(tree, path)}
    assert ours == git_ignored(tree, PATHS), (top, inner)


def test_all_three_ignore_files_count_and_nearer_ones_win(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / ".secretsignore").write_text("*.pem\n")
    (tmp_path / ".nightgardenignore").write_text("diary/\n")
    (tmp_path / ".gitignore").write_text("*.log\n")
    (tmp_path / "sub" / ".gitignore").write_text("!keep.log\n")
    (tmp_path / "diary").mkdir()
    assert is_ignored(tmp_path, "x/key.pem")
    assert is_ignored(tmp_path, tmp_path / "diary" / "today.md")
    assert is_ignored(tmp_path, "sub/x.log")
    assert not is_ignored(tmp_path, "sub/keep.log")
    assert not is_ignored(tmp_path, "notes.md")


def test_paths_outside_and_strange_names_are_not_ignored(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*\n")
    assert not is_ignored(tmp_path, "/somewhere/else")
    assert not is_ignored(tmp_path, "../up")


@given(st.text(max_size=40), st.text(max_size=20))
@settings(max_examples=200, deadline=None)
def test_no_ignore_file_breaks_the_reader(content: str, path: str) -> None:
    ruling(read_patterns(content), path, is_folder=False)
