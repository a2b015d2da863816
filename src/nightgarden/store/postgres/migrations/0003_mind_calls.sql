-- Calls of language models: who was asked, for what, and what it took. Nothing of what was said.
CREATE TABLE mind_call (
    id text COLLATE "C" PRIMARY KEY,
    at timestamptz NOT NULL,
    budget text COLLATE "C" NOT NULL,
    charged_tokens bigint NOT NULL, -- what counts against the caps
    charged_usd double precision NOT NULL,
    record json NOT NULL
);
CREATE INDEX mind_call_day ON mind_call (budget, at);
CREATE INDEX mind_call_time ON mind_call (at, id);
