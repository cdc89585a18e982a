-- Work on many rows that a server does for staff, step by step, and the files that exports write.

CREATE TABLE jobs (
    id          text        COLLATE "C" PRIMARY KEY,
    version     bigint      NOT NULL CHECK (version > 0),
    kind        text        NOT NULL,
    state       text        NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'canceled')),
    staff_id    bigint      NOT NULL, -- who made it
    tries       bigint      NOT NULL,
    next_at     timestamptz, -- null: it is over
    lease_until timestamptz,
    created_at  timestamptz NOT NULL,
    started_at  timestamptz,
    finished_at timestamptz,
    body        text        NOT NULL -- JSON: what is to be done, and how far it is
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX jobs_due ON jobs (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX jobs_staff ON jobs (staff_id, id);

CREATE TABLE job_chunks (
    job_id text   COLLATE "C" NOT NULL,
    number bigint NOT NULL CHECK (number > 0),
    bytes  bytea  NOT NULL,
    PRIMARY KEY (job_id, number)
);
