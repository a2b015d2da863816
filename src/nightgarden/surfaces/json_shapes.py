"""What each command prints with `--json`, written out for people. A test runs the commands and compares the names.

Of a command that asks one operation it is made from the type of the operation's answer. The records inside (memory,
edge, …) are made from the domain's dataclasses and listed in the reference page from there.
"""

from __future__ import annotations

from nightgarden.domain.graph import Edge
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.domain.session import Session
from nightgarden.surfaces.operations.perform import answer_of
from nightgarden.surfaces.operations.registry import OPERATIONS
from nightgarden.surfaces.operations.schema import in_a_line

RECORDS: dict[type, str] = {Memory: "memory", Edge: "edge", JournalEntry: "journal entry", Session: "session"}
# By command, the operation whose answer it prints as it is.
PRINTED = {
    "remember": "remember",
    "recall": "recall",
    "list": "list",
    "edit": "update",
    "purge": "purge",
    "feedback": "feedback",
    "flagged": "flagged",
    "tag": "tag",
    "link": "link",
    "related": "related",
    "history": "history",
    "undo": "undo",
    "turn": "turn",
    "briefing": "briefing",
    "surfaced": "surfaced",
    "gaps": "gaps",
    "episodes list": "episodes",
    "episodes show": "episode",
    "procedures list": "procedures",
    "procedures show": "procedure",
    "procedures add": "procedure_add",
    "procedures outcome": "procedure_outcome",
    "procedures history": "procedure_history",
    "schedule add": "schedule",
    "schedule list": "scheduled",
    "schedule done": "schedule_close",
    "schedule cancel": "schedule_close",
    "sessions allow": "sessions_allow",
    "sessions forbid": "sessions_allow",
    "sessions list": "sessions_list",
    "sessions show": "session",
    "sessions search": "sessions_search",
    "similar": "similar",
    "candidates": "candidates",
    "promote": "promote",
    "pin": "pin",
    "unpin": "unpin",
    "mission start": "mission_start",
    "mission note": "mission_note",
    "mission end": "mission_end",
    "mission list": "missions",
    "mission show": "mission",
    "mission promote": "mission_promote",
    "core show": "core",
    "core edit": "core_update",
    "core history": "core_history",
    "capture pr": "capture_pr",
    "capture errors": "capture_errors",
    "capture file": "capture_pr",
    "capture status": "captured",
    "digest": "digest",
    "notebook sync": "notebook_sync",
    "notebook status": "notebook_status",
}

CYCLE = (
    '{"id", "status", "kind", "because", "machine", "started_at", "ended_at", "summary", "memories_modified", '
    '"compactions", "proactive_work", "mind", "tokens", "resumes", "warning", "next_wake_at", "next_reason", '
    '"approved", "steps": [{"step", "state", "line", "changes"}], "todos": [{"text", "state"}]}'
)
REQUEST = (
    '{"id", "status", "kind", "action", "description", "rationale", "urgency", "wait", "created_at", "expires_at", '
    '"scope", "cycle", "session_id", "call": {"tool", "arguments", "directory"}, "facts": […], "rules": […], '
    '"tainted", "review": {"summary", "why", "current_activity", "expected_outcome", "impact", "rollback", "steps", '
    '"files", "commands", "risks", "notes", "diff"}, "decision": {"approved", "by", "via", "at", "reason", '
    '"response_seconds", "memory_id"}, "outcome", "ended_at", "replaces"}'
)
NOTIFICATION = (
    '{"id", "channel", "event", "urgency", "status", "text", "subject_id", "created_at", "due_at", "attempts", '
    '"error", "sent_at"}'
)
DIRECTIVE = '{"id", "text", "status", "received_at", "by", "via", "scope", "in_reply_to", "taken_by", "consumed_at"}'
SKILLS = '{"skills": [{"id", "name", "file", "state", "reason"}]}'
MEMORIES = '{"memories": [memory, …]}'


def _answer(operation: str) -> object:
    return answer_of(OPERATIONS[operation])


# By command, an action after a space. A bare word such as `memory` is a record of that name.
SHAPES: dict[str, str] = {
    "show": "memory",
    "watch": "journal entry",
    "forget": MEMORIES,
    "restore": MEMORIES,
    "tend": (
        '{"cycle", "changes", "operations": {name: {"changes", "counts", "noted", "left", "seconds", "examples"}}, '
        '"dry_run", "resumed", "stopped_at", "losses": [{"scope", "archived", "of"}], "seconds"}'
    ),
    "notebook unlink": '{"unlinked": [file, …]}',
    "off": '{"scope", "off_here"}',
    "on": '{"scope", "off_here"}',
    "skills list": SKILLS,
    "skills review": SKILLS,
    "skills apply": SKILLS,
    "skills revert": SKILLS,
    "skills reindex": SKILLS,
    "safety check": (
        '{"decision", "because": [{"rule", "sentence", "what"}], "commands": [{"words", "via", "reads", "writes", '
        '"deletes", "executes", "sends", "effects", "git", "unknown"}], "unknown"}'
    ),
    "initiative status": (
        '{"enabled", "has_mind", "networks": [name, …], "channels": [{"id", "community", "name", "private", "text"}], '
        '"pending", "posts_last_day", "posts_max", "sends_last_hour", "sends_max", "waiting", "feeds", '
        '"feeds_failing", "last_tick_at", "problems": […]}'
    ),
    "initiative tick": (
        '{"sentence", "outcomes": […], "sent", "gates": [{"gate", "passed", "reason"}], "problems": […]}'
    ),
    "initiative thoughts": (
        '{"thoughts": [{"id", "community", "channel", "draft", "text", "created_at", "updated_at", "basis_at", '
        '"not_before_at", "expires_at", "revision", "status", "last_action", "last_reason", "reply_to", '
        '"media": null or {"kind", "prompt"}, "failures", "feed_urls"}]}'
    ),
    "initiative feeds": (
        '{"feeds": [{"source", "url", "items", "fetched", "unchanged", "failures": {kind: number}, "last_error", '
        '"asked_at"}], "problems"}'
    ),
    "initiative log": (
        '{"actions": [{"id", "act", "at", "reason", "community", "channel", "count", "last_at", "detail"}]}'
    ),
    "initiative preview": (
        '{"gates": [{"gate", "passed", "reason"}], "would", "community", "candidates": [{"title", "url", "source", '
        '"score"}], "left_out": {reason: number}, "feed_failures": {kind: number}, "system", "prompt", "problems": […]}'
    ),
    "permissions list": '{"requests": [a request as of `permissions show`, …]}',
    "permissions show": REQUEST,
    "permissions approve": '{"decided": [a request as of `permissions show`, …]}',
    "permissions deny": '{"decided": [a request as of `permissions show`, …]}',
    "permissions withdraw": REQUEST,
    "permissions log": (
        '{"actions": [{"id", "at", "cycle", "scope", "tool", "description", "tier", "rules", "reasons", "status", '
        '"request_id", "tainted", "detail"}]}'
    ),
    "permissions rules": (
        '{"always_allow", "always_ask", "allowed_remotes", "lifted_rules", '
        '"rejected": [{"kind", "reason", "at", "request_id"}], "offers": [{"kind", "rule", "approvals"}]}'
    ),
    "notifications list": '{"channels": [name, …], "notifications": [a notification as of `retry`, …]}',
    "notifications test": '{"notifications": [a notification as of `retry`, …]}',
    "notifications send": '{"sent", "failed", "waiting", "dead", "decided", "directives"}',
    "notifications retry": NOTIFICATION,
    "directives list": '{"directives": [a directive as of `directives add`, …]}',
    "directives add": DIRECTIVE,
    "ambient status": (
        '{"state", "detail", "queue": {"count", "next", "next_at"}, "last": null or a cycle as of `ambient log`, '
        '"next_wake_at", "next_reason", "next_context", "waiting_events", "trust": {"earned", "line"}, "cycles", '
        '"pending_requests", "budget": null or {"user", "ambient", "left"}}'
    ),
    "ambient run": CYCLE,
    "ambient pause": '{"paused", "reason"}',
    "ambient resume": '{"paused"}',
    "ambient stop": '{"stopping"}',
    "ambient log": '{"cycles": [a cycle as of `ambient run`, without steps and todos, …]}',
    "ambient show": CYCLE,
    "ambient queue": '{"tasks": [a task as of `schedule add`, …]}',
    "ambient trust": '{"earned", "line"}',
    "ambient explain": '{"runs", "reason", "waiting"}',
    "sessions scan": (
        '{"clients": [{"client", "found", "unchanged", "added", "extended", "restarted", "purged", "own", "empty", '
        '"messages", "passages", "damaged_lines", "failures": [{"client", "session_id", "path", "reason"}], "more"}]}'
    ),
    "sessions extract": '{"sessions": [{"session_id", "messages", "verdicts": [verdict + "content", …]}]}',
    "import": '{"format", "added", "known", "purged", "refused": […], "left_out", "problems": […]}',
    "backup": '{"backup", "bytes"}',
    "restore-backup": '{"restored", "replaced"}',
    "doctor": '{"ok", "classifier": {"state": "ready", "missing", "damaged" or "disabled", "files"}, '
    '"checks": [{"name", "ok", "detail", "repaired"}]}',
    "stats": (
        '{"garden", "project": {"id", "name", "root"}, "memories", "memories_by_category", "memories_by_scope", '
        '"passages", "sessions", "tags", "clusters", "edges", "journal_entries", "vectors", "tombstones", "documents", '
        '"bytes_on_disk", "embedding": {"model", "name", "pending", "state", "line", "switched_off"}, '
        '"mind": null or {"name", "tokens_today", "calls_today", "usd_today", "daily_tokens", "daily_usd", "line"}, '
        '"turns", '
        '"background", '
        '"health": {what is believed, doubted, missing and over its limits}}'
    ),
    "minds list": (
        '{"kind", "daily_tokens", "daily_usd", "minds": [{"kind", "available", "chosen", "reason", "windows": '
        '[{"name", "remaining", "limit", "used_percent", "resets_at", "minutes", "at"}], '
        '"outcomes": null or {outcome: number}}]}'
    ),
    "minds test": '{"name", "answer", "seconds", "tokens_in", "tokens_out", "cost_usd"}',
    "minds use": '{"kind", "settings": path, "tested": null or as of `minds test`}',
    "usage": (
        '{"total": {"name", "calls", "failed", "tokens_in", "tokens_out", "tokens_cached", "charged_tokens", '
        '"cost_usd"}, "today": as `total`, "days": [as `total`, …], "purposes": […], "providers": […], '
        '"outcomes": {outcome: number}, "user": as `total`, "user_today", "user_days": […], "user_models": […]}'
    ),
    "migrate-store": '{"to", "copied", "known", "verified": {kind: {"count", "checksum"}}}',
    "models list": '{"models": [{"id", "licence", "path"}]}',
    "models fetch": '{"files": [path, …]}',
    "open": '{"link"}',
    "start": '{"started", "pid", "version"}',
    "stop": '{"stopped"}',
    "service install": '{"path", "done", "text", "commands": [[word, …], …]}',
    "service uninstall": '{"path", "done", "text", "commands": [[word, …], …]}',
    "restart": '{"started", "pid", "version"}',
    "status": (
        '{"running", "ok", "version", "pid", "started_at", "home", "http", "gardens": [address, …], "requests", '
        '"due", "faults", "last_fault", "malformed", "spooled", "steps": [{"name", "ok", "line", "failures"}]}'
    ),
} | {command: in_a_line(_answer(operation), RECORDS) for command, operation in PRINTED.items()}

# What else a command prints under certain arguments.
ALSO: dict[str, str] = {
    "remember": 'superseded adds "replaced_ids", flagged adds "conflicting_ids", both also "texts"; '
    "refused has "
    '"findings": [{"rule", "what", "start", "end"}] and "may_be_allowed", and its id is null; '
    'where several rules stand against it also "further_rules": [rule, …]',
    "recall": '--explain adds "explanation" to each result, and "cut": [{"id", "why"}]',
    "sessions search": '--explain adds "explanation" to each result, and "cut": [{"id", "why"}]',
    "watch": "one on each line, as they happen",
    "show": "a passage or a session, when the id is of one",
    "flagged": 'with an id: {"decision", "memory": memory}',
    "tag": 'without an id: {"tags": [{"id", "name", "description", "created_at", "memory_count"}]}',
    "tend": 'explain ID: {"id", "entries": [journal entry, …]}',
    "turn": 'text is null when there is nothing to show, and "why" says why',
    "briefing": "text is null when there is nothing to tell",
    "gaps": 'with --close: {"closed": gap}',
    "schedule list": 'each task also has "late"',
    "schedule add": "state is waiting, due (nobody was told yet), said, done or cancelled",
    "status": 'when no daemon runs: {"running", "home", "spooled", "why"}',
    "service install": "done is null with --dry-run",
    "service uninstall": "done is null with --dry-run",
    "restore-backup": '--list: {"backups": [{"path", "bytes"}]}',
}
