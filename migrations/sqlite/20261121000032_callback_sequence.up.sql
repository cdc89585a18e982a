-- Callbacks of a payment in order: each has its number, and one that does not hold any more is never sent again. A CHECK
-- can't be altered, so that the table is made anew.

ALTER TABLE callbacks RENAME TO callbacks_before;

CREATE TABLE callbacks (
    id              TEXT    PRIMARY KEY,
    version         INTEGER NOT NULL CHECK (version > 0),
    payment_id      TEXT    NOT NULL,
    sequence        INTEGER NOT NULL DEFAULT 1 CHECK (sequence > 0),
    provider_id     INTEGER NOT NULL,
    site_id         INTEGER NOT NULL,
    dealer_id       INTEGER NOT NULL DEFAULT 0, -- of a dealer's own payment, else 0
    kind            TEXT    NOT NULL,
    receiver        TEXT    NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped', 'superseded')),
    payload         TEXT    NOT NULL, -- JSON
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at INTEGER,
    lease_until     INTEGER,
    created_at      INTEGER NOT NULL,
    finished_at     INTEGER,
    superseded_at   INTEGER, -- since when it is not what the receiver is to believe
    CHECK (state <> 'waiting' OR next_attempt_at IS NOT NULL),
    CONSTRAINT callbacks_superseded
        CHECK ((superseded_at IS NULL OR state <> 'waiting') AND (superseded_at IS NOT NULL OR state <> 'superseded'))
) STRICT;

INSERT INTO callbacks (
    id, version, payment_id, provider_id, site_id, dealer_id, kind, receiver, state, payload, attempts, next_attempt_at,
    lease_until, created_at, finished_at, sequence, superseded_at
) SELECT
    id, version + (state = 'waiting' AND overtaken_at IS NOT NULL), payment_id, provider_id, site_id, dealer_id, kind,
    receiver, CASE WHEN state = 'waiting' AND overtaken_at IS NOT NULL THEN 'superseded' ELSE state END, payload, attempts,
    CASE WHEN state <> 'waiting' THEN next_attempt_at
        WHEN overtaken_at IS NULL THEN max(next_attempt_at, COALESCE(earlier_lease, next_attempt_at)) END,
    lease_until, created_at, CASE WHEN state = 'waiting' THEN overtaken_at ELSE finished_at END, place, overtaken_at
FROM (
    SELECT c.*, row_number() OVER w AS place,
        -- A callback reports no refund: after one, the last one does not hold either.
        COALESCE(lead(c.created_at) OVER w, CASE WHEN p.status = 'refunded' THEN p.updated_at END) AS overtaken_at,
        -- What a worker may still be sending is not overtaken.
        max(c.lease_until) OVER (w ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS earlier_lease
    FROM callbacks_before AS c LEFT JOIN payments AS p ON p.id = c.payment_id
    WINDOW w AS (PARTITION BY c.payment_id ORDER BY c.id)
) AS numbered;

DROP TABLE callbacks_before;

CREATE UNIQUE INDEX callbacks_payment ON callbacks (payment_id, sequence);
CREATE INDEX callbacks_due ON callbacks (receiver, next_attempt_at, id) WHERE state = 'waiting';
CREATE INDEX callbacks_ended ON callbacks (state) WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL;
CREATE INDEX callbacks_finished ON callbacks (finished_at) WHERE finished_at IS NOT NULL;
