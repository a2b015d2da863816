-- Journal entries say by what they came, what they belong to and what they take back; doubts about memories are values.

ALTER TABLE journal ADD COLUMN operation text;
-- id of the first entry of what was done at once
ALTER TABLE journal ADD COLUMN action text COLLATE "C" NOT NULL DEFAULT '';
-- the action or cycle that it takes back
ALTER TABLE journal ADD COLUMN undoes text COLLATE "C";
CREATE INDEX journal_action ON journal (action, id);
CREATE INDEX journal_undos ON journal (id) WHERE undoes IS NOT NULL;

-- What was written at one moment by one actor was one transaction.
UPDATE journal SET action = together.first
FROM (SELECT id, first_value(id) OVER (PARTITION BY at, actor ORDER BY id) AS first FROM journal WHERE cycle IS NULL)
    AS together
WHERE together.id = journal.id;
UPDATE journal SET operation = split_part(reason, ': ', 1), reason = substr(reason, position(': ' IN reason) + 2)
WHERE cycle IS NOT NULL AND position(': ' IN reason) > 0 AND split_part(reason, ': ', 1)
    IN ('verify', 'merge', 'consolidate', 'sweep', 'prune', 'resolve', 'relate', 'tags', 'cluster');
UPDATE journal SET operation = 'undo', undoes = substr(reason, 6)
WHERE left(reason, 5) = 'undo '
    AND (cycle = 'undo-' || substr(reason, 6) OR substr(reason, 6) IN (SELECT id FROM journal));

-- The sentence `flagged` becomes the list `doubts`, as domain/earlier.py reads it. As text: a cast to jsonb refuses some.
UPDATE memory SET record = regexp_replace(record::text, '"flagged":\s?""', '"doubts":[]')::json
WHERE NOT flagged;
UPDATE memory SET record = replace(
    memory.record::text, substring(memory.record::text from '"flagged":\s?"(?:[^"\\]|\\.)*"'), '"doubts":' || doubt.list
)::json
FROM (
    SELECT id, json_build_array(CASE
        WHEN flag LIKE 'may contradict %' THEN json_build_object(
            'kind', 'contradicts',
            'against', to_json(string_to_array(split_part(substr(flag, 16), ' (', 1), ', ')),
            'rule', '',
            'detail', CASE WHEN position(' (' IN flag) > 0
                THEN regexp_replace(substr(flag, position(' (' IN flag) + 2), '\)$', '') ELSE '' END)
        WHEN flag LIKE 'no longer found in the code%' THEN json_build_object(
            'kind', 'gone', 'against', '[]'::json, 'rule', '', 'detail', substr(flag, 30))
        WHEN flag = 'an agent asked to forget it' THEN json_build_object(
            'kind', 'unwanted', 'against', '[]'::json, 'rule', '', 'detail', '')
        ELSE json_build_object('kind', 'other', 'against', '[]'::json, 'rule', '', 'detail', flag) END)::text AS list
    FROM (SELECT id, record ->> 'flagged' AS flag FROM memory WHERE flagged) AS told
    WHERE flag <> ''
) AS doubt
WHERE doubt.id = memory.id;
