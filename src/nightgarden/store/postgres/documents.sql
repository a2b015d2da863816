-- Documents: see store/sqlite/documents.sql, which has the same statements.

-- name: document
SELECT * FROM document WHERE kind = :kind AND key = :key;

-- name: fence
SELECT value FROM document WHERE kind = :kind AND key = :key FOR SHARE;

-- name: list_documents
SELECT * FROM document
WHERE kind = :kind
    AND (:owner::text IS NULL OR owner = :owner::text)
    AND (:statuses::text[] IS NULL OR status = ANY (:statuses::text[]))
ORDER BY key LIMIT :limit::bigint;

-- name: list_documents_newest
SELECT * FROM document
WHERE kind = :kind
    AND (:owner::text IS NULL OR owner = :owner::text)
    AND (:statuses::text[] IS NULL OR status = ANY (:statuses::text[]))
ORDER BY key DESC LIMIT :limit::bigint;

-- name: list_documents_due
SELECT * FROM document
WHERE kind = :kind AND due_at <= :due_before
    AND (:owner::text IS NULL OR owner = :owner::text)
    AND (:statuses::text[] IS NULL OR status = ANY (:statuses::text[]))
ORDER BY due_at, key LIMIT :limit::bigint;

-- name: all_documents
SELECT * FROM document ORDER BY kind, key;

-- name: lock_documents
-- In the order of their keys, so that no two writers wait for each other.
SELECT d.* FROM document d
JOIN (SELECT DISTINCT u.kind, u.key FROM unnest(:kinds::text[], :keys::text[]) AS u (kind, key)) w
    ON d.kind = w.kind AND d.key = w.key
ORDER BY d.kind, d.key FOR UPDATE OF d;

-- name: create_document
INSERT INTO document (kind, key, version, value, owner, status, due_at, created_at, updated_at)
VALUES (:kind, :key, :version, :value::json, :owner, :status, :due_at, :created_at, :updated_at)
ON CONFLICT DO NOTHING;

-- name: write_document
UPDATE document SET version = :version, value = :value::json, owner = :owner, status = :status, due_at = :due_at,
    created_at = :created_at, updated_at = :updated_at
WHERE kind = :kind AND key = :key;

-- name: remove_document
DELETE FROM document WHERE kind = :kind AND key = :key;

-- name: document_entries
SELECT id, subject_id, before, after FROM journal WHERE subject_kind = 'document' ORDER BY id;

-- name: remove_document_entries
DELETE FROM journal WHERE subject_kind = 'document' AND subject_id = ANY (:ids::text[]);

-- name: rewrite_document_entry
UPDATE journal SET before = :before::json, after = :after::json WHERE id = :id;

-- name: count_documents
SELECT kind AS name, count(*) FROM document GROUP BY kind ORDER BY kind;
