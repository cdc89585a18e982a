-- Jobs over many payments, and what statistics are added up from.

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

-- Statistics of payments by when they were created: a row for each interval that has any (span: hour, day, month, in the
-- service's time zone), for each choice of dimensions that is kept (dims, bits: 1 method, 2 provider, 4 dealer, 8 gateway),
-- and in it for each of their values, status and currency. A dimension that is not chosen is empty or 0. The sums of all
-- choices are the same. decisions and delays are histograms.
CREATE TABLE statistics (
    span        TEXT    NOT NULL,
    dims        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    method      TEXT    NOT NULL,
    provider_id INTEGER NOT NULL,
    dealer_id   INTEGER NOT NULL,
    gateway_id  INTEGER NOT NULL,
    status      TEXT    NOT NULL,
    currency    TEXT    NOT NULL,
    count       INTEGER NOT NULL,
    ended       INTEGER NOT NULL,
    approved    INTEGER NOT NULL,
    requested   INTEGER NOT NULL,
    final       INTEGER NOT NULL,
    decisions   TEXT    NOT NULL,
    delivered   INTEGER NOT NULL,
    failed      INTEGER NOT NULL,
    delays      TEXT    NOT NULL,
    corrected   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (span, dims, at, method, provider_id, dealer_id, gateway_id, status, currency)
) STRICT, WITHOUT ROWID;

-- How far statistics are: one row. Until built_until every day was counted once; what has changed before read_until has
-- been counted again. Hours are kept from hours_from on. Every step raises the version by one, and fails where another
-- process has done so meanwhile.
CREATE TABLE statistics_state (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    version     INTEGER NOT NULL,
    zone        TEXT    NOT NULL,
    built_until INTEGER,
    read_until  INTEGER,
    hours_from  INTEGER
) STRICT;

INSERT INTO statistics_state (id, version, zone) VALUES (1, 1, '');
