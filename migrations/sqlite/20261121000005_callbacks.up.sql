-- The outbox and its log.

-- Leasing a callback changes no indexed column, so that with room in the page it is an update in place.
CREATE TABLE callbacks (
    id              TEXT    PRIMARY KEY,
    version         INTEGER NOT NULL CHECK (version > 0),
    payment_id      TEXT    NOT NULL,
    provider_id     INTEGER NOT NULL,
    site_id         INTEGER NOT NULL,
    kind            TEXT    NOT NULL,
    receiver        TEXT    NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped')),
    payload         TEXT    NOT NULL, -- JSON
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at INTEGER,
    lease_until     INTEGER,
    created_at      INTEGER NOT NULL,
    finished_at     INTEGER,
    CHECK (state <> 'waiting' OR next_attempt_at IS NOT NULL)
) STRICT;
CREATE INDEX callbacks_payment ON callbacks (payment_id, id);
CREATE INDEX callbacks_due ON callbacks (receiver, next_attempt_at, id) WHERE state = 'waiting';

CREATE TABLE attempts (
    callback_id TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    number      INTEGER NOT NULL CHECK (number > 0),
    at          INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    url         TEXT    NOT NULL,
    http_status INTEGER NOT NULL,
    error       TEXT    NOT NULL,
    answer      TEXT    NOT NULL,
    PRIMARY KEY (callback_id, id)
) STRICT;
