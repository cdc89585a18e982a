ALTER TABLE callbacks RENAME TO callbacks_after;

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
    dealer_id       INTEGER NOT NULL DEFAULT 0, -- of a dealer's own payment, else 0
    CHECK (state <> 'waiting' OR next_attempt_at IS NOT NULL)
) STRICT;

-- The older schema has no word for what was superseded.
INSERT INTO callbacks (
    id, version, payment_id, provider_id, site_id, dealer_id, kind, receiver, state, payload, attempts, next_attempt_at,
    lease_until, created_at, finished_at
) SELECT
    id, version, payment_id, provider_id, site_id, dealer_id, kind, receiver,
    CASE WHEN state = 'superseded' THEN 'skipped' ELSE state END, payload, attempts, next_attempt_at, lease_until,
    created_at, finished_at
FROM callbacks_after;

DROP TABLE callbacks_after;

CREATE INDEX callbacks_payment ON callbacks (payment_id, id);
CREATE INDEX callbacks_due ON callbacks (receiver, next_attempt_at, id) WHERE state = 'waiting';
CREATE INDEX callbacks_ended ON callbacks (state) WHERE state IN ('failed', 'skipped');
CREATE INDEX callbacks_finished ON callbacks (finished_at) WHERE finished_at IS NOT NULL;
