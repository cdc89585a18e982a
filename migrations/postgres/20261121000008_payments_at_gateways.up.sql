-- Cards, and payments whose money a gateway moves.

ALTER TABLE payments
    ADD COLUMN details        text   NOT NULL DEFAULT '', -- JSON of what cards and payouts have beyond others, or empty
    ADD COLUMN gateway_id     bigint NOT NULL DEFAULT 0, -- 0: at none
    ADD COLUMN operation_id   text   COLLATE "C" NOT NULL DEFAULT '', -- empty: none is under way
    ADD COLUMN refunded_minor bigint CHECK (refunded_minor >= 0), -- null: nothing was given back
    DROP CONSTRAINT payments_status_check,
    ADD CONSTRAINT payments_status_check CHECK (status IN
        ('showing', 'pending', 'processing', 'completed', 'canceled', 'expired', 'rejected', 'failed', 'success',
         'cancelled', 'refunded'));

-- While a gateway has the payment, its operation keeps the time.
DROP INDEX payments_due;
CREATE INDEX payments_due ON payments (expires_at, id)
    WHERE status IN ('showing', 'pending') AND operation_id = '' AND expires_at IS NOT NULL;
CREATE INDEX payments_gateway ON payments (gateway_id, status, id) WHERE gateway_id <> 0;
