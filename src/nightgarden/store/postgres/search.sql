-- Search. `sees` in visible.sql says what a view may return.

-- name: bm25
-- What one posting adds to an item's score; k1 = 1.2 and b = 0.75 as in the embedded store, so that both rank alike.
q.idf * (p.frequency * 2.2::float8)
    / (p.frequency + 1.2::float8 * (0.25::float8 + 0.75::float8 * p.item_length / q.mean_length))

-- name: search_text
-- Rare terms drive: taken by rarity while their postings together stay within :postings_max, but at least one term, by
-- its :newest_max newest postings. Common terms only add to the score of items that a rare one found, and only where that can still
-- change who is among the first :limit.
WITH q AS MATERIALIZED (
    SELECT t.term,
        ln(1 + (c.items - t.items + 0.5) / (t.items + 0.5))::float8 AS idf,
        greatest(c.terms, 1)::float8 / greatest(c.items, 1) AS mean_length,
        sum(t.items) OVER (ORDER BY t.items, t.term) <= :postings_max::bigint
            OR row_number() OVER (ORDER BY t.items, t.term) = 1 AS drives
    FROM term t CROSS JOIN corpus c WHERE t.term = ANY (:terms::bigint[]) AND t.items > 0
), driven AS (
    SELECT p.item, sum({{bm25}}) AS score
    FROM q CROSS JOIN LATERAL (
        SELECT item, frequency, item_length FROM posting WHERE posting.term = q.term
        ORDER BY item DESC LIMIT :newest_max::bigint
    ) AS p
    WHERE q.drives GROUP BY p.item
), seen AS MATERIALIZED (
    SELECT d.item, d.score, i.id, i.kind FROM driven d JOIN item i ON i.number = d.item WHERE {{sees}}
    ORDER BY d.score DESC, i.id LIMIT :seen_max::bigint
), bar AS (
    SELECT coalesce((SELECT score FROM seen ORDER BY score DESC OFFSET :limit::bigint - 1 LIMIT 1), 0)
        - coalesce((SELECT sum(idf * 2.2) FROM q WHERE NOT drives), 0) AS score
)
SELECT s.id, s.kind, s.score + coalesce(more.score, 0) AS score
FROM seen s CROSS JOIN bar CROSS JOIN LATERAL (
    SELECT sum({{bm25}}) AS score FROM q CROSS JOIN LATERAL (
        SELECT frequency, item_length FROM posting WHERE posting.term = q.term AND posting.item = s.item OFFSET 0
    ) AS p
    WHERE NOT q.drives
) AS more
WHERE s.score >= bar.score
ORDER BY 3 DESC, s.id LIMIT :limit::bigint;

-- name: visible
SELECT i.id FROM item i WHERE i.id = ANY (:ids::text[]) AND {{sees}};

-- name: said_between
-- Made, said or true from a moment within any span, newest first.
SELECT i.id, i.kind FROM (
    SELECT DISTINCT near.number FROM unnest(:starts::timestamptz[], :ends::timestamptz[]) AS span (first, past)
    CROSS JOIN LATERAL (
        SELECT number FROM item WHERE created_at >= span.first AND created_at < span.past
        UNION ALL
        SELECT number FROM item WHERE valid_from >= span.first AND valid_from < span.past
    ) AS near
) AS n JOIN item i ON i.number = n.number
WHERE {{sees}} ORDER BY i.created_at DESC, i.id DESC LIMIT :limit::bigint;

-- name: triggered
SELECT m.record, m.access_count, m.last_accessed_at FROM memory m JOIN item i ON i.number = m.number
WHERE m.triggers AND {{sees}} ORDER BY m.id;

-- name: items_in_scopes
-- How many items the scopes hold, counted no further than :enough.
SELECT count(*) FROM (
    SELECT 1 FROM item WHERE scope = ANY (:scopes::text[]) LIMIT :enough::bigint
) AS counted;

-- name: search_vectors_exactly
SELECT i.id, i.kind, 1 - (v.embedding <=> :vector::halfvec) AS score
FROM item_vector v JOIN item i ON i.number = v.item
WHERE v.model = :model::integer AND {{sees}}
ORDER BY v.embedding <=> :vector::halfvec, i.id LIMIT :limit::bigint;

-- name: search_vectors_by_index
-- MODEL and DIMENSION are written in as numbers, because a partial index is only used when the planner sees its
-- condition.
SELECT i.id, i.kind, 1 - (v.embedding <=> :vector::halfvec) AS score
FROM item_vector v JOIN item i ON i.number = v.item
WHERE v.model = MODEL AND {{sees}}
ORDER BY v.embedding::halfvec(DIMENSION) <=> :vector::halfvec(DIMENSION) LIMIT :limit::bigint;

-- name: index_vectors
CREATE INDEX item_vector_hnsw_MODEL ON item_vector
USING hnsw ((embedding::halfvec(DIMENSION)) halfvec_cosine_ops) WHERE model = MODEL;

-- name: model_by_id
SELECT number, dimension, indexed FROM vector_model WHERE id = :id;

-- name: write_model
INSERT INTO vector_model (id, name, dimension, pooling) VALUES (:id, :name, :dimension, :pooling)
ON CONFLICT (id) DO NOTHING;

-- name: lock_model
SELECT number, dimension, indexed FROM vector_model WHERE id = :id FOR UPDATE;

-- name: model_is_indexed
UPDATE vector_model SET indexed = true WHERE number = :model;

-- name: count_model_vectors
-- Counted no further than :enough.
SELECT count(*) FROM (SELECT 1 FROM item_vector WHERE model = :model::integer LIMIT :enough::bigint) AS counted;

-- name: put_vectors
-- Ids that no longer exist are left out.
INSERT INTO item_vector (model, item, embedding)
SELECT :model::integer, i.number, u.embedding
FROM unnest(:ids::text[], :embeddings::halfvec[]) AS u (id, embedding) JOIN item i ON i.id = u.id
ORDER BY i.number
ON CONFLICT (model, item) DO UPDATE SET embedding = excluded.embedding;

-- name: load_vectors
INSERT INTO item_vector (model, item, embedding)
SELECT m.number, i.number, u.embedding
FROM unnest(:ids::text[], :model_ids::text[], :embeddings::halfvec[]) AS u (id, model_id, embedding)
JOIN item i ON i.id = u.id JOIN vector_model m ON m.id = u.model_id
ON CONFLICT DO NOTHING;

-- name: pending_vectors
-- Memories first, newest first: what was just said is looked for soonest.
SELECT i.id, i.kind, coalesce(m.record, p.record) AS record FROM item i
LEFT JOIN memory m ON m.number = i.number LEFT JOIN passage p ON p.number = i.number
WHERE NOT EXISTS (
    SELECT 1 FROM item_vector v JOIN vector_model vm ON vm.number = v.model
    WHERE v.item = i.number AND vm.id = :model_id
)
ORDER BY i.kind, i.number DESC LIMIT :limit::bigint;

-- name: count_pending_vectors
SELECT (SELECT count(*) FROM item) - (
    SELECT count(*) FROM item_vector v JOIN vector_model m ON m.number = v.model WHERE m.id = :model_id
);

-- name: vectors_by_ids
SELECT i.id, v.embedding FROM item i JOIN item_vector v ON v.item = i.number
JOIN vector_model m ON m.number = v.model AND m.id = :model_id
WHERE i.id = ANY (:ids::text[]);

-- name: all_vectors
SELECT i.id, v.embedding FROM item_vector v JOIN item i ON i.number = v.item
WHERE v.model = :model::integer AND {{sees}} ORDER BY i.id;

-- name: other_models
SELECT number, indexed FROM vector_model WHERE id <> :model_id FOR UPDATE;

-- name: drop_vectors
DELETE FROM item_vector WHERE model = ANY (:models::integer[]);

-- name: unindex_model
UPDATE vector_model SET indexed = false WHERE number = :model;

-- name: unindex_vectors
DROP INDEX IF EXISTS item_vector_hnsw_MODEL;
