-- The ground floor. Everything searchable is an item with a small number; text and vectors hang on that number.

CREATE TABLE item (
  number INTEGER PRIMARY KEY AUTOINCREMENT,  -- never reused, so that an index in another process cannot mix up two items
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL CHECK (kind IN ('memory', 'passage')),
  scope TEXT NOT NULL,
  category TEXT,                              -- memories only
  created_at TEXT NOT NULL,
  visible_from TEXT NOT NULL,
  gone_at TEXT,                               -- archived, superseded or no longer valid from this moment
  live INTEGER NOT NULL,                      -- 0 when archived or superseded
  terms TEXT NOT NULL,                        -- what full text indexes, made by domain/text.py
  length INTEGER NOT NULL                     -- how many terms
);
CREATE INDEX item_by_scope ON item (scope, live, number);

CREATE INDEX item_by_creation ON item (created_at);
CREATE INDEX item_by_start ON item (visible_from);

CREATE VIRTUAL TABLE item_text USING fts5 (
  terms, content = 'item', content_rowid = 'number',
  tokenize = "unicode61 remove_diacritics 0 tokenchars '_.-''’:/+'"
);
CREATE TABLE term (term TEXT PRIMARY KEY, items INTEGER NOT NULL) WITHOUT ROWID;  -- in how many items a term stands
CREATE TABLE corpus (items INTEGER NOT NULL, terms INTEGER NOT NULL);  -- one row: what BM25 needs to know of the whole
INSERT INTO corpus VALUES (0, 0);
CREATE TRIGGER item_text_added AFTER INSERT ON item BEGIN
  INSERT INTO item_text (rowid, terms) VALUES (new.number, new.terms);
  UPDATE corpus SET items = items + 1, terms = terms + new.length;
  INSERT INTO term (term, items)
    SELECT DISTINCT value, 1 FROM json_each('["' || replace(new.terms, ' ', '","') || '"]') WHERE new.terms <> ''
    ON CONFLICT (term) DO UPDATE SET items = items + 1;
END;
CREATE TRIGGER item_text_removed AFTER DELETE ON item BEGIN
  INSERT INTO item_text (item_text, rowid, terms) VALUES ('delete', old.number, old.terms);
  UPDATE corpus SET items = items - 1, terms = terms - old.length;
  UPDATE term SET items = items - 1
    WHERE term IN (SELECT value FROM json_each('["' || replace(old.terms, ' ', '","') || '"]')) AND old.terms <> '';
END;
CREATE TRIGGER item_text_changed AFTER UPDATE OF terms ON item WHEN old.terms IS NOT new.terms BEGIN
  INSERT INTO item_text (item_text, rowid, terms) VALUES ('delete', old.number, old.terms);
  INSERT INTO item_text (rowid, terms) VALUES (new.number, new.terms);
  UPDATE corpus SET terms = terms + new.length - old.length;
  UPDATE term SET items = items - 1
    WHERE term IN (SELECT value FROM json_each('["' || replace(old.terms, ' ', '","') || '"]')) AND old.terms <> '';
  INSERT INTO term (term, items)
    SELECT DISTINCT value, 1 FROM json_each('["' || replace(new.terms, ' ', '","') || '"]') WHERE new.terms <> ''
    ON CONFLICT (term) DO UPDATE SET items = items + 1;
END;

CREATE TABLE memory (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE REFERENCES item (number) ON DELETE CASCADE,
  scope TEXT NOT NULL,
  category TEXT NOT NULL,
  status TEXT NOT NULL,
  tier INTEGER NOT NULL,
  provenance TEXT NOT NULL,
  session_id TEXT,
  created_at TEXT NOT NULL,
  live INTEGER NOT NULL,
  superseded INTEGER NOT NULL,
  flagged INTEGER NOT NULL,
  triggers INTEGER NOT NULL,                  -- has trigger patterns or a procedure's trigger
  dedupe_key TEXT NOT NULL,
  access_count INTEGER NOT NULL,
  last_accessed_at TEXT,
  record TEXT NOT NULL                        -- the whole value as JSON, counts of use left out
) WITHOUT ROWID;
CREATE UNIQUE INDEX memory_said_once ON memory (scope, dedupe_key) WHERE live = 1;
CREATE INDEX memory_by_text ON memory (dedupe_key, scope);
CREATE INDEX memory_by_scope ON memory (scope, status, id);
CREATE INDEX memory_by_session ON memory (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX memory_with_triggers ON memory (id) WHERE triggers = 1 AND live = 1;

CREATE TABLE tag (id TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, created_at TEXT NOT NULL)
  WITHOUT ROWID;
CREATE TABLE memory_tag (
  memory_id TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  tag_id TEXT NOT NULL REFERENCES tag (id),
  PRIMARY KEY (memory_id, tag_id)
) WITHOUT ROWID;
CREATE INDEX memory_tag_by_tag ON memory_tag (tag_id, memory_id);

CREATE TABLE cluster (id TEXT PRIMARY KEY, scope TEXT NOT NULL, record TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE cluster_member (
  memory_id TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  cluster_id TEXT NOT NULL REFERENCES cluster (id) ON DELETE CASCADE,
  PRIMARY KEY (memory_id, cluster_id)
) WITHOUT ROWID;
CREATE INDEX cluster_member_by_cluster ON cluster_member (cluster_id, memory_id);

CREATE TABLE edge (
  source TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  target TEXT NOT NULL REFERENCES memory (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('relates_to', 'supersedes', 'contradicts', 'derived_from')),
  weight REAL NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  PRIMARY KEY (source, kind, target)
) WITHOUT ROWID;
CREATE INDEX edge_by_target ON edge (target, kind, source);

CREATE TABLE session (
  id TEXT PRIMARY KEY,
  client TEXT NOT NULL,
  scope TEXT,
  status TEXT NOT NULL,
  extraction TEXT NOT NULL,
  started_at TEXT,
  record TEXT NOT NULL                        -- the whole value as JSON, messages left out
) WITHOUT ROWID;
CREATE INDEX session_by_start ON session (started_at, id);
CREATE TABLE message (
  session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  position INTEGER NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (session_id, id)
) WITHOUT ROWID;
CREATE UNIQUE INDEX message_in_order ON message (session_id, position);
CREATE TABLE passage (
  id TEXT PRIMARY KEY,
  number INTEGER NOT NULL UNIQUE REFERENCES item (number) ON DELETE CASCADE,
  session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  part INTEGER NOT NULL,
  created_at TEXT NOT NULL,
  record TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX passage_in_order ON passage (session_id, position, part);
CREATE INDEX passage_by_age ON passage (created_at, id);

CREATE TABLE model (id TEXT PRIMARY KEY, name TEXT NOT NULL, dimension INTEGER NOT NULL, pooling TEXT NOT NULL,
                    vector_count INTEGER NOT NULL DEFAULT 0, last_sequence INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
CREATE TABLE vector (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, -- grows with each write: readers ask for what is newer than they know
  number INTEGER NOT NULL REFERENCES item (number) ON DELETE CASCADE,
  model_id TEXT NOT NULL REFERENCES model (id),
  data BLOB NOT NULL                          -- float16, little endian
);
CREATE UNIQUE INDEX vector_of_item ON vector (number, model_id);
CREATE TRIGGER vector_counted_in AFTER INSERT ON vector BEGIN
  UPDATE model SET vector_count = vector_count + 1, last_sequence = new.sequence WHERE id = new.model_id;
END;
CREATE TRIGGER vector_counted_out AFTER DELETE ON vector BEGIN
  UPDATE model SET vector_count = vector_count - 1 WHERE id = old.model_id;
END;

CREATE TABLE journal (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  cycle TEXT,
  subject_kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  before TEXT,
  after TEXT
) WITHOUT ROWID;
CREATE INDEX journal_by_subject ON journal (subject_id, id);
CREATE INDEX journal_by_cycle ON journal (cycle, id) WHERE cycle IS NOT NULL;

CREATE TABLE tombstone (key TEXT PRIMARY KEY, kind TEXT NOT NULL, purged_at TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE gap (id TEXT PRIMARY KEY, closed_at TEXT, record TEXT NOT NULL) WITHOUT ROWID;
