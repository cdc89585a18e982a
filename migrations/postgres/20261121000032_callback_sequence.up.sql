-- Callbacks of a payment in order: each has its number, and one that does not hold any more is never sent again.

ALTER TABLE callbacks ADD COLUMN sequence bigint NOT NULL DEFAULT 1 CHECK (sequence > 0);
ALTER TABLE callbacks ADD COLUMN superseded_at timestamptz; -- since when it is not what the receiver is to believe
ALTER TABLE callbacks DROP CONSTRAINT callbacks_state_check;
ALTER TABLE callbacks ADD CONSTRAINT callbacks_state_check
    CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped', 'superseded'));

-- Of most payments there is one callback, which is the first: those rows stay as they are.
UPDATE callbacks AS c SET sequence = n.sequence, superseded_at = n.superseded_at
FROM (
    SELECT id, row_number() OVER w AS sequence, lead(created_at) OVER w AS superseded_at
    FROM callbacks WINDOW w AS (PARTITION BY payment_id ORDER BY id)
) AS n
WHERE c.id = n.id AND (n.sequence > 1 OR n.superseded_at IS NOT NULL);

-- A callback reports no refund: after one, the last one does not hold either.
UPDATE callbacks SET superseded_at = p.updated_at
FROM payments AS p WHERE p.id = callbacks.payment_id AND p.status = 'refunded' AND callbacks.superseded_at IS NULL;

-- What a worker may still be sending is not overtaken.
UPDATE callbacks AS c SET next_attempt_at = o.lease_until
FROM (SELECT payment_id, max(lease_until) AS lease_until FROM callbacks WHERE superseded_at IS NOT NULL GROUP BY payment_id) AS o
WHERE o.payment_id = c.payment_id AND c.state = 'waiting' AND c.superseded_at IS NULL AND o.lease_until > c.next_attempt_at;

UPDATE callbacks SET state = 'superseded', next_attempt_at = NULL, finished_at = superseded_at, version = version + 1
WHERE state = 'waiting' AND superseded_at IS NOT NULL;

ALTER TABLE callbacks ADD CONSTRAINT callbacks_superseded
    CHECK ((superseded_at IS NULL OR state <> 'waiting') AND (superseded_at IS NOT NULL OR state <> 'superseded'));

DROP INDEX callbacks_payment;
CREATE UNIQUE INDEX callbacks_payment ON callbacks (payment_id, sequence);
DROP INDEX callbacks_ended;
CREATE INDEX callbacks_ended ON callbacks (state) WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL;
