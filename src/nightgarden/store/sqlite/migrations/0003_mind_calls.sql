-- Calls of language models: who was asked, for what, and what it took. Nothing of what was said.

CREATE TABLE mind_call (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  budget TEXT NOT NULL,
  charged_tokens INTEGER NOT NULL,            -- what counts against the caps
  charged_usd REAL NOT NULL,
  record TEXT NOT NULL                        -- the whole value as JSON
) WITHOUT ROWID;
CREATE INDEX mind_call_by_day ON mind_call (budget, at);
CREATE INDEX mind_call_by_time ON mind_call (at, id);
