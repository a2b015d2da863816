-- Statements that read memories, the graph, sessions, journal and state. A null filter is open.

-- name: memories_by_ids
SELECT m.record, m.access_count, m.last_accessed_at
FROM unnest(:ids::text[]) WITH ORDINALITY AS w (id, place) JOIN memory m ON m.id = w.id ORDER BY w.place;

-- name: memory_filter
(:scopes::text[] IS NULL OR m.scope = ANY (:scopes::text[]))
AND (:categories::text[] IS NULL OR m.category = ANY (:categories::text[]))
AND (:statuses::text[] IS NULL OR m.status = ANY (:statuses::text[]))
AND (:tiers::smallint[] IS NULL OR m.tier = ANY (:tiers::smallint[]))
AND (:provenances::text[] IS NULL OR m.provenance = ANY (:provenances::text[]))
AND (:tag_id::text IS NULL
    OR EXISTS (SELECT 1 FROM memory_tag t WHERE t.memory_id = m.id AND t.tag_id = :tag_id::text))
AND (:session_id::text IS NULL OR m.session_id = :session_id::text)
AND (:dedupe_key::text IS NULL OR m.dedupe_key = :dedupe_key::text)
AND (:flagged::boolean IS NULL OR m.flagged = :flagged::boolean)
AND (:superseded::boolean IS NULL OR m.superseded = :superseded::boolean)
AND (:created_after::timestamptz IS NULL OR m.created_at > :created_after::timestamptz)
AND (:created_before::timestamptz IS NULL OR m.created_at < :created_before::timestamptz)

-- name: list_memories
SELECT m.record, m.access_count, m.last_accessed_at FROM memory m
WHERE (:after::text IS NULL OR m.id > :after::text) AND {{memory_filter}}
ORDER BY m.id LIMIT :limit::bigint;

-- name: list_memories_newest
SELECT m.record, m.access_count, m.last_accessed_at FROM memory m
WHERE (:after::text IS NULL OR m.id < :after::text) AND {{memory_filter}}
ORDER BY m.id DESC LIMIT :limit::bigint;

-- name: all_kinds_of_edges
-- Membership of tags and clusters is as old as the memory.
(SELECT source, target, kind, weight, created_at, updated_at FROM edge
UNION ALL
SELECT t.memory_id, t.tag_id, 'has_tag', 1.0, m.created_at, m.created_at
FROM memory_tag t JOIN memory m ON m.id = t.memory_id
UNION ALL
SELECT c.memory_id, c.cluster_id, 'in_cluster', 1.0, m.created_at, m.created_at
FROM cluster_member c JOIN memory m ON m.id = c.memory_id)

-- name: edges
SELECT e.* FROM {{all_kinds_of_edges}} AS e
WHERE (e.source = ANY (:ids::text[]) OR (:incoming::boolean AND e.target = ANY (:ids::text[])))
    AND e.kind = ANY (:kinds::text[])
ORDER BY e.source, e.kind, e.target;

-- name: degrees
SELECT node, sum(number)::bigint AS number FROM (
    SELECT source AS node, count(*) AS number FROM edge WHERE source = ANY (:ids::text[]) GROUP BY 1
    UNION ALL
    SELECT target, count(*) FROM edge WHERE target = ANY (:ids::text[]) GROUP BY 1
    UNION ALL
    SELECT memory_id, count(*) FROM memory_tag WHERE memory_id = ANY (:ids::text[]) GROUP BY 1
    UNION ALL
    SELECT tag_id, count(*) FROM memory_tag WHERE tag_id = ANY (:ids::text[]) GROUP BY 1
    UNION ALL
    SELECT memory_id, count(*) FROM cluster_member WHERE memory_id = ANY (:ids::text[]) GROUP BY 1
    UNION ALL
    SELECT cluster_id, count(*) FROM cluster_member WHERE cluster_id = ANY (:ids::text[]) GROUP BY 1
) AS touching GROUP BY node ORDER BY node;

-- name: all_edges
-- One page, by key, after the last key of the page before.
SELECT e.* FROM {{all_kinds_of_edges}} AS e
WHERE e.kind = ANY (:kinds::text[])
    AND (e.source, e.kind, e.target) > (:source::text, :kind::text, :target::text)
ORDER BY e.source, e.kind, e.target LIMIT :limit::bigint;

-- name: all_tags
SELECT t.id, t.name, t.description, t.created_at, (
    SELECT count(*) FROM memory_tag mt JOIN memory m ON m.id = mt.memory_id WHERE mt.tag_id = t.id AND m.live
) AS memory_count
FROM tag t ORDER BY t.name;

-- name: clusters
SELECT record FROM cluster WHERE :scopes::text[] IS NULL OR scope = ANY (:scopes::text[]) ORDER BY id;

-- name: session_by_id
SELECT record FROM session WHERE id = :id;

-- name: messages
SELECT record FROM message WHERE session_id = :id ORDER BY position;

-- name: list_sessions
SELECT record FROM session
WHERE (:client::text IS NULL OR client = :client::text)
    AND (:status::text IS NULL OR status = :status::text)
    AND (:extraction::text IS NULL OR extraction = :extraction::text)
    AND (:scopes::text[] IS NULL OR scope = ANY (:scopes::text[]))
ORDER BY started_at DESC NULLS LAST, id DESC LIMIT :limit::bigint;

-- name: all_sessions
SELECT id, record FROM session ORDER BY id;

-- name: rewrite_session
UPDATE session SET record = :record::json WHERE id = :id;

-- name: put_session
INSERT INTO session (id, record, client, status, extraction, scope, started_at)
VALUES (:id, :record::json, :client, :status, :extraction, :scope, :started_at)
ON CONFLICT (id) DO UPDATE SET record = excluded.record, client = excluded.client, status = excluded.status,
    extraction = excluded.extraction, scope = excluded.scope, started_at = excluded.started_at;

-- name: load_session
INSERT INTO session (id, record, client, status, extraction, scope, started_at)
VALUES (:id, :record::json, :client, :status, :extraction, :scope, :started_at) ON CONFLICT DO NOTHING;

-- name: known_messages
SELECT id, position FROM message WHERE session_id = :id;

-- name: insert_messages
INSERT INTO message (session_id, id, position, record)
SELECT u.session_id, u.id, u.position, u.record::json
FROM unnest(:session_id::text[], :id::text[], :position::integer[], :record::text[])
    AS u (session_id, id, position, record)
ON CONFLICT DO NOTHING;

-- name: passages_by_ids
SELECT p.record FROM unnest(:ids::text[]) WITH ORDINALITY AS w (id, place) JOIN passage p ON p.id = w.id ORDER BY w.place;

-- name: neighbours
SELECT p.id, n.record FROM unnest(:ids::text[]) AS w (id) JOIN passage p ON p.id = w.id
JOIN passage n ON n.session_id = p.session_id AND n.position BETWEEN p.position - :reach::integer AND p.position + :reach::integer
JOIN item i ON i.number = n.number AND i.live
WHERE n.id <> p.id ORDER BY p.id, n.position, n.part, n.id;

-- name: passages_to_archive
-- Said before a moment, or beyond a number to keep, newest kept; archived ones are neither counted nor named.
SELECT record FROM passage WHERE record ->> 'archived_at' IS NULL AND (created_at < :older_than::timestamptz
    OR id IN (SELECT id FROM passage WHERE record ->> 'archived_at' IS NULL AND :keep::bigint IS NOT NULL
        ORDER BY created_at DESC, id DESC OFFSET coalesce(:keep::bigint, 0)))
ORDER BY id;

-- name: passages_archived_in
SELECT record FROM passage WHERE record ->> 'archived_in' = :cycle::text ORDER BY id;

-- name: rewrite_passage
UPDATE passage SET record = :record::json WHERE id = :id;

-- name: hide_passages
UPDATE item SET live = false, archived_at = least(archived_at, :at::timestamptz)
WHERE id = ANY (:ids::text[]) AND kind = 'passage';

-- name: hidden_passages
-- Which of these passages a forgotten memory hides, and since when.
SELECT h.id, min((m.record ->> 'archived_at')::timestamptz) AS at
FROM memory m CROSS JOIN LATERAL json_array_elements_text(m.record -> 'hides') AS h (id)
WHERE m.status = 'archived' AND m.record -> 'hides' IS NOT NULL
    AND (:ids::text[] IS NULL OR h.id = ANY (:ids::text[])) GROUP BY h.id ORDER BY h.id;

-- name: messages_with
-- Messages that hold a word or belong to a session.
SELECT session_id, id, record FROM message
WHERE position(:word::text IN lower(record::text)) > 0 OR session_id = ANY (:sessions::text[]) ORDER BY session_id, id;

-- name: passages_with
SELECT record FROM passage
WHERE position(:word::text IN lower(record::text)) > 0 OR session_id = ANY (:sessions::text[]) ORDER BY id;

-- name: memories_of_sessions
SELECT record, access_count, last_accessed_at FROM memory WHERE session_id = ANY (:sessions::text[]) ORDER BY id;

-- name: rewrite_entry
UPDATE journal SET before = :before::json, after = :after::json WHERE id = :id;

-- name: rewrite_memory
UPDATE memory SET record = :record::json WHERE id = :id;

-- name: unused_tags
SELECT t.id FROM tag t WHERE t.id = ANY (:ids::text[])
    AND NOT EXISTS (SELECT 1 FROM memory_tag m WHERE m.tag_id = t.id) ORDER BY t.id;

-- name: remove_tags
DELETE FROM tag WHERE id = ANY (:ids::text[]);

-- name: remove_entries_of
DELETE FROM journal WHERE subject_id = ANY (:ids::text[]);

-- name: remove_gaps
DELETE FROM gap WHERE id = ANY (:ids::text[]);

-- name: last_entry
SELECT max(id) FROM journal;

-- name: history
SELECT * FROM journal
WHERE (:subject_id::text IS NULL OR subject_id = :subject_id::text) AND (:cycle::text IS NULL OR cycle = :cycle::text)
ORDER BY id;

-- name: entries_of_action
SELECT * FROM journal WHERE action = :action ORDER BY id;

-- name: entries_after
SELECT * FROM journal WHERE id > :after::text ORDER BY id LIMIT :limit::bigint;

-- name: newest_entries
SELECT * FROM journal WHERE :before::text IS NULL OR id < :before::text ORDER BY id DESC LIMIT :limit::bigint;

-- name: undos
SELECT * FROM journal WHERE undoes IS NOT NULL ORDER BY id;

-- name: entry_by_id
SELECT * FROM journal WHERE id = :id;

-- name: matching_ids
-- What a shortened id may stand for.
SELECT id FROM (
    SELECT 'memory' AS kind, id FROM memory UNION ALL SELECT 'passage', id FROM passage
    UNION ALL SELECT 'session', id FROM session UNION ALL SELECT 'entry', id FROM journal
    UNION ALL SELECT kind, key FROM document
) AS known
WHERE kind = ANY (:kinds::text[])
    AND (
        left(id, length(:part::text)) = :part::text OR right(id, length(:part::text)) = :part::text
        OR left(right(id, :shown::int), length(:part::text)) = :part::text
    )
ORDER BY id;

-- name: tombstones
SELECT key FROM tombstone WHERE key = ANY (:keys::text[]);

-- name: write_tombstones
INSERT INTO tombstone (key, kind, purged_at)
SELECT * FROM unnest(:key::text[], :kind::text[], :purged_at::timestamptz[]) ON CONFLICT DO NOTHING;

-- name: purgeable
-- What each id is; an item before a session of the same name.
SELECT w.id, m.dedupe_key,
    coalesce(i.kind, CASE WHEN s.id IS NOT NULL THEN 'session' WHEN d.key IS NOT NULL THEN 'document' END) AS kind
FROM unnest(:ids::text[]) WITH ORDINALITY AS w (id, place)
LEFT JOIN item i ON i.id = w.id LEFT JOIN memory m ON m.id = w.id LEFT JOIN session s ON s.id = w.id
LEFT JOIN (SELECT DISTINCT key FROM document WHERE key = ANY (:ids::text[])) d ON d.key = w.id
WHERE i.id IS NOT NULL OR s.id IS NOT NULL OR d.key IS NOT NULL ORDER BY w.place;

-- name: blank_entries
-- What happened and when stays; what it said goes. Edges name a memory at either end.
UPDATE journal SET before = NULL, after = NULL, reason = 'purged'
WHERE subject_id = ANY (:ids::text[])
    OR (subject_kind = 'edge' AND (split_part(subject_id, '>', 1) = ANY (:ids::text[])
        OR split_part(subject_id, '>', 3) = ANY (:ids::text[])));

-- name: clusters_of
SELECT DISTINCT c.id, c.record::text FROM cluster c JOIN cluster_member m ON m.cluster_id = c.id
WHERE m.memory_id = ANY (:ids::text[]) ORDER BY c.id;

-- name: messages_of_passage
SELECT m.session_id, m.id, m.record, p.record AS passage
FROM passage p CROSS JOIN LATERAL json_array_elements_text(p.record -> 'message_ids') AS said (id)
JOIN message m ON m.session_id = p.session_id AND m.id = said.id
WHERE p.id = :id ORDER BY m.position;

-- name: rewrite_message
UPDATE message SET record = :record::json WHERE session_id = :session_id AND id = :id;

-- name: rewrite_cluster
UPDATE cluster SET record = :record::json WHERE id = :id;

-- name: passages_of_sessions
SELECT id FROM passage WHERE session_id = ANY (:ids::text[]) ORDER BY id;

-- name: remove_sessions
DELETE FROM session WHERE id = ANY (:ids::text[]);

-- name: get_state
SELECT value FROM state WHERE key = :key;

-- name: put_state
INSERT INTO state (key, value) VALUES (:key, :value::json) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: remove_state
DELETE FROM state WHERE key = :key;

-- name: state_items
SELECT key, value FROM state WHERE starts_with(key, :prefix) ORDER BY key;

-- name: gaps
SELECT record FROM gap WHERE :include_closed::boolean OR NOT closed ORDER BY id;

-- name: gaps_of
SELECT id FROM gap WHERE record ->> 'session_id' = ANY (:ids::text[]) ORDER BY id;

-- name: load_gap
INSERT INTO gap (id, closed, record) VALUES (:id, :closed, :record::json) ON CONFLICT DO NOTHING;

-- name: load_state
INSERT INTO state (key, value) VALUES (:key, :value::json) ON CONFLICT DO NOTHING;

-- name: write_call
INSERT INTO mind_call (id, at, budget, charged_tokens, charged_usd, record)
VALUES (:id, :at, :budget, :charged_tokens, :charged_usd, :record::json)
ON CONFLICT (id) DO UPDATE SET
    charged_tokens = excluded.charged_tokens, charged_usd = excluded.charged_usd, record = excluded.record;

-- name: calls_spent
SELECT coalesce(sum(charged_tokens), 0)::bigint AS tokens, coalesce(sum(charged_usd), 0)::double precision AS usd,
    count(*) AS calls
FROM mind_call WHERE budget = :budget AND at >= :since::timestamptz AND at < :until::timestamptz;

-- name: calls_since
SELECT record FROM mind_call WHERE at >= :since::timestamptz ORDER BY at DESC, id DESC LIMIT :limit::bigint;
