-- Small typed values that rooms keep, each with a version for compare-and-set.
CREATE TABLE document (
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    version bigint NOT NULL CHECK (version > 0),
    owner text COLLATE "C" NOT NULL,
    status text COLLATE "C" NOT NULL,
    due_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    value json NOT NULL,
    PRIMARY KEY (kind, key)
);
CREATE INDEX document_owner ON document (kind, owner, key);
CREATE INDEX document_status ON document (kind, status, key);
CREATE INDEX document_due ON document (kind, due_at, key) WHERE due_at IS NOT NULL;
