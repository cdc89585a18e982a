-- The outbox and its log.

-- Leasing a callback changes no indexed column, so that with room in the page it is an update in place.
CREATE TABLE callbacks (
    id              text        COLLATE "C" PRIMARY KEY,
    version         bigint      NOT NULL CHECK (version > 0),
    payment_id      text        COLLATE "C" NOT NULL,
    provider_id     bigint      NOT NULL,
    site_id         bigint      NOT NULL,
    kind            text        NOT NULL,
    receiver        text        COLLATE "C" NOT NULL,
    state           text        NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped')),
    payload         text        NOT NULL, -- JSON
    attempts        bigint      NOT NULL CHECK (attempts >= 0),
    next_attempt_at timestamptz,
    lease_until     timestamptz,
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    CHECK (state <> 'waiting' OR next_attempt_at IS NOT NULL)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX callbacks_payment ON callbacks (payment_id, id);
CREATE INDEX callbacks_due ON callbacks (receiver, next_attempt_at, id) WHERE state = 'waiting';

CREATE TABLE attempts (
    callback_id text        COLLATE "C" NOT NULL,
    id          text        COLLATE "C" NOT NULL,
    number      bigint      NOT NULL CHECK (number > 0),
    at          timestamptz NOT NULL,
    duration_ns bigint      NOT NULL,
    url         text        NOT NULL,
    http_status bigint      NOT NULL,
    error       text        NOT NULL,
    answer      text        NOT NULL,
    PRIMARY KEY (callback_id, id)
);
