-- Statistics add what has changed to what is known, instead of counting an hour again. What a commit changes is written down by
-- triggers, in the same transaction. The worker takes these rows and adds what they mean in one transaction, so that each is counted once.

-- Payments that were created, by the quarter of an hour (counted from 1970) and by what they were then.
CREATE TABLE statistics_created (
    quarter     INTEGER NOT NULL,
    method      TEXT    NOT NULL,
    provider_id INTEGER NOT NULL,
    site_id     INTEGER NOT NULL,
    dealer_id   INTEGER NOT NULL,
    gateway_id  INTEGER NOT NULL,
    status      TEXT    NOT NULL,
    currency    TEXT    NOT NULL,
    count       INTEGER NOT NULL,
    requested   INTEGER NOT NULL,
    PRIMARY KEY (quarter, method, provider_id, site_id, dealer_id, gateway_id, status, currency)
) STRICT;

-- What a payment was before a change: as the oldest of its rows says it is counted, and now it is what its own row says. Without a
-- status it is not counted.
CREATE TABLE statistics_payments_before (
    payment_id  TEXT    NOT NULL,
    version     INTEGER NOT NULL,
    method      TEXT    NOT NULL,
    provider_id INTEGER NOT NULL,
    site_id     INTEGER NOT NULL,
    dealer_id   INTEGER NOT NULL,
    gateway_id  INTEGER NOT NULL,
    status      TEXT    NOT NULL,
    currency    TEXT    NOT NULL,
    requested   INTEGER NOT NULL,
    amount      INTEGER NOT NULL,
    corrected   INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    finished_at INTEGER
) STRICT;
CREATE INDEX statistics_payments_before_payment ON statistics_payments_before (payment_id);

-- The same of callbacks. An empty state: there was none.
CREATE TABLE statistics_callbacks_before (
    payment_id  TEXT    NOT NULL,
    callback_id TEXT    NOT NULL,
    version     INTEGER NOT NULL,
    state       TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    finished_at INTEGER
) STRICT;
CREATE INDEX statistics_callbacks_before_payment ON statistics_callbacks_before (payment_id);

CREATE TRIGGER payments_created AFTER INSERT ON payments
WHEN NEW.finished_at IS NULL AND NEW.status IN ('showing', 'pending', 'processing')
BEGIN
    INSERT INTO statistics_created VALUES (NEW.created_at / 900000000, NEW.method, NEW.provider_id, NEW.site_id, NEW.dealer_id,
        NEW.gateway_id, NEW.status, NEW.currency, 1, COALESCE(NEW.requested_minor, 0))
    ON CONFLICT DO UPDATE SET count = count + 1, requested = requested + excluded.requested;
END;
CREATE TRIGGER payments_created_ended AFTER INSERT ON payments
WHEN NEW.finished_at IS NOT NULL OR NEW.status NOT IN ('showing', 'pending', 'processing')
BEGIN
    INSERT INTO statistics_payments_before VALUES (NEW.id, 0, NEW.method, NEW.provider_id, NEW.site_id, NEW.dealer_id, NEW.gateway_id, '',
        NEW.currency, 0, 0, 0, NEW.created_at, NULL);
END;
CREATE TRIGGER payments_changed AFTER UPDATE ON payments
BEGIN
    INSERT INTO statistics_payments_before VALUES (OLD.id, OLD.version, OLD.method, OLD.provider_id, OLD.site_id, OLD.dealer_id,
        OLD.gateway_id, OLD.status, OLD.currency, COALESCE(OLD.requested_minor, 0), COALESCE(OLD.amount_minor, 0),
        COALESCE(OLD.corrected_minor, 0), OLD.created_at, OLD.finished_at);
END;

CREATE TRIGGER callbacks_created AFTER INSERT ON callbacks WHEN NEW.finished_at IS NOT NULL
BEGIN
    INSERT INTO statistics_callbacks_before VALUES (NEW.payment_id, NEW.id, 0, '', NEW.created_at, NULL);
END;
-- Most changes of a callback are leases of workers and further attempts, of which statistics know nothing.
CREATE TRIGGER callbacks_changed AFTER UPDATE ON callbacks
WHEN OLD.state <> NEW.state OR OLD.finished_at IS NOT NEW.finished_at
BEGIN
    INSERT INTO statistics_callbacks_before
    VALUES (OLD.payment_id, OLD.id, OLD.version, OLD.state, OLD.created_at, OLD.finished_at);
END;

-- By it statistics found what had changed.
DROP INDEX callbacks_finished;

-- All payments are counted once more, beside what the triggers write from now on: those that were created before building_from are; null:
-- all are. A process of before does not find the column, and leaves statistics alone.
ALTER TABLE statistics_state RENAME COLUMN built_until TO building_from;
UPDATE statistics_state SET version = version + 1, zone = '', building_from = NULL, read_until = NULL, hours_from = NULL;
