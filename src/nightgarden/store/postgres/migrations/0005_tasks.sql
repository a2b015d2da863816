-- Tasks for later become documents, which are claimed by their version. One that cannot be read stays where it is.
INSERT INTO document (kind, key, version, owner, status, due_at, created_at, updated_at, value)
SELECT 'task', substr(key, 11), 1, value ->> 'scope', coalesce(value ->> 'outcome', 'open'),
    CASE WHEN value ->> 'closed_at' IS NULL THEN (value ->> 'wake_at')::timestamptz END,
    (value ->> 'created_at')::timestamptz, (value ->> 'created_at')::timestamptz, value
FROM (SELECT key, value FROM state WHERE starts_with(key, 'scheduled:') AND length(key) > 10) AS told
WHERE value ->> 'scope' IS NOT NULL AND value ->> 'wake_at' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d'
    AND value ->> 'created_at' ~ '^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d';
DELETE FROM state WHERE starts_with(key, 'scheduled:')
    AND substr(key, 11) IN (SELECT key FROM document WHERE kind = 'task');
