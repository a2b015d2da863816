-- Small typed values that rooms keep, each with a version for compare-and-set.

CREATE TABLE document (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  version INTEGER NOT NULL,
  owner TEXT NOT NULL,
  status TEXT NOT NULL,
  due_at TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  value TEXT NOT NULL,                        -- JSON
  PRIMARY KEY (kind, key)
) WITHOUT ROWID;
CREATE INDEX document_by_owner ON document (kind, owner, key);
CREATE INDEX document_by_status ON document (kind, status, key);
CREATE INDEX document_by_due ON document (kind, due_at, key) WHERE due_at IS NOT NULL;
