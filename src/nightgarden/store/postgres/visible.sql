-- Fragments that other files take in.

-- name: sees
-- Whether a view may return item i. Now: live and valid. As of a moment: known by then, and neither archived nor expired
-- by then, whatever happened since.
i.kind = ANY (:kinds::text[])
AND (:scopes::text[] IS NULL OR i.scope = ANY (:scopes::text[]))
AND (i.kind = 'passage' OR :categories::text[] IS NULL OR i.category = ANY (:categories::text[]))
AND CASE WHEN :as_of::timestamptz IS NULL
    THEN (i.live
            AND (i.valid_from IS NULL OR i.valid_from <= :now::timestamptz)
            AND (i.valid_until IS NULL OR i.valid_until > :now::timestamptz))
        OR (:replaced::boolean AND NOT i.live AND i.kind = 'memory'
            AND EXISTS (SELECT 1 FROM memory s WHERE s.number = i.number AND s.superseded))
    ELSE i.created_at <= :as_of::timestamptz
        AND (i.archived_at IS NULL OR i.archived_at > :as_of::timestamptz)
        AND (i.valid_until IS NULL OR i.valid_until > :as_of::timestamptz)
    END
