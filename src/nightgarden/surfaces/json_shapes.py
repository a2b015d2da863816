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
    '"state"}'
)
MISSION = (
    '{"id", "name", "goal", "project", "agent", "session_id", "started_at", "started_by", "ended_at", "outcome", '
    '"reason", "cycle"}'
)
CAPTURED = '{"cycle", "stored": [id, …], "known", "refused": {reason: number}}'
CORE = '{"agent", "version", "core", "at", "by", "reason"}'
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
    "related": '{"related": [{"memory": memory, "edge": edge, "through"}]}',
    "similar": RECALLED,
    "candidates": '{"candidates": [memory, …]}',
    "promote": "memory",
    "pin": "memory",
    "unpin": "memory",
    "mission start": f'{{"mission": {MISSION}}}',
    "mission note": VERDICT,
    "mission end": f'{{"mission": {MISSION}, "report": {CAPTURED}}}',
    "mission list": f'{{"missions": [{MISSION}]}}',
    "mission show": f'{{"mission": {MISSION}, "memories": [memory, …]}}',
    "mission promote": VERDICT,
    "core show": CORE,
    "core edit": CORE,
    "core history": '{"versions": [{"version", "core", "at", "by", "reason"}]}',
    "capture pr": CAPTURED,
    "capture errors": CAPTURED,
    "capture file": CAPTURED,
    "capture status": '{"captured": {source: number}, "refused": {reason: number}}',
    "digest": '{"digest": {"count", "since", "authors", "areas", "commits", "stale"}}',
    "notebook sync": '{"folder", "cycle", "written", "imported", "archived", "refused", "kept"}',
    "notebook status": '{"folder", "on", "pages", "edited", "outdated", "linked"}',
    "notebook unlink": '{"unlinked": [file, …]}',
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
        '[{"name", "remaining", "limit", "used_percent", "resets_at"}], "outcomes": null or {outcome: number}}]}'
    ),
    "minds test": '{"name", "answer", "seconds", "tokens_in", "tokens_out", "cost_usd"}',
    "minds use": '{"kind", "settings": path, "tested": null or as of `minds test`}',
    "usage": (
        '{"total": {"name", "calls", "failed", "tokens_in", "tokens_out", "tokens_cached", "charged_tokens", '
        '"cost_usd"}, "days": [as `total`, …], "purposes": […], "providers": […], "outcomes": {outcome: number}}'
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
