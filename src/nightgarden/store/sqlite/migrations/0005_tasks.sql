-- Tasks for later become documents, which are claimed by their version. One that cannot be read stays where it is.

INSERT OR IGNORE INTO document (kind, key, version, owner, status, due_at, created_at, updated_at, value)
SELECT 'task', substr(key, 11), 1, json_extract(value, '$.scope'), coalesce(json_extract(value, '$.outcome'), 'open'),
  CASE WHEN json_extract(value, '$.closed_at') IS NULL THEN json_extract(value, '$.wake_at') END,
  json_extract(value, '$.created_at'), json_extract(value, '$.created_at'), value
FROM state
WHERE substr(key, 1, 10) = 'scheduled:' AND length(key) > 10 AND CASE WHEN json_valid(value) THEN
  json_type(value, '$.scope') = 'text' AND json_type(value, '$.wake_at') = 'text'
  AND json_type(value, '$.created_at') = 'text' END;
DELETE FROM state WHERE substr(key, 1, 10) = 'scheduled:'
  AND substr(key, 11) IN (SELECT key FROM document WHERE kind = 'task');
