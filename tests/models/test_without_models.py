"""Without any model, and without any package that carries one, everything works by words and says so."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.cli.command import environment

REPOSITORY = Path(__file__).resolve().parents[2]
# The program as installed, but for the folder where this environment keeps its models.
PROGRAM = (
    "import sys; sys.prefix = sys.argv.pop(1);"
    "from nightgarden.models.model_files import find_model; from nightgarden.models.catalog import EMBEDDERS;"
    "assert not any(map(find_model, EMBEDDERS)), 'a carrier is installed; tests run without';"
    "from nightgarden.surfaces.cli.main import main; sys.exit(main(sys.argv[1:]))"
)


def told(home: Path, *words: str) -> str:
    env = environment(home)
    del env["NIGHTGARDEN_EMBEDDING_MODEL"]
    command = [sys.executable, "-c", PROGRAM, str(home / "nowhere"), *words]
    done = subprocess.run(command, cwd=home, env=env, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_it_remembers_and_recalls_by_words_and_says_how_to_get_a_model(tmp_path: Path) -> None:
    told(tmp_path, "remember", "The staging database runs on port 5433")
    found = json.loads(told(tmp_path, "recall", "staging database port", "--json"))
    assert [result["content"] for result in found["results"]] == ["The staging database runs on port 5433"]
    for words in (("doctor",), ("stats",), ("init", "--dry-run")):
        assert "nightgarden models fetch" in told(tmp_path, *words)


def test_no_package_that_carries_a_model_is_required() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[<>=]", each)[0] for each in project["dependencies"]}
    assert names == {"h11", "numpy", "onnxruntime", "PyStemmer"}
    assert all("<" in each for each in project["dependencies"])


def test_the_lock_file_has_a_hash_for_everything_and_names_no_registry() -> None:
    text = (REPOSITORY / "requirements-dev.lock").read_text()
    pins = re.split(r"\n(?=\S)", text.strip())
    assert all(re.match(r"[a-z0-9.-]+==\S+ ", pin) and "--hash=sha256:" in pin for pin in pins)
    assert not re.search(r"https?://|file://|index-url|find-links|trusted-host", text)
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    locked = {pin.split("==")[0] for pin in pins}
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    assert {re.split(r"[<>=\[]", each)[0].lower().replace(".", "-") for each in wanted} <= locked
