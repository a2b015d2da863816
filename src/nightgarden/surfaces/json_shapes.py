"""What each command prints with `--json`, written out for people. A test runs the commands and compares the names.

The records inside (memory, edge, …) are made from the domain's dataclasses and listed in the reference page from there.
"""

from __future__ import annotations

VERDICT = '{"verdict", "id", "rule", "sentence", "memory"}'
RECALLED = (
    '{"query", "results": [{"id", "kind", "content", "score", "reasons": […], "category", "scope", "created_at", '
    '"session_id", "message_ids", "speaker", "tainted"}], "took_ms", '
    '"missing": [{"part", "cause", "detail", "sentence"}]}'
)
TASK = (
    '{"id", "task", "wake_at", "created_at", "scope", "priority", "relevant_files", "background", '
    '"success_criteria", "directory", "branch", "session_id", "actor", "tainted", "said_at", "closed_at", "outcome", '
    '"target", "taken_by", "started_at", "result", "state"}'
)
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

# By command, an action after a space. A bare word such as `memory` is a record of that name.
SHAPES: dict[str, str] = {
    "remember": VERDICT,
    "recall": RECALLED,
    "list": MEMORIES,
    "show": "memory",
    "edit": "memory",
    "forget": MEMORIES,
    "restore": MEMORIES,
    "purge": '{"purged": [id, …]}',
    "feedback": "memory",
    "flagged": '{"flagged": [{"memory": memory, "against": [memory, …]}]}',
    "tag": "memory",
    "link": "edge",
    "related": '{"related": [{"memory": memory, "edge": edge}]}',
    "history": '{"entries": [journal entry, …]}',
    "undo": '{"undone", "entries": [journal entry, …]}',
    "tend": (
        '{"cycle", "changes", "operations": {name: {"changes", "counts", "noted", "left", "seconds", "examples"}}, '
        '"dry_run", "resumed", "stopped_at", "losses": [{"scope", "archived", "of"}], "seconds"}'
    ),
    "turn": '{"text", "items": [{"id", "group", "text", "digest", "pinned"}], "left_out"}',
    "briefing": '{"text", "sections": [{"title", "lines": [{"id", "group", "text", "digest", "pinned"}], "left_out"}]}',
    "off": '{"scope", "off_here"}',
    "on": '{"scope", "off_here"}',
    "surfaced": (
        '{"sessions": [{"session_id", "seen_at", "turns", "client", "directory", '
        '"given": [{"id", "kind", "content", "at", "used"}], "learned": [{"id", "content", "live"}]}]}'
    ),
    "gaps": (
        '{"gaps": [{"id", "snippet", "session_id", "scope", "seen_count", "created_at", "last_seen_at", "closed_at", '
        '"closed_by"}]}'
    ),
    "episodes list": '{"episodes": [memory, …]}',
    "episodes show": "memory",
    "procedures list": '{"procedures": [memory, …]}',
    "procedures show": '{"procedure": memory, "derived_from": [id, …]}',
    "procedures add": "memory",
    "procedures outcome": "memory",
    "procedures history": '{"uses": [{"at", "outcome", "confidence", "reason", "episode_id"}]}',
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
        '{"feeds": [{"source", "url", "items", "fetched", "unchanged", "failures": {kind: number}, "last_error"}]}'
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
    "schedule add": TASK,
    "schedule list": '{"tasks": [a task as of `schedule add`, …]}',
    "schedule done": TASK,
    "schedule cancel": TASK,
    "sessions allow": '{"allowed": [client, …]}',
    "sessions forbid": '{"allowed": [client, …]}',
    "sessions scan": (
        '{"clients": [{"client", "found", "unchanged", "added", "extended", "restarted", "purged", "own", "empty", '
        '"messages", "passages", "damaged_lines", "failures": [{"client", "session_id", "path", "reason"}], "more"}]}'
    ),
    "sessions list": '{"sessions": [session without its messages, …]}',
    "sessions show": "session",
    "sessions extract": '{"sessions": [{"session_id", "messages", "verdicts": [verdict + "content", …]}]}',
    "sessions search": RECALLED,
    "import": '{"format", "added", "known", "purged", "refused": […], "left_out", "problems": […]}',
    "backup": '{"backup", "bytes"}',
    "restore-backup": '{"restored", "replaced"}',
    "doctor": '{"ok", "checks": [{"name", "ok", "detail", "repaired"}]}',
    "stats": (
        '{"garden", "project": {"id", "name", "root"}, "memories", "memories_by_category", "memories_by_scope", '
        '"passages", "sessions", "tags", "clusters", "edges", "journal_entries", "vectors", "tombstones", "documents", '
        '"bytes_on_disk", "embedding": {"model", "pending", "state", "line"}, '
        '"mind": null or {"name", "tokens_today", "calls_today", "usd_today", "daily_tokens", "daily_usd"}, "turns", '
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
    "start": '{"started", "pid", "version"}',
    "stop": '{"stopped"}',
    "service install": '{"path", "done", "text", "commands": [[word, …], …]}',
    "service uninstall": '{"path", "done", "text", "commands": [[word, …], …]}',
    "restart": '{"started", "pid", "version"}',
    "status": (
        '{"running", "ok", "version", "pid", "started_at", "home", "http", "gardens": [address, …], "requests", '
        '"due", "faults", "last_fault", "malformed", "spooled", "steps": [{"name", "ok", "line", "failures"}]}'
    ),
}

# What else a command prints under certain arguments.
ALSO: dict[str, str] = {
    "remember": 'superseded adds "replaced_ids", flagged adds "conflicting_ids"; refused has '
    '"findings": [{"rule", "what", "start", "end"}] instead of "memory", and its id is null',
    "recall": '--explain adds "explanation" to each result, and "cut": [{"id", "why"}]',
    "sessions search": '--explain adds "explanation" to each result, and "cut": [{"id", "why"}]',
    "show": "a passage or a session, when the id is of one",
    "flagged": 'with an id: {"decision", "memory": memory}',
    "tag": 'without an id: {"tags": [{"id", "name", "description", "created_at", "memory_count"}]}',
    "tend": 'explain ID: {"id", "entries": [journal entry, …]}',
    "turn": "text is null when there is nothing to show",
    "briefing": "text is null when there is nothing to tell",
    "gaps": 'with --close: {"closed": gap}',
    "schedule add": "state is waiting, due (nobody was told yet), said, done or cancelled",
    "status": 'when no daemon runs: {"running", "home", "spooled", "why"}',
    "service install": "done is null with --dry-run",
    "service uninstall": "done is null with --dry-run",
    "restore-backup": '--list: {"backups": [{"path", "bytes"}]}',
}
