"""Verification against a history in which it is known when each fact becomes false.

    python -m bench.verify_history [COMMITS]        default 60

A repository is made commit by commit in a temporary folder: files are moved, dependencies raised, ports and settings
changed, targets renamed, functions removed, among commits that change nothing anybody remembers. After each commit the
garden is verified. A verdict "changed" or "gone" is right when its fact is false by then.
"""

from __future__ import annotations

import asyncio
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from nightgarden.domain.ids import encode_id
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import Memory, Scope, ScopeKind
from nightgarden.domain.ports import MemoryFilter
from nightgarden.settings import Settings
from nightgarden.store.sqlite import open_store
from nightgarden.tend.run import tend
from nightgarden.tend.tending import LentTending
from nightgarden.tend.wish import Wish

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)
SCOPE = Scope(ScopeKind.PROJECT, "history")


@dataclass(slots=True)
class Repository:
    """A small project whose files are written from what it is to say."""

    root: Path
    dependencies: dict[str, str] = field(
        default_factory=lambda: {"httpx": "0.27.0", "pydantic": "2.7.1", "rich": "13.7.0", "jinja2": "3.1.2"}
    )
    targets: list[str] = field(default_factory=lambda: ["lint", "test", "serve", "docs", "bundle"])
    scripts: dict[str, str] = field(
        default_factory=lambda: {"build": "vite build", "preview": "vite preview", "typecheck": "tsc"}
    )
    ports: dict[str, int] = field(default_factory=lambda: {"api": 8080, "metrics": 9100, "admin": 8600})
    settings: dict[str, str] = field(
        default_factory=lambda: {"max_connections": "20", "retry_limit": "5", "log_level": "info", "page_size": "50"}
    )
    functions: dict[str, list[str]] = field(
        default_factory=lambda: {
            "src/shop/orders.py": ["place_order", "cancel_order"],
            "src/shop/mail.py": ["send_receipt", "render_mail"],
            "src/shop/search.py": ["rank_hits", "build_index"],
            "src/shop/cache.py": ["warm_cache"],
            "tools/migrate_data.py": ["copy_rows"],
        }
    )
    notes: int = 0

    def start(self) -> None:
        self.root.mkdir()
        subprocess.run(["git", "init", "-q", "-b", "main"], cwd=self.root, check=True, capture_output=True)

    def write(self) -> None:
        for path in self.root.rglob("*"):
            if path.is_file() and ".git" not in path.parts:
                path.unlink()
        deps = ",\n  ".join(f'"{name}=={version}"' for name, version in self.dependencies.items())
        self._put(
            "pyproject.toml", f'[project]\nname = "shop"\nrequires-python = ">=3.11"\ndependencies = [\n  {deps}\n]\n'
        )
        self._put("Makefile", "\n".join(f"{target}:\n\t@echo {target}\n" for target in self.targets))
        self._put("package.json", json.dumps({"name": "shop", "scripts": self.scripts}, indent=1))
        ports = "".join(f"[{name}]\nport = {port}\n" for name, port in self.ports.items())
        self._put("config/services.toml", ports)
        self._put("config/app.toml", "".join(f'{key} = "{value}"\n' for key, value in self.settings.items()))
        for name, functions in self.functions.items():
            self._put(name, "\n\n".join(f"def {each}():\n    return {self.notes}" for each in functions) + "\n")
        self._put("NOTES.md", f"Entry {self.notes}\n")
        self._put(".gitignore", "secret/\n")

    def _put(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")

    def commit(self, message: str) -> None:
        self.write()
        who = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
        for command in (["add", "-A"], [*who, "commit", "-q", "--allow-empty", "-m", message]):
            subprocess.run(["git", *command], cwd=self.root, check=True, capture_output=True)


Fact = tuple[str, str, Callable[..., bool]]  # an id, the statement, and whether it holds


def facts() -> list[Fact]:
    """Statements as people make them, with what makes them true; some claim nothing that files could tell."""
    found: list[Fact] = []
    for name, version in (("httpx", "0.27"), ("pydantic", "2.7"), ("rich", "13.7.0"), ("jinja2", "3.1")):
        found.append(
            (
                f"v-{name}",
                f"The shop is pinned to {name} {version}",
                lambda r, n=name, v=version: r.dependencies.get(n, "").startswith(v),
            )
        )
        found.append((f"d-{name}", f"The templates depend on {name}", lambda r, n=name: n in r.dependencies))
    for target in ("lint", "test", "serve", "docs", "bundle"):
        found.append(
            (f"m-{target}", f"Run `make {target}` before you open a pull request", lambda r, t=target: t in r.targets)
        )
    for script in ("build", "preview", "typecheck"):
        found.append(
            (f"n-{script}", f"The front end is checked with npm run {script}", lambda r, s=script: s in r.scripts)
        )
    for name, port in (("api", 8080), ("metrics", 9100), ("admin", 8600)):
        found.append(
            (f"p-{name}", f"The {name} service listens on port {port}", lambda r, n=name, p=port: r.ports.get(n) == p)
        )
    for key, value in (("max_connections", "20"), ("retry_limit", "5"), ("log_level", "info"), ("page_size", "50")):
        shown = f"`{value}`" if value.isalpha() else value
        found.append(
            (
                f"s-{key}",
                f"`{key}` is set to {shown} in the app's configuration",
                lambda r, k=key, v=value: r.settings.get(k) == v,
            )
        )
    for path, names in Repository(Path()).functions.items():
        found.append((f"f-{path}", f"That part of the shop lives in {path}", lambda r, p=path: p in r.functions))
        for name in names:
            found.append(
                (
                    f"y-{name}",
                    f"Call `{name}()` when the day is over",
                    lambda r, n=name: any(n in names for names in r.functions.values()),
                )
            )
    found.append(("b-main", "Releases are cut from the `main` branch", lambda r: True))
    for number, text in enumerate(_UNTOLD):
        found.append((f"u-{number}", text, lambda r: True))
    return found


_UNTOLD = (
    "Anna owns the billing code and reviews it on Mondays",
    "We no longer use moment 2.29 anywhere",
    "The office printer listens on port 9999 in the basement",
    "Never edit vendor/legacy/driver.c by hand",
    "The team used to run make everything before each release",
    "The customer's server runs nginx 1.25 in their own data centre",
    "Refunds take up to 14 days",
    "Ask the platform team before raising max_workers to 64",
    "The design lives in another project under design/tokens.json",
    "Deploys are frozen in December",
)


def changes(repository: Repository, chance: random.Random) -> list[tuple[str, Callable[[], object]]]:
    """What happens in the history, in a drawn order."""
    r = repository

    def raise_version(name: str, version: str) -> Callable[[], None]:
        return lambda: r.dependencies.__setitem__(name, version)

    def move(old: str, new: str) -> Callable[[], None]:
        return lambda: r.functions.__setitem__(new, r.functions.pop(old))

    def forget(path: str, name: str) -> Callable[[], None]:
        return lambda: r.functions[path].remove(name)

    steps: list[tuple[str, Callable[[], object]]] = [
        ("raise httpx", raise_version("httpx", "0.28.1")),
        ("raise pydantic patch", raise_version("pydantic", "2.7.4")),
        ("raise pydantic", raise_version("pydantic", "2.9.0")),
        ("raise rich", raise_version("rich", "14.0.0")),
        ("drop jinja2", lambda: r.dependencies.pop("jinja2")),
        ("rename bundle", lambda: r.targets.__setitem__(r.targets.index("bundle"), "package")),
        ("drop docs", lambda: r.targets.remove("docs")),
        ("drop preview", lambda: r.scripts.pop("preview")),
        ("move api port", lambda: r.ports.__setitem__("api", 8081)),
        ("move admin port", lambda: r.ports.__setitem__("admin", 8700)),
        ("more connections", lambda: r.settings.__setitem__("max_connections", "40")),
        ("debug logs", lambda: r.settings.__setitem__("log_level", "debug")),
        ("drop page_size", lambda: r.settings.pop("page_size")),
        ("move mail", move("src/shop/mail.py", "src/shop/messages/mail.py")),
        ("drop tools", lambda: r.functions.pop("tools/migrate_data.py")),
        ("drop cancel_order", forget("src/shop/orders.py", "cancel_order")),
        ("drop build_index", forget("src/shop/search.py", "build_index")),
    ]
    chance.shuffle(steps)
    return steps


async def run(commits: int = 60, *, seed: int = 3) -> dict[str, Any]:
    """Walks the history. Precision and recall of "changed or gone", and of the new values."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="bench-history-") as folder:
        repository = Repository(Path(folder) / "repo")
        repository.start()
        repository.commit("first")
        store = await open_store(Path(folder) / "garden.db")
        try:
            known = facts()
            made = [_memory(number, text) for number, (_, text, _) in enumerate(known)]
            await store.apply([Change(None, each) for each in made], Origin(actor="bench"), at=START)
            truth = {each.id: holds for each, (_, _, holds) in zip(made, known, strict=True)}
            steps = changes(repository, chance)
            at_commit = sorted(chance.sample(range(3, commits - 1), len(steps)))
            right = wrong = 0
            wrongly: list[str] = []
            told: set[str] = set()
            for number in range(commits):
                if number in at_commit:
                    name, step = steps[at_commit.index(number)]
                    step()
                else:
                    name, repository.notes = "nothing that anybody remembers", number
                repository.commit(f"{number}: {name}")
                lent = LentTending(roots={SCOPE: repository.root})
                await tend(
                    store,
                    Settings(),
                    lent,
                    Wish(only=("verify",), full=True, allow_loss=True),
                    cycle=f"c{number}",
                    now=START + timedelta(days=1 + number),
                )
                for entry in await store.history(cycle=f"c{number}"):
                    doubted = entry.after and (
                        entry.after.get("superseded_by") or str(entry.after.get("flagged", "")).startswith("no longer")
                    )
                    if (
                        entry.subject_kind == "memory"
                        and entry.subject_id in truth
                        and doubted
                        and entry.subject_id not in told
                    ):
                        told.add(entry.subject_id)
                        if truth[entry.subject_id](repository):
                            wrong += 1
                            wrongly.append(entry.reason)
                        else:
                            right += 1
            false_now = {each for each, holds in truth.items() if not holds(repository)}
            missed = [known[i][1] for i, m in enumerate(made) if m.id in false_now - told]
            live = await store.list_memories(MemoryFilter())
            updated = [memory.content for memory in live if memory.id not in truth]
            return {
                "commits": commits + 1,
                "facts": len(known),
                "became_false": len(false_now),
                "precision": round(right / max(1, right + wrong), 3),
                "recall": round(len(false_now & told) / max(1, len(false_now)), 3),
                "wrongly": wrongly,
                "missed": missed,
                "updated": sorted(updated),
            }
        finally:
            await store.close()


def _memory(number: int, text: str) -> Memory:
    return Memory(
        id=encode_id(0, number), content=text, scope=SCOPE, created_at=START, updated_at=START, confirmed_at=START
    )


if __name__ == "__main__":
    found = asyncio.run(run(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
    print(json.dumps(found, indent=1))
