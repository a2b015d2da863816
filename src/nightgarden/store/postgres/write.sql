-- Statements that write memories, passages, the graph and the journal. Rows come as one array per column.

-- name: lock_memories
-- In one order for everybody, so that two writers cannot wait for each other.
SELECT id, record, access_count, last_accessed_at FROM memory WHERE id = ANY (:ids::text[]) ORDER BY id FOR UPDATE;

-- name: lock_edges
SELECT e.source, e.target, e.kind, e.weight, e.created_at, e.updated_at
FROM unnest(:sources::text[], :kinds::text[], :targets::text[]) AS w (source, kind, target)
JOIN edge e USING (source, kind, target) ORDER BY e.source, e.kind, e.target FOR UPDATE OF e;

-- name: lock_tags
SELECT id, name, description, created_at, 0 AS memory_count FROM tag WHERE id = ANY (:ids::text[]) ORDER BY id FOR UPDATE;

-- name: lock_clusters
SELECT id, record FROM cluster WHERE id = ANY (:ids::text[]) ORDER BY id FOR UPDATE;

-- name: existing_memories
SELECT id FROM memory WHERE id = ANY (:ids::text[]);

-- name: insert_items
-- Items that are there already are left alone and not returned.
INSERT INTO item (id, kind, scope, category, live, created_at, valid_from, valid_until, archived_at, term_count)
SELECT * FROM unnest(:id::text[], :kind::text[], :scope::text[], :category::text[], :live::boolean[],
    :created_at::timestamptz[], :valid_from::timestamptz[], :valid_until::timestamptz[], :archived_at::timestamptz[],
    :term_count::integer[])
ON CONFLICT (id) DO NOTHING RETURNING id, number;

-- name: insert_memories
INSERT INTO memory (id, number, record, scope, dedupe_key, category, status, tier, provenance, session_id, flagged,
    superseded, live, triggers, created_at, access_count, last_accessed_at)
SELECT u.id, i.number, u.record::json, u.scope, u.dedupe_key, u.category, u.status, u.tier, u.provenance, u.session_id,
    u.flagged, u.superseded, u.live, u.triggers, u.created_at, u.access_count, u.last_accessed_at
FROM unnest(:id::text[], :record::text[], :scope::text[], :dedupe_key::text[], :category::text[], :status::text[],
    :tier::smallint[], :provenance::text[], :session_id::text[], :flagged::boolean[], :superseded::boolean[],
    :live::boolean[], :triggers::boolean[], :created_at::timestamptz[], :access_count::bigint[],
    :last_accessed_at::timestamptz[])
    AS u (id, record, scope, dedupe_key, category, status, tier, provenance, session_id, flagged, superseded, live,
    triggers, created_at, access_count, last_accessed_at)
JOIN item i ON i.id = u.id;

-- name: update_memory
-- Counts of use are kept apart and never overwritten by a change.
UPDATE memory SET record = :record::json, scope = :scope, dedupe_key = :dedupe_key, category = :category,
    status = :status, tier = :tier, provenance = :provenance, session_id = :session_id, flagged = :flagged,
    superseded = :superseded, live = :live, triggers = :triggers, created_at = :created_at
WHERE id = :id;

-- name: update_item
UPDATE item SET scope = :scope, category = :category, live = :live, created_at = :created_at, valid_from = :valid_from,
    valid_until = :valid_until, archived_at = :archived_at, term_count = :term_count
WHERE id = :id;

-- name: insert_passages
INSERT INTO passage (id, number, session_id, position, part, created_at, record)
SELECT u.id, i.number, u.session_id, u.position, u.part, u.created_at, u.record::json
FROM unnest(:id::text[], :session_id::text[], :position::integer[], :part::integer[], :created_at::timestamptz[],
    :record::text[]) AS u (id, session_id, position, part, created_at, record)
JOIN item i ON i.id = u.id;

-- name: remove_items
-- Memory or passage, vectors, tags and edges go with it.
DELETE FROM item WHERE id = ANY (:ids::text[]) RETURNING number, term_count;

-- name: item_numbers
SELECT id, number, term_count FROM item WHERE id = ANY (:ids::text[]);

-- name: remove_postings
WITH gone AS (DELETE FROM posting WHERE item = ANY (:numbers::bigint[]) RETURNING term)
SELECT term, count(*) AS items FROM gone GROUP BY term;

-- name: insert_postings
INSERT INTO posting (term, item, frequency, item_length)
SELECT * FROM unnest(:term::bigint[], :item::bigint[], :frequency::integer[], :item_length::integer[]);

-- name: count_terms
-- In one order for everybody; see lock_memories.
INSERT INTO term (term, items)
SELECT u.term, u.items FROM unnest(:terms::bigint[], :items::bigint[]) AS u (term, items) ORDER BY u.term
ON CONFLICT (term) DO UPDATE SET items = term.items + excluded.items;

-- name: count_corpus
UPDATE corpus SET items = items + :items::bigint, terms = terms + :terms::bigint;

-- name: remove_vectors
DELETE FROM item_vector WHERE item = ANY (:numbers::bigint[]);

-- name: create_tags
-- Those that were new are returned.
INSERT INTO tag (id, name, description, created_at)
SELECT u.id, u.name, u.description, u.created_at
FROM unnest(:id::text[], :name::text[], :description::text[], :created_at::timestamptz[])
    AS u (id, name, description, created_at) ORDER BY u.id
ON CONFLICT DO NOTHING RETURNING id;

-- name: insert_tag
INSERT INTO tag (id, name, description, created_at) VALUES (:id, :name, :description, :created_at);

-- name: update_tag
UPDATE tag SET name = :name, description = :description, created_at = :created_at WHERE id = :id;

-- name: remove_tag
DELETE FROM tag WHERE id = :id;

-- name: unlink_tags
DELETE FROM memory_tag WHERE memory_id = ANY (:ids::text[]);

-- name: link_tags
INSERT INTO memory_tag (memory_id, tag_id) SELECT * FROM unnest(:memory_ids::text[], :tag_ids::text[]);

-- name: insert_edge
INSERT INTO edge (source, target, kind, weight, created_at, updated_at)
VALUES (:source, :target, :kind, :weight, :created_at, :updated_at);

-- name: update_edge
UPDATE edge SET weight = :weight, created_at = :created_at, updated_at = :updated_at
WHERE source = :source AND kind = :kind AND target = :target;

-- name: load_edges
INSERT INTO edge (source, target, kind, weight, created_at, updated_at)
SELECT * FROM unnest(:source::text[], :target::text[], :kind::text[], :weight::float8[], :created_at::timestamptz[],
    :updated_at::timestamptz[])
ON CONFLICT DO NOTHING;

-- name: remove_edge
DELETE FROM edge WHERE source = :source AND kind = :kind AND target = :target;

-- name: insert_cluster
INSERT INTO cluster (id, scope, record) VALUES (:id, :scope, :record::json);

-- name: load_cluster
INSERT INTO cluster (id, scope, record) VALUES (:id, :scope, :record::json) ON CONFLICT DO NOTHING;

-- name: update_cluster
UPDATE cluster SET scope = :scope, record = :record::json WHERE id = :id;

-- name: remove_cluster
DELETE FROM cluster WHERE id = :id;

-- name: unlink_members
DELETE FROM cluster_member WHERE cluster_id = :id;

-- name: link_members
INSERT INTO cluster_member (memory_id, cluster_id) SELECT unnest(:members::text[]), :id;

-- name: lock_gaps
SELECT record FROM gap WHERE id = ANY (:ids::text[]) ORDER BY id FOR UPDATE;

-- name: put_gap
INSERT INTO gap (id, closed, record) VALUES (:id, :closed, :record::json)
ON CONFLICT (id) DO UPDATE SET closed = excluded.closed, record = excluded.record;

-- name: remove_gap
DELETE FROM gap WHERE id = :id;

-- name: insert_entries
INSERT INTO journal (id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes)
SELECT u.id, u.at, u.actor, u.reason, u.cycle, u.subject_kind, u.subject_id, u.before::json, u.after::json,
    u.operation, u.action, u.undoes
FROM unnest(:id::text[], :at::timestamptz[], :actor::text[], :reason::text[], :cycle::text[], :subject_kind::text[],
    :subject_id::text[], :before::text[], :after::text[], :operation::text[], :action::text[], :undoes::text[])
    AS u (id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes)
ON CONFLICT DO NOTHING;

-- name: touch
-- A clock that steps back never makes a memory look older.
UPDATE memory SET access_count = access_count + 1, last_accessed_at = greatest(last_accessed_at, :at::timestamptz)
WHERE id IN (SELECT id FROM memory WHERE id = ANY (:ids::text[]) ORDER BY id FOR UPDATE);
