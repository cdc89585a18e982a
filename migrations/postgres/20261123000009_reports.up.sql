-- Jobs over many payments, and what statistics are added up from.

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

-- Statistics of payments by when they were created: a row for each interval that has any (span: hour, day, month, in the
-- service's time zone), for each choice of dimensions that is kept (dims, bits: 1 method, 2 provider, 4 dealer, 8 gateway),
-- and in it for each of their values, status and currency. A dimension that is not chosen is empty or 0. The sums of all
-- choices are the same. decisions and delays are histograms.
CREATE TABLE statistics (
    span        text        COLLATE "C" NOT NULL,
    dims        bigint      NOT NULL,
    at          timestamptz NOT NULL,
    method      text        COLLATE "C" NOT NULL,
    provider_id bigint      NOT NULL,
    dealer_id   bigint      NOT NULL,
    gateway_id  bigint      NOT NULL,
    status      text        COLLATE "C" NOT NULL,
    currency    text        COLLATE "C" NOT NULL,
    count       bigint      NOT NULL,
    ended       bigint      NOT NULL,
    approved    bigint      NOT NULL,
    requested   bigint      NOT NULL,
    final       bigint      NOT NULL,
    decisions   text        NOT NULL,
    delivered   bigint      NOT NULL,
    failed      bigint      NOT NULL,
    delays      text        NOT NULL,
    corrected   bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (span, dims, at, method, provider_id, dealer_id, gateway_id, status, currency)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

-- How far statistics are: one row. Until built_until every day was counted once; what has changed before read_until has
-- been counted again. Hours are kept from hours_from on. Every step raises the version by one, and fails where another
-- process has done so meanwhile.
CREATE TABLE statistics_state (
    id          bigint PRIMARY KEY CHECK (id = 1),
    version     bigint NOT NULL,
    zone        text   NOT NULL,
    built_until timestamptz,
    read_until  timestamptz,
    hours_from  timestamptz
);

INSERT INTO statistics_state (id, version, zone) VALUES (1, 1, '');
