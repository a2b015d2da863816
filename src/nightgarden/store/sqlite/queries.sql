-- Statements of the SQLite store, by name. Lists of ids and scopes are passed as JSON arrays.

-- name: memory_by_id
SELECT record, access_count, last_accessed_at FROM memory WHERE id = :id;

-- name: memories_by_ids
-- The order asked for is the order of the array.
SELECT m.record, m.access_count, m.last_accessed_at
FROM json_each(:ids) wanted JOIN memory m ON m.id = wanted.value ORDER BY wanted.key;

-- name: list_memories
-- The filters that are set follow as `AND` clauses (listing.py), then the order; so the planner sees only what is asked.
SELECT m.record, m.access_count, m.last_accessed_at FROM memory m WHERE 1;

-- name: touch
-- A clock that steps back never makes a memory look older.
UPDATE memory SET access_count = access_count + 1, last_accessed_at = max(ifnull(last_accessed_at, ''), :at)
WHERE id IN (SELECT value FROM json_each(:ids));

-- name: remove_item
-- Memory or passage, vectors, tags and edges go with it.
DELETE FROM item WHERE id = :id;

-- name: remove_vectors_of
DELETE FROM vector WHERE number = (SELECT number FROM item WHERE id = :id);

-- name: remove_tags_of
DELETE FROM memory_tag WHERE memory_id = :id;

-- name: link_tag
INSERT INTO memory_tag (memory_id, tag_id) VALUES (?, ?);

-- name: tag_by_id
SELECT id, name, description, created_at, 0 FROM tag WHERE id = :id;

-- name: all_tags
SELECT t.id, t.name, t.description, t.created_at,
  (SELECT count(*) FROM memory_tag mt JOIN memory m ON m.id = mt.memory_id WHERE mt.tag_id = t.id AND m.live = 1)
FROM tag t ORDER BY t.name;

-- name: describe_tag
UPDATE tag SET description = :description WHERE id = :id;

-- name: remove_tag
DELETE FROM tag WHERE id = :id;

-- name: edge_by_key
SELECT source, target, kind, weight, created_at, updated_at FROM edge
WHERE source = :source AND kind = :kind AND target = :target;

-- name: remove_edge
DELETE FROM edge WHERE source = :source AND kind = :kind AND target = :target;

-- name: write_edge
INSERT INTO edge (source, target, kind, weight, created_at, updated_at)
VALUES (:source, :target, :kind, :weight, :created_at, :updated_at)
ON CONFLICT (source, kind, target) DO UPDATE SET
  weight = excluded.weight, created_at = excluded.created_at, updated_at = excluded.updated_at;

-- name: edges_out
-- Edges that leave the nodes, membership of tags and clusters included.
SELECT e.source, e.target, e.kind, e.weight, e.created_at, e.updated_at
FROM json_each(:ids) w JOIN edge e ON e.source = w.value WHERE e.kind IN (SELECT value FROM json_each(:kinds))
UNION ALL
SELECT mt.memory_id, mt.tag_id, 'has_tag', 1.0, m.created_at, m.created_at
FROM json_each(:ids) w JOIN memory_tag mt ON mt.memory_id = w.value JOIN memory m ON m.id = mt.memory_id
WHERE 'has_tag' IN (SELECT value FROM json_each(:kinds))
UNION ALL
SELECT cm.memory_id, cm.cluster_id, 'in_cluster', 1.0, m.created_at, m.created_at
FROM json_each(:ids) w JOIN cluster_member cm ON cm.memory_id = w.value JOIN memory m ON m.id = cm.memory_id
WHERE 'in_cluster' IN (SELECT value FROM json_each(:kinds))
ORDER BY 1, 3, 2;

-- name: edges_in
-- Edges that reach the nodes: from memories, or from the members of a tag or cluster.
SELECT e.source, e.target, e.kind, e.weight, e.created_at, e.updated_at
FROM json_each(:ids) w JOIN edge e ON e.target = w.value WHERE e.kind IN (SELECT value FROM json_each(:kinds))
UNION ALL
SELECT mt.memory_id, mt.tag_id, 'has_tag', 1.0, m.created_at, m.created_at
FROM json_each(:ids) w JOIN memory_tag mt ON mt.tag_id = w.value JOIN memory m ON m.id = mt.memory_id
WHERE 'has_tag' IN (SELECT value FROM json_each(:kinds))
UNION ALL
SELECT cm.memory_id, cm.cluster_id, 'in_cluster', 1.0, m.created_at, m.created_at
FROM json_each(:ids) w JOIN cluster_member cm ON cm.cluster_id = w.value JOIN memory m ON m.id = cm.memory_id
WHERE 'in_cluster' IN (SELECT value FROM json_each(:kinds))
ORDER BY 1, 3, 2;

-- name: degrees
SELECT node, sum(number) FROM (
  SELECT w.value AS node, count(*) AS number FROM json_each(:ids) w JOIN edge e ON e.source = w.value GROUP BY 1
  UNION ALL
  SELECT w.value, count(*) FROM json_each(:ids) w JOIN edge e ON e.target = w.value GROUP BY 1
  UNION ALL
  SELECT w.value, count(*) FROM json_each(:ids) w JOIN memory_tag t ON t.memory_id = w.value GROUP BY 1
  UNION ALL
  SELECT w.value, count(*) FROM json_each(:ids) w JOIN memory_tag t ON t.tag_id = w.value GROUP BY 1
  UNION ALL
  SELECT w.value, count(*) FROM json_each(:ids) w JOIN cluster_member c ON c.memory_id = w.value GROUP BY 1
  UNION ALL
  SELECT w.value, count(*) FROM json_each(:ids) w JOIN cluster_member c ON c.cluster_id = w.value GROUP BY 1
) GROUP BY node ORDER BY node;

-- name: all_edges
SELECT source, target, kind, weight, created_at, updated_at FROM edge
WHERE kind IN (SELECT value FROM json_each(:kinds))
UNION ALL
SELECT mt.memory_id, mt.tag_id, 'has_tag', 1.0, m.created_at, m.created_at
FROM memory_tag mt JOIN memory m ON m.id = mt.memory_id WHERE 'has_tag' IN (SELECT value FROM json_each(:kinds))
UNION ALL
SELECT cm.memory_id, cm.cluster_id, 'in_cluster', 1.0, m.created_at, m.created_at
FROM cluster_member cm JOIN memory m ON m.id = cm.memory_id
WHERE 'in_cluster' IN (SELECT value FROM json_each(:kinds))
ORDER BY 1, 3, 2;

-- name: cluster_by_id
SELECT record FROM cluster WHERE id = :id;

-- name: clusters
SELECT record FROM cluster
WHERE :scopes IS NULL OR scope IN (SELECT value FROM json_each(:scopes)) ORDER BY id;

-- name: remove_cluster
DELETE FROM cluster WHERE id = :id;

-- name: link_cluster_member
INSERT INTO cluster_member (memory_id, cluster_id) VALUES (?, ?);

-- name: clusters_of_memory
SELECT c.id, c.record FROM cluster c JOIN cluster_member m ON m.cluster_id = c.id
WHERE m.memory_id = :id ORDER BY c.id;

-- name: rewrite_cluster
UPDATE cluster SET record = :record WHERE id = :id;

-- name: term_frequencies
SELECT t.term, t.items FROM json_each(:terms) w JOIN term t ON t.term = w.value WHERE t.items > 0;

-- name: corpus
SELECT items, terms FROM corpus;

-- name: rows_with
SELECT rowid FROM item_text WHERE item_text MATCH :match AND rowid > :after;

-- name: visible
-- Which items a view may return: one rule, taken in by every statement that searches.
(:scopes IS NULL OR i.scope IN (SELECT value FROM json_each(:scopes)))
  AND (:kind IS NULL OR i.kind = :kind)
  AND (i.category IS NULL OR :categories IS NULL OR i.category IN (SELECT value FROM json_each(:categories)))
  AND CASE WHEN :as_of IS NULL
        THEN (i.live = 1 AND i.visible_from <= :now AND (i.gone_at IS NULL OR i.gone_at > :now))
          OR (:replaced AND i.live = 0 AND i.kind = 'memory'
            AND EXISTS (SELECT 1 FROM memory s WHERE s.number = i.number AND s.superseded = 1))
        ELSE i.created_at <= :as_of AND (i.gone_at IS NULL OR i.gone_at > :as_of) END;

-- name: terms_of
SELECT i.id, i.kind, i.terms, i.length FROM json_each(:numbers) w JOIN item i ON i.number = w.value
WHERE {{visible}};

-- name: nth_newest
SELECT rowid FROM item_text WHERE item_text MATCH :match ORDER BY rowid DESC LIMIT 1 OFFSET :skip;

-- name: visible_vectors
-- Which of these item numbers the view may return, with their vectors.
SELECT i.id, i.kind, v.data FROM json_each(:numbers) w JOIN item i ON i.number = w.value
JOIN vector v ON v.number = i.number AND v.model_id = :model_id
WHERE {{visible}}
ORDER BY w.key;

-- name: all_visible_numbers
-- Every item number the view may return, for when a first guess found too few. Scopes lead to their items, all items
-- are looked at only where none are named. One row, a JSON array: 100,000 rows take half as long again to hand over,
-- and give way to other threads at each.
SELECT json_group_array(number) FROM (
  SELECT i.number FROM item i WHERE :scopes IS NULL AND {{visible}}
  UNION ALL
  SELECT i.number FROM item i WHERE i.scope IN (SELECT value FROM json_each(:scopes)) AND {{visible}}
);

-- name: said_between
-- Made, said or true from a moment within the span, newest first.
SELECT i.id, i.kind, i.created_at FROM item i
WHERE ((i.created_at >= :start AND i.created_at < :end) OR (i.visible_from >= :start AND i.visible_from < :end))
  AND {{visible}}
ORDER BY i.created_at DESC, i.id DESC LIMIT :limit;

-- name: visible_ids
SELECT i.id FROM json_each(:ids) w JOIN item i ON i.id = w.value
WHERE {{visible}};

-- name: triggered
SELECT m.record, m.access_count, m.last_accessed_at FROM memory m JOIN item i ON i.number = m.number
WHERE m.triggers = 1 AND m.live = 1
  AND {{visible}}
ORDER BY m.id;

-- name: model_by_id
SELECT dimension, vector_count, last_sequence FROM model WHERE id = :id;

-- name: write_model
INSERT OR IGNORE INTO model (id, name, dimension, pooling) VALUES (:id, :name, :dimension, :pooling);

-- name: pending_vectors
-- Memories first, newest first: what was just said is looked for soonest.
SELECT i.id, i.kind, ifnull(m.record, p.record) FROM item i
LEFT JOIN memory m ON m.number = i.number LEFT JOIN passage p ON p.number = i.number
WHERE NOT EXISTS (SELECT 1 FROM vector v WHERE v.number = i.number AND v.model_id = :model_id)
ORDER BY i.kind, i.number DESC LIMIT :limit;

-- name: count_pending_vectors
SELECT (SELECT items FROM corpus) - ifnull((SELECT vector_count FROM model WHERE id = :model_id), 0);

-- name: remove_vector
DELETE FROM vector WHERE model_id = ? AND number = (SELECT number FROM item WHERE id = ?);

-- name: write_vector
INSERT INTO vector (number, model_id, data) SELECT number, ?, ? FROM item WHERE id = ?;

-- name: vectors_by_ids
-- One of the wrong size is damaged: the doctor sees to it, and nobody stumbles over it before.
SELECT i.id, v.data FROM json_each(:ids) w JOIN item i ON i.id = w.value
JOIN vector v ON v.number = i.number AND v.model_id = :model_id JOIN model m ON m.id = v.model_id
WHERE length(v.data) = 2 * m.dimension ORDER BY w.key;

-- name: all_vectors
SELECT i.id, v.data FROM item i JOIN vector v ON v.number = i.number AND v.model_id = :model_id
JOIN model m ON m.id = v.model_id AND length(v.data) = 2 * m.dimension
WHERE {{visible}}
ORDER BY i.id;

-- name: vectors_since
SELECT sequence, number, data FROM vector WHERE sequence > :sequence AND model_id = :model_id ORDER BY sequence;

-- name: vector_numbers
SELECT number FROM vector WHERE model_id = :model_id ORDER BY number;

-- name: drop_vectors
DELETE FROM vector WHERE model_id <> :model_id;

-- name: count_vectors
SELECT id, vector_count FROM model ORDER BY id;

-- name: session_by_id
SELECT record FROM session WHERE id = :id;

-- name: all_sessions
SELECT id, record FROM session ORDER BY id;

-- name: rewrite_session
UPDATE session SET record = :record WHERE id = :id;

-- name: write_session
INSERT INTO session (id, client, scope, status, extraction, started_at, record)
VALUES (:id, :client, :scope, :status, :extraction, :started_at, :record)
ON CONFLICT (id) DO UPDATE SET client = excluded.client, scope = excluded.scope, status = excluded.status,
  extraction = excluded.extraction, started_at = excluded.started_at, record = excluded.record;

-- name: next_position
SELECT ifnull(max(position) + 1, 0) FROM message WHERE session_id = :id;

-- name: write_message
INSERT OR IGNORE INTO message (session_id, id, position, record) VALUES (:session_id, :id, :position, :record);

-- name: messages_of_passage
SELECT m.session_id, m.id, json_extract(p.record, '$.content'), m.record
FROM passage p, json_each(p.record, '$.message_ids') said
JOIN message m ON m.session_id = p.session_id AND m.id = said.value WHERE p.id = :id ORDER BY m.position;

-- name: rewrite_message
UPDATE message SET record = :record WHERE session_id = :session_id AND id = :id;

-- name: message_position
SELECT position FROM message WHERE session_id = :session_id AND id = :id;

-- name: messages
SELECT record FROM message WHERE session_id = :id ORDER BY position;

-- name: list_sessions
SELECT record FROM session
WHERE (:client IS NULL OR client = :client) AND (:status IS NULL OR status = :status)
  AND (:extraction IS NULL OR extraction = :extraction)
  AND (:scopes IS NULL OR scope IN (SELECT value FROM json_each(:scopes)))
ORDER BY started_at DESC, id DESC LIMIT :limit;

-- name: passages_by_ids
SELECT p.record FROM json_each(:ids) w JOIN passage p ON p.id = w.value ORDER BY w.key;

-- name: neighbours
SELECT p.id, n.record FROM json_each(:ids) w JOIN passage p ON p.id = w.value
JOIN passage n ON n.session_id = p.session_id AND n.position BETWEEN p.position - :reach AND p.position + :reach
JOIN item i ON i.number = n.number AND i.live = 1
WHERE n.id <> p.id ORDER BY w.key, n.position, n.part, n.id;

-- name: hide_passage
UPDATE item SET live = 0, gone_at = min(ifnull(gone_at, :at), :at) WHERE id = :id AND kind = 'passage';

-- name: passage_not_hidden
-- The passage, unless a forgotten memory hides it.
SELECT record FROM passage WHERE id = :id AND NOT EXISTS (
  SELECT 1 FROM memory m, json_each(m.record, '$.hides') h WHERE m.status = 'archived' AND h.value = :id);

-- name: hidden_passages
SELECT h.value, min(json_extract(m.record, '$.archived_at')) FROM memory m, json_each(m.record, '$.hides') h
WHERE m.status = 'archived' GROUP BY h.value;

-- name: passages_to_archive
-- Said before a moment, or beyond a number to keep, newest kept; archived ones are neither counted nor named.
SELECT p.record FROM passage p WHERE json_extract(p.record, '$.archived_at') IS NULL AND (p.created_at < :moment
  OR (:keep IS NOT NULL AND p.id NOT IN (
    SELECT id FROM passage WHERE json_extract(record, '$.archived_at') IS NULL
    ORDER BY created_at DESC, id DESC LIMIT ifnull(:keep, 0))))
ORDER BY p.id;

-- name: passages_archived_in
SELECT record FROM passage WHERE json_extract(record, '$.archived_in') = :cycle ORDER BY id;

-- name: rewrite_passage
UPDATE passage SET record = :record WHERE id = :id;

-- name: messages_with
-- Messages that hold a word or belong to a session.
SELECT session_id, id, record FROM message
WHERE instr(lower(record), :word) OR session_id IN (SELECT value FROM json_each(:sessions)) ORDER BY session_id, id;

-- name: passages_with
SELECT record FROM passage
WHERE instr(lower(record), :word) OR session_id IN (SELECT value FROM json_each(:sessions)) ORDER BY id;

-- name: memories_of_sessions
SELECT record, access_count, last_accessed_at FROM memory
WHERE session_id IN (SELECT value FROM json_each(:sessions)) ORDER BY id;

-- name: entries_of
SELECT id, before, after FROM journal WHERE subject_id = :id ORDER BY id;

-- name: rewrite_entry
UPDATE journal SET before = :before, after = :after WHERE id = :id;

-- name: rewrite_memory
UPDATE memory SET record = :record WHERE id = :id;

-- name: unused_tags
SELECT t.id FROM tag t WHERE t.id IN (SELECT value FROM json_each(:ids))
AND NOT EXISTS (SELECT 1 FROM memory_tag m WHERE m.tag_id = t.id) ORDER BY t.id;

-- name: remove_entries_of
DELETE FROM journal WHERE subject_id = :id;

-- name: remove_gap
DELETE FROM gap WHERE id = :id;

-- name: passages_of_session
SELECT id FROM passage WHERE session_id = :id ORDER BY position, part;

-- name: remove_session
DELETE FROM session WHERE id = :id;

-- name: write_entry
INSERT INTO journal (id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes)
VALUES (:id, :at, :actor, :reason, :cycle, :subject_kind, :subject_id, :before, :after, :operation, :action, :undoes);

-- name: history
SELECT id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes FROM journal
WHERE (:subject_id IS NULL OR subject_id = :subject_id) AND (:cycle IS NULL OR cycle = :cycle)
ORDER BY id;

-- name: entries_of_action
SELECT id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes FROM journal
WHERE action = :action ORDER BY id;

-- name: entries_after
SELECT id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes FROM journal
WHERE id > :after ORDER BY id LIMIT :limit;

-- name: newest_entries
SELECT id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes FROM journal
WHERE :before IS NULL OR id < :before ORDER BY id DESC LIMIT :limit;

-- name: undos
SELECT id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes FROM journal
WHERE undoes IS NOT NULL ORDER BY id;

-- name: gap_by_id
SELECT record FROM gap WHERE id = :id;

-- name: memories_without_entry
SELECT id FROM memory m WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.subject_id = m.id) ORDER BY id;

-- name: last_entry
SELECT max(id) FROM journal;

-- name: entry_by_id
SELECT id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes FROM journal WHERE id = :id;

-- name: matching_ids
-- What a shortened id may stand for.
SELECT id FROM (
  SELECT 'memory' AS kind, id FROM memory UNION ALL SELECT 'passage', id FROM passage
  UNION ALL SELECT 'session', id FROM session UNION ALL SELECT 'entry', id FROM journal
  UNION ALL SELECT kind, key FROM document
)
WHERE kind IN (SELECT value FROM json_each(:kinds))
  AND (
    substr(id, 1, length(:part)) = :part OR substr(id, -length(:part)) = :part
    OR substr(substr(id, -:shown), 1, length(:part)) = :part
  )
ORDER BY id;

-- name: blank_entries
-- What happened and when stays; what it said goes. Edges name the memory at either end.
UPDATE journal SET before = NULL, after = NULL, reason = 'purged'
WHERE subject_id = :id
   OR (subject_kind = 'edge' AND (substr(subject_id, 1, length(:id) + 1) = :id || '>'
                                  OR substr(subject_id, -length(:id) - 1) = '>' || :id));

-- name: write_tombstone
INSERT OR IGNORE INTO tombstone (key, kind, purged_at) VALUES (:key, :kind, :purged_at);

-- name: tombstones
SELECT key FROM tombstone WHERE key IN (SELECT value FROM json_each(:keys));

-- name: item_kind
SELECT kind FROM item WHERE id = :id;

-- name: get_state
SELECT value FROM state WHERE key = :key;

-- name: put_state
INSERT INTO state (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: remove_state
DELETE FROM state WHERE key = :key;

-- name: state_items
SELECT key, value FROM state WHERE substr(key, 1, length(:prefix)) = :prefix ORDER BY key;

-- name: put_gap
INSERT INTO gap (id, closed_at, record) VALUES (:id, :closed_at, :record)
ON CONFLICT (id) DO UPDATE SET closed_at = excluded.closed_at, record = excluded.record;

-- name: remove_scheduled_of
-- A task speaks of what was said.
DELETE FROM state WHERE substr(key, 1, length(:prefix)) = :prefix AND json_extract(value, '$.session_id') = :session_id;

-- name: gaps_of_session
SELECT id FROM gap WHERE json_extract(record, '$.session_id') = :session_id ORDER BY id;

-- name: gaps
SELECT record FROM gap WHERE :include_closed OR closed_at IS NULL ORDER BY id;

-- name: count_by_status
SELECT status, count(*) FROM memory GROUP BY status ORDER BY status;

-- name: count_documents
SELECT kind, count(*) FROM document GROUP BY kind ORDER BY kind;

-- name: count_by_category
SELECT category, count(*) FROM memory WHERE live = 1 GROUP BY category ORDER BY category;

-- name: count_by_scope
SELECT scope, count(*) FROM memory WHERE live = 1 GROUP BY scope ORDER BY scope;

-- name: write_call
INSERT INTO mind_call (id, at, budget, charged_tokens, charged_usd, record)
VALUES (:id, :at, :budget, :charged_tokens, :charged_usd, :record)
ON CONFLICT (id) DO UPDATE SET
  charged_tokens = excluded.charged_tokens, charged_usd = excluded.charged_usd, record = excluded.record;

-- name: calls_spent
SELECT ifnull(sum(charged_tokens), 0), ifnull(sum(charged_usd), 0.0), count(*) FROM mind_call
WHERE budget = :budget AND at >= :since AND at < :until;

-- name: calls_since
SELECT record FROM mind_call WHERE at >= :since ORDER BY at DESC, id DESC LIMIT :limit;
