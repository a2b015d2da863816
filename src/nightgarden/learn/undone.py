"""What was left undone at the end of a session, from its messages alone. Pure.

Looks at the last list of tasks that the agent kept, at checks that failed last, and at words such as "tomorrow we…" in
what was said at the end. Does not find work that nobody named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nightgarden.domain.session import Message, Signal
from nightgarden.domain.text import query_terms, squash
from nightgarden.learn.actions import actions_of

ITEMS_MAX = 6
ITEM_CHARS_MAX = 200
_LISTS = frozenset(("todowrite", "update_plan", "todo_write", "todo"))
_ITEM = re.compile(r'"(?:content|step|title)": ?"((?:[^"\\]|\\.){1,300})"')
_STATUS = re.compile(r'"status": ?"(pending|in_progress|completed|cancelled)"')
_CREATED = re.compile(r"Task #(\w{1,20}) created")
_FILE = re.compile(r"(?<![\w./-])[\w-][\w./-]{0,200}\.[a-z]{1,5}(?![\w/-])")
_LATER = re.compile(
    r"\b(?:tomorrow|next time|next session|later (?:we|i|you)|still (?:to do|need to|needs to|have to|missing|open)"
    r"|left to do|remaining|to ?do:|not (?:yet )?(?:done|finished|implemented)|continue (?:with|tomorrow)"
    r"|pick (?:this|it) up|follow[- ]up|morgen|beim nächsten mal|noch offen|demain|mañana)\b",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"[.!?](?=\s|\Z)|\n")  # a point inside a word, as in file.py, ends nothing
_TALK_MESSAGES = 3  # at the end
_CHECK = re.compile(r"\b(?:test|tests|pytest|jest|vitest|build|check|lint|mypy|tsc)\b")
DONE_SHARE = 0.6  # of an item's words, in what a later session did; taste


def left_undone(messages: Sequence[Message]) -> tuple[str, ...]:
    """One line for each thing, the agent's own list first."""
    found = [*_open_items(messages), *failing(messages), *_said(messages)]
    lines = (squash(item)[:ITEM_CHARS_MAX].rstrip() for item in found)
    return tuple(dict.fromkeys(line for line in lines if line))[:ITEMS_MAX]


def is_done(item: str, told: str) -> bool:
    """Whether what a later session tells of itself covers an item."""
    wanted = set(query_terms(item)) - _FILLER
    if not wanted:
        return False
    return len(wanted & set(query_terms(told))) >= DONE_SHARE * len(wanted)


def files_named(item: str) -> list[str]:
    """The files that an item speaks of: api/orders.py."""
    return _FILE.findall(item)


_FILLER = frozenset(
    query_terms("tomorrow next time session later still need to continue remaining todo follow up we the")
)


def _open_items(messages: Sequence[Message]) -> list[str]:
    """Of the list that the agent wrote last as a whole, or of the tasks it kept one by one (Claude Code since 2.1)."""
    return _open_in_list(messages) or _open_tasks(messages)


def _open_tasks(messages: Sequence[Message]) -> list[str]:
    found: dict[str, str] = {}
    for message in messages:
        if message.tool_name == "TaskCreate" and (created := _CREATED.match(message.text)):
            found[created[1]] = message.arguments.get("subject", "")
        elif message.tool_name == "TaskUpdate" and message.arguments.get("status") in ("completed", "deleted"):
            found.pop(message.arguments.get("taskId", ""), None)
    return list(found.values())


def _open_in_list(messages: Sequence[Message]) -> list[str]:
    last = next((m for m in reversed(messages) if m.role == "tool" and m.tool_name.lower() in _LISTS), None)
    if last is None:
        return []
    text = "\n".join(last.arguments.values())
    items = list(_ITEM.finditer(text))
    found = []
    for item in items:
        # The status may stand before or after the words, but within the item's own braces.
        start = text.rfind("{", 0, item.start())
        end = text.find("}", item.end())
        status = _STATUS.search(text, max(0, start), end if end >= 0 else len(text))
        if status and status[1] in ("pending", "in_progress"):
            found.append(item[1].replace('\\"', '"'))
    return found


def failing(messages: Sequence[Message]) -> list[str]:
    """A check that failed and did not pass afterwards."""
    state: dict[str, bool] = {}
    for message in messages:
        if message.role == "tool":
            for action in actions_of(message):
                if _CHECK.search(action.name):
                    state[action.name] = action.failed
    return [f"{name} fails" for name, failed in state.items() if failed]


def _said(messages: Sequence[Message]) -> list[str]:
    talk = [m for m in messages if m.role in ("user", "assistant") and not m.pasted and m.signal is Signal.NONE]
    found = []
    for message in talk[-_TALK_MESSAGES:]:
        for sentence in _SENTENCE_END.split(message.text[-4000:]):
            if _LATER.search(sentence) and len(sentence.split()) > 3:
                found.append(sentence.strip(" -*#>"))
    return found
