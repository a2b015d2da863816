"""Where Node comes from: without one on the machine and without PyPI, a sentence says what to install."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clients import node


def test_without_node_and_without_pypi_a_sentence_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    monkeypatch.setenv("NIGHTGARDEN_TEST_CACHE", str(tmp_path))
    with pytest.raises(RuntimeError, match="install Node 20 or newer"):
        node.npm()
    assert not list((tmp_path / "clients").glob("*/"))
