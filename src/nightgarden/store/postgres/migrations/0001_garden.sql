-- A garden: what is searchable, what it says, how it hangs together, and what was done to it.
-- Ids compare byte by byte, so that both engines put them in the same order. Records are `json`, not `jsonb`, because
-- jsonb refuses NUL characters and lone surrogates, and rewrites large numbers.

-- Everything search can return, with what visibility depends on. `number` is short, for postings and vectors.
CREATE TABLE item (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    kind text NOT NULL CHECK (kind IN ('memory', 'passage')),
    scope text COLLATE "C" NOT NULL,
    category text,
    live boolean NOT NULL,
    created_at timestamptz NOT NULL,
    valid_from timestamptz,
    valid_until timestamptz,
    archived_at timestamptz,
    term_count integer NOT NULL
);
CREATE INDEX item_scope ON item (scope, number);
CREATE INDEX item_created ON item (created_at, id);
CREATE INDEX item_valid_from ON item (valid_from) WHERE valid_from IS NOT NULL;

CREATE TABLE memory (
    id text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL UNIQUE REFERENCES item ON DELETE CASCADE,
    record json NOT NULL, -- the whole value, counts of use left out
    scope text COLLATE "C" NOT NULL,
    dedupe_key text COLLATE "C" NOT NULL,
    category text NOT NULL,
    status text NOT NULL,
    tier smallint NOT NULL,
    provenance text NOT NULL,
    session_id text COLLATE "C",
    flagged boolean NOT NULL,
    superseded boolean NOT NULL,
    live boolean NOT NULL,
    triggers boolean NOT NULL,
    created_at timestamptz NOT NULL,
    access_count bigint NOT NULL,
    last_accessed_at timestamptz
);
-- No two live memories of a scope say the same.
CREATE UNIQUE INDEX memory_live_text ON memory (scope, dedupe_key) WHERE live;
CREATE INDEX memory_dedupe_key ON memory (dedupe_key);
CREATE INDEX memory_session ON memory (session_id) WHERE session_id IS NOT NULL;
CREATE INDEX memory_triggers ON memory (id) WHERE triggers AND live;

CREATE TABLE session (
    id text COLLATE "C" PRIMARY KEY,
    record json NOT NULL,
    client text NOT NULL,
    status text NOT NULL,
    extraction text NOT NULL,
    scope text COLLATE "C",
    started_at timestamptz
);
CREATE TABLE message (
    session_id text COLLATE "C" NOT NULL REFERENCES session ON DELETE CASCADE,
    id text COLLATE "C" NOT NULL,
    position integer NOT NULL,
    record json NOT NULL,
    PRIMARY KEY (session_id, id)
);
CREATE UNIQUE INDEX message_position ON message (session_id, position);
CREATE TABLE passage (
    id text COLLATE "C" PRIMARY KEY,
    number bigint NOT NULL UNIQUE REFERENCES item ON DELETE CASCADE,
    session_id text COLLATE "C" NOT NULL REFERENCES session ON DELETE CASCADE,
    position integer NOT NULL,
    part integer NOT NULL,
    created_at timestamptz NOT NULL,
    record json NOT NULL
);
CREATE INDEX passage_session ON passage (session_id, position, part, id);
CREATE INDEX passage_created ON passage (created_at, id);

-- Which items hold a term, a 64-bit hash of its text, how often, and how long the item is.
CREATE TABLE posting (
    term bigint NOT NULL,
    item bigint NOT NULL,
    frequency integer NOT NULL,
    item_length integer NOT NULL
);
CREATE UNIQUE INDEX posting_key ON posting (term, item) INCLUDE (frequency, item_length);
CREATE INDEX posting_item ON posting (item);
-- In how many items a term stands. Counted along, because counting 40 000 postings takes longer than a search may.
CREATE TABLE term (
    term bigint PRIMARY KEY,
    items bigint NOT NULL
) WITH (fillfactor = 70);
CREATE TABLE corpus (
    single boolean PRIMARY KEY DEFAULT true CHECK (single),
    items bigint NOT NULL,
    terms bigint NOT NULL
);
INSERT INTO corpus (items, terms) VALUES (0, 0);

-- Models differ in dimension, so each gets an HNSW index of its own once it has enough vectors (see vectors.py).
CREATE TABLE vector_model (
    number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text COLLATE "C" NOT NULL UNIQUE,
    name text NOT NULL,
    dimension integer NOT NULL,
    pooling text NOT NULL,
    indexed boolean NOT NULL DEFAULT false
);
CREATE TABLE item_vector (
    model integer NOT NULL REFERENCES vector_model ON DELETE CASCADE,
    item bigint NOT NULL REFERENCES item ON DELETE CASCADE,
    embedding halfvec NOT NULL, -- half precision: as the embedded store keeps them, so that copies are exact
    PRIMARY KEY (model, item)
);
CREATE INDEX item_vector_item ON item_vector (item);

CREATE TABLE tag (
    id text COLLATE "C" PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE,
    description text NOT NULL,
    created_at timestamptz NOT NULL
);
-- Follows from the tags of each memory.
CREATE TABLE memory_tag (
    memory_id text COLLATE "C" NOT NULL REFERENCES memory ON DELETE CASCADE,
    tag_id text COLLATE "C" NOT NULL REFERENCES tag,
    PRIMARY KEY (memory_id, tag_id)
);
CREATE INDEX memory_tag_tag ON memory_tag (tag_id, memory_id);
CREATE TABLE cluster (
    id text COLLATE "C" PRIMARY KEY,
    scope text COLLATE "C" NOT NULL,
    record json NOT NULL
);
-- Follows from the members of each cluster.
CREATE TABLE cluster_member (
    memory_id text COLLATE "C" NOT NULL REFERENCES memory ON DELETE CASCADE,
    cluster_id text COLLATE "C" NOT NULL REFERENCES cluster ON DELETE CASCADE,
    PRIMARY KEY (memory_id, cluster_id)
);
CREATE INDEX cluster_member_cluster ON cluster_member (cluster_id, memory_id);
CREATE TABLE edge (
    source text COLLATE "C" NOT NULL REFERENCES memory ON DELETE CASCADE,
    target text COLLATE "C" NOT NULL REFERENCES memory ON DELETE CASCADE,
    kind text COLLATE "C" NOT NULL CHECK (kind IN ('relates_to', 'supersedes', 'contradicts', 'derived_from')),
    weight double precision NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (source, kind, target)
);
CREATE INDEX edge_target ON edge (target, kind, source);

CREATE TABLE journal (
    id text COLLATE "C" PRIMARY KEY,
    at timestamptz NOT NULL,
    actor text NOT NULL,
    reason text NOT NULL,
    cycle text COLLATE "C",
    subject_kind text NOT NULL,
    subject_id text COLLATE "C" NOT NULL,
    before json,
    after json
);
CREATE INDEX journal_subject ON journal (subject_id, id);
CREATE INDEX journal_cycle ON journal (cycle, id) WHERE cycle IS NOT NULL;

-- Ids and dedupe keys of what was purged.
CREATE TABLE tombstone (
    key text COLLATE "C" PRIMARY KEY,
    kind text NOT NULL,
    purged_at timestamptz NOT NULL
);
CREATE TABLE gap (
    id text COLLATE "C" PRIMARY KEY,
    closed boolean NOT NULL,
    record json NOT NULL
);
CREATE TABLE state (
    key text COLLATE "C" PRIMARY KEY,
    value json NOT NULL
);
