"""Which actions are part of nearly every piece of work, so that sharing them says little. Pure; tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

_EVERYWHERE = (
    "git add;git commit;git push;git pull;git fetch;git checkout;git switch;git merge;git rebase;"
    "git restore;git reset;git clone;pytest;npm test;npm run test;npm run lint;yarn test;pnpm test;"
    "cargo test;cargo build;cargo check;cargo fmt;cargo clippy;go test;go build;go vet;make test;"
    "make lint;make check;make;ruff;ruff check;mypy;black;isort;eslint;prettier;tsc;vitest;jest;flake8;"
    "pre-commit;curl;sed;npm install;npm ci;pip install;uv sync;uv pip install;gh pr;gh pr create;"
    "gh pr view;gh pr checks;npm run build;npm run dev;tox;nox;make build;phpunit;rspec;dotnet test"
)
_CODE = (".py", ".ts", ".tsx", ".js", ".jsx", ".go", ".rs", ".java", ".rb", ".c", ".h", ".cpp", ".cs", ".php", ".md")
COMMON_WEIGHT = 0.3  # taste
_COMMON = frozenset(_EVERYWHERE.split(";"))


# Everybody runs the tests, but not everybody runs them a hundred times: an option tells what kind of work it was,
# unless it only says how the results are shown or when to stop.
_TESTS = frozenset(
    "pytest;npm test;npm run test;yarn test;pnpm test;cargo test;go test;vitest;jest;rspec;phpunit".split(";")
)
_OPTION = re.compile(r"(?<=\s)--?([a-z][a-z-]{3,30})(?=[=\s]|\Z)")
_HABITS = frozenset(
    "quiet verbose color no-header maxfail exitfirst durations reporter reporters silent watch watchall help all lib"
    " run last-failed failed-first workspace release locked frozen timeout runinband bail short no-cov passwithnotests"
    " json".split()
)


REVIEWED = "gh pr view --comments"  # whichever way the comments of a review were read
_REVIEWS = frozenset(("gh pr view", "gh pr checks", "gh api", "glab mr"))
_COMMENTS = re.compile(r"\b(?:comments|reviews|reviewThreads|notes)\b")


def options_of(action: str, detail: str) -> Iterator[str]:
    """The action with each option that tells something: "pytest --count"."""
    if action in _REVIEWS and _COMMENTS.search(detail):
        yield REVIEWED
    if action in _TESTS:
        for option in dict.fromkeys(_OPTION.findall(detail)):
            if option not in _HABITS:
                yield f"{action} {'-' if action == 'go test' else '--'}{option}"


def prior(action: str) -> float:
    """How much an action tells about the kind of work before anything is known of the garden."""
    if action in _COMMON:
        return COMMON_WEIGHT
    return COMMON_WEIGHT if action.startswith("edit ") and action.endswith(_CODE) and "*" in action else 1.0


def telling(action: str) -> bool:
    """Whether it says what kind of work it was."""
    return prior(action) > COMMON_WEIGHT
