-- Journal entries say by what they came, what they belong to and what they take back; doubts about memories are values.

ALTER TABLE journal ADD COLUMN operation TEXT;
ALTER TABLE journal ADD COLUMN action TEXT NOT NULL DEFAULT '';  -- id of the first entry of what was done at once
ALTER TABLE journal ADD COLUMN undoes TEXT;                      -- the action or cycle that it takes back
CREATE INDEX journal_by_action ON journal (action, id);
CREATE INDEX journal_undos ON journal (id) WHERE undoes IS NOT NULL;

-- What was written at one moment by one actor was one transaction.
UPDATE journal SET action = together.first
FROM (SELECT id, min(id) OVER (PARTITION BY at, actor) AS first FROM journal WHERE cycle IS NULL) AS together
WHERE together.id = journal.id;
UPDATE journal SET operation = substr(reason, 1, instr(reason, ': ') - 1), reason = substr(reason, instr(reason, ': ') + 2)
WHERE cycle IS NOT NULL AND substr(reason, 1, instr(reason, ': ') - 1)
  IN ('verify', 'merge', 'consolidate', 'sweep', 'prune', 'resolve', 'relate', 'tags', 'cluster');
UPDATE journal SET operation = 'undo', undoes = substr(reason, 6)
WHERE substr(reason, 1, 5) = 'undo '
  AND (cycle = 'undo-' || substr(reason, 6) OR substr(reason, 6) IN (SELECT id FROM journal));

-- The sentence `flagged` becomes the list `doubts`, as domain/earlier.py reads it.
UPDATE memory SET record = json_set(json_remove(record, '$.flagged'), '$.doubts', json('[]'))
WHERE CASE WHEN json_valid(record) THEN json_extract(record, '$.flagged') = '' END;
UPDATE memory SET record = json_set(json_remove(memory.record, '$.flagged'), '$.doubts', json(doubt.list))
FROM (
  SELECT id, json_array(CASE
    WHEN flag LIKE 'may contradict %' THEN json_object(
      'kind', 'contradicts',
      'against', json('["' || replace(substr(flag, 16, instr(substr(flag, 16) || ' (', ' (') - 1), ', ', '","') || '"]'),
      'rule', '',
      'detail', CASE WHEN instr(flag, ' (') THEN
        substr(flag, instr(flag, ' (') + 2, length(flag) - instr(flag, ' (') - 1 - (substr(flag, -1) = ')')) ELSE '' END)
    WHEN flag LIKE 'no longer found in the code%' THEN json_object(
      'kind', 'gone', 'against', json('[]'), 'rule', '', 'detail', substr(flag, 30))
    WHEN flag = 'an agent asked to forget it' THEN json_object(
      'kind', 'unwanted', 'against', json('[]'), 'rule', '', 'detail', '')
    ELSE json_object('kind', 'other', 'against', json('[]'), 'rule', '', 'detail', flag) END) AS list
  FROM (SELECT id, CASE WHEN json_valid(record) THEN json_extract(record, '$.flagged') END AS flag FROM memory)
  WHERE flag <> ''
) AS doubt
WHERE doubt.id = memory.id;
