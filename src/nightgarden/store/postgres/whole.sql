-- The whole garden: counts, dump and check.

-- name: counts
SELECT
    (SELECT count(*) FROM passage) AS passages,
    (SELECT count(*) FROM session) AS sessions,
    (SELECT count(*) FROM tag) AS tags,
    (SELECT count(*) FROM cluster) AS clusters,
    (SELECT count(*) FROM edge) + (SELECT count(*) FROM memory_tag) + (SELECT count(*) FROM cluster_member) AS edges,
    (SELECT count(*) FROM journal) AS journal_entries,
    (SELECT count(*) FROM tombstone) AS tombstones,
    (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r') AS bytes_on_disk;

-- name: count_by_status
SELECT status AS name, count(*) FROM memory GROUP BY status ORDER BY status;

-- name: count_by_category
SELECT category AS name, count(*) FROM memory WHERE live GROUP BY category ORDER BY category;

-- name: count_by_scope
SELECT scope AS name, count(*) FROM memory WHERE live GROUP BY scope ORDER BY scope;

-- name: count_vectors
SELECT m.id AS name, (SELECT count(*) FROM item_vector v WHERE v.model = m.number) AS count
FROM vector_model m ORDER BY m.id;

-- name: dump_session
SELECT record FROM session ORDER BY id;

-- name: dump_message
SELECT record, session_id, position FROM message ORDER BY session_id, position;

-- name: dump_passage
SELECT record FROM passage ORDER BY id;

-- name: dump_tag
SELECT id, name, description, created_at, 0 AS memory_count FROM tag ORDER BY id;

-- name: dump_memory
SELECT record, access_count, last_accessed_at FROM memory ORDER BY id;

-- name: dump_edge
SELECT source, target, kind, weight, created_at, updated_at FROM edge ORDER BY source, kind, target;

-- name: dump_cluster
SELECT record FROM cluster ORDER BY id;

-- name: dump_journal
SELECT * FROM journal ORDER BY id;

-- name: dump_model
SELECT id, name, dimension, pooling FROM vector_model ORDER BY id;

-- name: dump_vector
SELECT i.id, m.id AS model_id, v.embedding FROM item_vector v
JOIN item i ON i.number = v.item JOIN vector_model m ON m.number = v.model ORDER BY i.id, m.id;

-- name: dump_tombstone
SELECT key, kind, purged_at FROM tombstone ORDER BY key;

-- name: dump_gap
SELECT record FROM gap ORDER BY id;

-- name: dump_document
SELECT * FROM document ORDER BY kind, key;

-- name: dump_mind_call
SELECT record FROM mind_call ORDER BY id;

-- name: dump_state
SELECT key, value FROM state ORDER BY key;

-- name: existing
-- Which places of the lists name a row that is there. TABLE and MATCH are written in by dump.py.
SELECT k.place FROM unnest(:first::text[], :second::text[], :third::text[]) WITH ORDINALITY
    AS k (first, second, third, place)
WHERE EXISTS (SELECT 1 FROM TABLE AS t WHERE MATCH) ORDER BY k.place;

-- name: vector_keys
(SELECT i.id AS item_id, m.id AS model_id FROM item_vector v
JOIN item i ON i.number = v.item JOIN vector_model m ON m.number = v.model)

-- name: known_items
SELECT id FROM item WHERE id = ANY (:ids::text[]);

-- name: known_clusters
SELECT id FROM cluster WHERE id = ANY (:ids::text[]);

-- name: orphan_items
-- Searchable, but without a memory or passage behind them.
SELECT i.id FROM item i WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.number = i.number)
    AND NOT EXISTS (SELECT 1 FROM passage p WHERE p.number = i.number) ORDER BY i.id;

-- name: postings_in_order
-- Each item's postings as two arrays, by term.
SELECT i.id, i.term_count, coalesce(m.record, s.record)::text AS record, m.id IS NOT NULL AS is_memory, p.terms,
    p.frequencies, p.lengths
FROM item i LEFT JOIN memory m ON m.number = i.number LEFT JOIN passage s ON s.number = i.number
LEFT JOIN LATERAL (
    SELECT array_agg(term ORDER BY term) AS terms, array_agg(frequency ORDER BY term) AS frequencies,
        array_agg(DISTINCT item_length) AS lengths
    FROM posting WHERE posting.item = i.number
) AS p ON true
ORDER BY i.number;

-- name: orphan_postings
SELECT count(*) FROM posting p WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.number = p.item);

-- name: remove_orphan_postings
DELETE FROM posting p WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.number = p.item);

-- name: miscounted_terms
SELECT count(*) FROM (SELECT term, count(*) AS items FROM posting GROUP BY term) AS real
FULL JOIN term t USING (term) WHERE coalesce(real.items, 0) <> coalesce(t.items, 0);

-- name: miscounted_corpus
SELECT c.items <> r.items OR c.terms <> r.terms
FROM corpus c, (SELECT count(*) AS items, coalesce(sum(term_count), 0) AS terms FROM item) AS r;

-- name: clear_terms
DELETE FROM term;

-- name: recount_terms
INSERT INTO term (term, items) SELECT term, count(*) FROM posting GROUP BY term;

-- name: recount_corpus
UPDATE corpus SET items = r.items, terms = r.terms
FROM (SELECT count(*) AS items, coalesce(sum(term_count), 0) AS terms FROM item) AS r;

-- name: lock_index
LOCK TABLE item, posting, term, corpus IN SHARE ROW EXCLUSIVE MODE;

-- name: tags_in_graph
-- Compared in the program, because the server's JSON functions stop at NUL characters in a record.
SELECT m.id, m.record, ARRAY(SELECT mt.tag_id FROM memory_tag mt WHERE mt.memory_id = m.id ORDER BY mt.tag_id) AS tag_ids
FROM memory m ORDER BY m.id;

-- name: members_in_graph
-- A member that is gone stays in the record, so that the cluster is still what the journal says; the graph leaves it out.
SELECT c.id, c.record,
    ARRAY(SELECT cm.memory_id FROM cluster_member cm WHERE cm.cluster_id = c.id ORDER BY cm.memory_id) AS member_ids
FROM cluster c ORDER BY c.id;

-- name: link_existing_members
INSERT INTO cluster_member (memory_id, cluster_id)
SELECT m.id, :id::text FROM memory m WHERE m.id = ANY (:members::text[]) ON CONFLICT DO NOTHING;

-- name: missized_vectors
SELECT v.model, v.item FROM item_vector v JOIN vector_model m ON m.number = v.model
WHERE vector_dims(v.embedding) <> m.dimension;

-- name: remove_missized_vectors
DELETE FROM item_vector v USING vector_model m
WHERE m.number = v.model AND vector_dims(v.embedding) <> m.dimension;

-- name: orphan_edges
SELECT count(*) FROM edge e WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = e.source)
    OR NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = e.target);

-- name: remove_orphan_edges
DELETE FROM edge e WHERE NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = e.source)
    OR NOT EXISTS (SELECT 1 FROM memory m WHERE m.id = e.target);

-- name: orphan_vectors
SELECT count(*) FROM item_vector v WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.number = v.item);

-- name: remove_orphan_vectors
DELETE FROM item_vector v WHERE NOT EXISTS (SELECT 1 FROM item i WHERE i.number = v.item);

-- name: memories_without_entry
SELECT m.record, m.access_count, m.last_accessed_at FROM memory m
WHERE NOT EXISTS (SELECT 1 FROM journal j WHERE j.subject_id = m.id) ORDER BY m.id;
