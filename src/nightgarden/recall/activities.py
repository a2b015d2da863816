"""What a short turn is about to do, and which rules and wishes are meant for it. Pure.

"Commit this" shares a word with the wish about commit messages, "install lodash" none with "we use pnpm", and neither
is enough for similarity to tell them from small talk. Knows a dozen kinds of work by their words; longer turns say
enough for what was learned about occasions (`showing.py`), and are left to it. Facts are too, whatever word they share.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from nightgarden.domain.memory import Category, Memory

WORDS_MAX = 8  # of a turn; a longer one has a topic of its own
SHOWN_MAX = 3
# What the user forbade comes first, then what they wish, then how it is done.
RANK = {
    Category.NEGATIVE: 0,
    Category.CORRECTION: 0,
    Category.PREFERENCE: 1,
    Category.CONVENTION: 1,
    Category.PROCEDURE: 2,
    Category.DECISION: 2,
    Category.GOTCHA: 2,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Activity:
    """A kind of work: how a turn asks for it, what a memory about it says, and by which words such memories are
    found."""

    name: str
    asked: re.Pattern[str]
    about: re.Pattern[str]
    terms: tuple[str, ...]


def _activity(name: str, asked: str, about: str, terms: str) -> Activity:
    flags = re.IGNORECASE
    return Activity(
        name=name, asked=re.compile(asked, flags), about=re.compile(about, flags), terms=tuple(terms.split())
    )


ACTIVITIES = (
    _activity(
        "commit",
        r"\bcommit\b|\bcommitte?\b|\bcheck (?:it|this|that|everything) in\b|\beinchecken\b",
        r"\bcommit(?:s|ted|ting)?\b",
        "commit commits committing message messages",
    ),
    _activity(
        "push",
        r"\bpush\b(?! notification)|\bpushe?\b",
        r"\b(?:force[- ])?push(?:es|ed|ing)?\b(?! notification)",
        "push pushing force-push main branch",
    ),
    _activity(
        "pull request",
        r"\b(?:prs?|mrs?|pull requests?|merge requests?)\b",
        r"\b(?:prs?|pull requests?|merge requests?)\b",
        "pr prs pull request requests merge",
    ),
    _activity(
        "deploy",
        r"\bdeploye?\b|\bship (?:it|this|that)\b|\broll (?:it|this) out\b|\bgo live\b|\bausrollen\b|\bdéploie\b"
        r"|\bdespliega\b",
        r"\bdeploy\w*|\broll[- ]?outs?\b|\bgo(?:es|ing)? live\b",
        "deploy deploys deploying deployment deployments rollout live production",
    ),
    _activity(
        "release",
        r"\brelease\b|\bpublish\b|\bcut a version\b|\btag (?:it|this)\b|\bveröffentlich\w*",
        r"\breleas(?:e|es|ed|ing)\b|\bpublish\w*|\bchangelog\b|\btag(?:s|ged)?\b",
        "release releases releasing publish changelog version tag",
    ),
    _activity(
        "dependency",
        r"^(?:please |can you |now |let's )*(?:install|bump|upgrade|add|update|pull in)\b"
        r"(?:(?= \S+$)|.*\b(?:dependenc\w+|packages?|librar\w+)\b)|\binstalliere?\b",
        r"\bdependenc\w+|\bpackage manager\b|\b(?:p?npm|yarn|pip|poetry|uv|cargo|bundler|composer)\b|\block ?files?\b"
        r"|\bpinned\b",
        "dependency dependencies package packages pnpm npm yarn pip poetry uv cargo lockfile pinned install",
    ),
    _activity(
        "test",
        r"\b(?:run|write|add|rerun|execute) (?:the |all |some |a |unit |integration )*(?:tests?|specs?|test suite)\b",
        r"\btests?\b|\btesting\b|\b(?:pytest|jest|vitest|rspec)\b",
        "test tests testing pytest jest vitest suite",
    ),
    _activity("migrate", r"\bmigrat(?:e|ion|ions)\b", r"\bmigrat\w+", "migrate migration migrations schema"),
    _activity(
        "review", r"\breview (?:it|this|that|the|my)\b", r"\breview(?:s|ed|ing|ers?)?\b", "review reviews reviewer"
    ),
    _activity(
        "documentation",
        r"\b(?:write|update|fix) (?:the |some )*(?:docs?|documentation|readme|changelog|docstrings?)\b",
        r"\bdocs?\b|\bdocumentation\b|\breadme\b|\bchangelog\b|\bdocstrings?\b",
        "docs documentation readme changelog docstring docstrings",
    ),
    _activity(
        "branch",
        r"\b(?:create|start|make|open|cut) (?:a |the |new )*branch\b|\bbranch off\b",
        r"\bbranch(?:es)?\b",
        "branch branches prefix name",
    ),
    _activity(
        "merge",
        r"\bmerge (?:it|this|that|the|main)\b|\brebase\b|\bsquash\b",
        r"\bmerg(?:e|es|ed|ing)\b|\brebas\w+|\bsquash\w*",
        "merge merges merging rebase squash",
    ),
)


def activity_of(turn: str) -> Activity | None:
    """What a short turn asks to be done; None for anything else."""
    if len(turn) > 200 or "\n" in turn.strip() or len(turn.split()) > WORDS_MAX or turn.rstrip().endswith("?"):
        return None
    return next((each for each in ACTIVITIES if each.asked.search(turn.strip())), None)


def meant_for(activity: Activity, memories: Iterable[Memory]) -> list[Memory]:
    """The rules, wishes and ways of the user that are about this work, the most binding first."""
    found = [each for each in memories if each.category in RANK and activity.about.search(each.content)]
    found.sort(key=lambda each: (RANK[each.category], -each.confidence, each.id))
    return found[:SHOWN_MAX]
