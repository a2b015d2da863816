-- Documents: see store/postgres/documents.sql, which has the same statements.

-- name: document
SELECT kind, key, version, value, owner, status, due_at, created_at, updated_at FROM document
WHERE kind = :kind AND key = :key;

-- name: list_documents
-- The clauses that are set and the order follow in documents.py.
SELECT kind, key, version, value, owner, status, due_at, created_at, updated_at FROM document WHERE kind = :kind;

-- name: all_documents
SELECT kind, key, version, value, owner, status, due_at, created_at, updated_at FROM document ORDER BY kind, key;

-- name: write_document
INSERT INTO document (kind, key, version, value, owner, status, due_at, created_at, updated_at)
VALUES (:kind, :key, :version, :value, :owner, :status, :due_at, :created_at, :updated_at)
ON CONFLICT (kind, key) DO UPDATE SET version = excluded.version, value = excluded.value, owner = excluded.owner,
  status = excluded.status, due_at = excluded.due_at, created_at = excluded.created_at,
  updated_at = excluded.updated_at;

-- name: remove_document
DELETE FROM document WHERE kind = :kind AND key = :key;

-- name: document_keys
-- Which of these are keys of documents of whatever kind.
SELECT DISTINCT key FROM document WHERE key IN (SELECT value FROM json_each(:keys)) ORDER BY key;

-- name: document_entries
SELECT id, subject_id, before, after FROM journal WHERE subject_kind = 'document' ORDER BY id;

-- name: remove_document_entries
DELETE FROM journal WHERE subject_kind = 'document' AND subject_id IN (SELECT value FROM json_each(:ids));

-- name: rewrite_document_entry
UPDATE journal SET before = :before, after = :after WHERE id = :id;

-- name: has_documents
-- A copy from before there were any has no such table.
SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'document';
