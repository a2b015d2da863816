"""Measures extraction with the shipped networks on the labelled month: junk, recall, and recall by category.

    python bench/remember_extract.py [--errors]

A draft is good when all keywords of a gold statement of the same session are in it; anything else is junk. Errors are
printed for the tuning part only.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

from nightgarden.domain.classify import Classifier
from nightgarden.domain.session import Message
from nightgarden.models.models_of_settings import load_classifier
from nightgarden.remember.draft import Draft
from nightgarden.remember.extract import extract

DATA = Path(__file__).parent / "data" / "month"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def messages_of(session: dict[str, Any]) -> list[Message]:
    return [
        Message(
            id=row["id"],
            role=row["role"],
            text=row["text"],
            at=datetime.fromisoformat(row["at"]),
            is_error=row.get("is_error", False),
        )
        for row in session["messages"]
    ]


def matches(draft: Draft, gold: dict[str, Any]) -> bool:
    content = draft.content.lower()
    return all(word in content for word in gold["must_contain"])


def measure(sessions: list[dict[str, Any]], classifier: Classifier | None, *, show: bool) -> dict[str, Any]:
    """Junk and recall over some sessions. Optional gold (worth keeping, not worth insisting on) counts for neither."""
    gold_by_session: dict[str, list[dict[str, Any]]] = {}
    for gold in rows("gold.jsonl"):
        gold_by_session.setdefault(gold["session"], []).append(gold)
    drafts_all = junk = 0
    found: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    same_kind = 0
    for session in sessions:
        gold_list = gold_by_session.get(session["id"], [])
        drafts = extract(messages_of(session), classifier=classifier)
        drafts_all += len(drafts)
        for draft in drafts:
            hits = [gold for gold in gold_list if matches(draft, gold)]
            same_kind += any(gold["category"] == draft.category for gold in hits)
            if not hits:
                junk += 1
                if show:
                    print(f"JUNK {session['id']} {draft.category}: {draft.content}")
        for gold in gold_list:
            if gold["mark"] == "optional":
                continue
            wanted[gold["category"]] += 1
            if any(matches(draft, gold) for draft in drafts):
                found[gold["category"]] += 1
            elif show:
                print(f"MISS {gold['message']} {gold['category']}: {gold['statement']}")
    return {
        "sessions": len(sessions),
        "messages": sum(len(session["messages"]) for session in sessions),
        "gold": wanted.total(),
        "drafts": drafts_all,
        "junk_rate": round(junk / max(1, drafts_all), 4),
        "recall": round(found.total() / max(1, wanted.total()), 4),
        "category_right": round(same_kind / max(1, drafts_all - junk), 4),
        "recall_by_category": {kind: f"{found[kind]}/{total}" for kind, total in sorted(wanted.items())},
    }


def run(*, show: bool = False) -> dict[str, Any]:
    """Figures for the sessions rules were tuned on, and for those held out."""
    sessions, classifier = rows("sessions.jsonl"), load_classifier(())
    return {
        "all": measure(sessions, classifier, show=False),
        "tuned": measure([session for session in sessions if not session["held_out"]], classifier, show=show),
        "held_out": measure([session for session in sessions if session["held_out"]], classifier, show=False),
    }


if __name__ == "__main__":
    print(json.dumps(run(show="--errors" in sys.argv), indent=2, ensure_ascii=False))
