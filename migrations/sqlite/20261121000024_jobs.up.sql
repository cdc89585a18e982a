-- Work on many rows that a server does for staff, step by step, and the files that exports write.

CREATE TABLE jobs (
    id          TEXT    PRIMARY KEY,
    version     INTEGER NOT NULL CHECK (version > 0),
    kind        TEXT    NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'canceled')),
    staff_id    INTEGER NOT NULL, -- who made it
    tries       INTEGER NOT NULL,
    next_at     INTEGER, -- null: it is over
    lease_until INTEGER,
    created_at  INTEGER NOT NULL,
    started_at  INTEGER,
    finished_at INTEGER,
    body        TEXT    NOT NULL -- JSON: what is to be done, and how far it is
) STRICT;
CREATE INDEX jobs_due ON jobs (next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX jobs_staff ON jobs (staff_id, id);

CREATE TABLE job_chunks (
    job_id TEXT    NOT NULL,
    number INTEGER NOT NULL CHECK (number > 0),
    bytes  BLOB    NOT NULL,
    PRIMARY KEY (job_id, number)
) STRICT;
