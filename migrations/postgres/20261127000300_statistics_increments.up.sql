-- Statistics add what has changed to what is known, instead of counting an hour again. What a commit changes is written down by
-- triggers, in the same transaction: nothing is found by clocks or by numbers, which become visible in another order than they are given.
-- The worker takes these rows and adds what they mean in one transaction, so that each is counted once.

-- Payments that were created, by the quarter of an hour (counted from 1970) and by what they were then. Rows are only added here and taken
-- away, all of them: an index would cost more than it saves.
CREATE TABLE statistics_created (
    quarter     bigint NOT NULL,
    method      text   COLLATE "C" NOT NULL,
    provider_id bigint NOT NULL,
    site_id     bigint NOT NULL,
    dealer_id   bigint NOT NULL,
    gateway_id  bigint NOT NULL,
    status      text   COLLATE "C" NOT NULL,
    currency    text   COLLATE "C" NOT NULL,
    count       bigint NOT NULL,
    requested   bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

-- What a payment was before a change: as the oldest of its rows says it is counted, and now it is what its own row says. Without a
-- status it is not counted.
CREATE TABLE statistics_payments_before (
    payment_id  text        COLLATE "C" NOT NULL,
    version     bigint      NOT NULL,
    method      text        COLLATE "C" NOT NULL,
    provider_id bigint      NOT NULL,
    site_id     bigint      NOT NULL,
    dealer_id   bigint      NOT NULL,
    gateway_id  bigint      NOT NULL,
    status      text        COLLATE "C" NOT NULL,
    currency    text        COLLATE "C" NOT NULL,
    requested   bigint      NOT NULL,
    amount      bigint      NOT NULL,
    corrected   bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    finished_at timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE INDEX statistics_payments_before_payment ON statistics_payments_before (payment_id);

-- The same of callbacks. An empty state: there was none.
CREATE TABLE statistics_callbacks_before (
    payment_id  text        COLLATE "C" NOT NULL,
    callback_id text        COLLATE "C" NOT NULL,
    version     bigint      NOT NULL,
    state       text        NOT NULL,
    created_at  timestamptz NOT NULL,
    finished_at timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
CREATE INDEX statistics_callbacks_before_payment ON statistics_callbacks_before (payment_id);

CREATE FUNCTION vezne_payments_created() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO statistics_created
    SELECT floor(date_part('epoch', created_at) / 900)::bigint, method, provider_id, site_id, dealer_id, gateway_id, status, currency,
        count(*), COALESCE(sum(requested_minor), 0)::bigint
    FROM created WHERE finished_at IS NULL AND status IN ('showing', 'pending', 'processing')
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
    RETURN NULL;
END
$$;
CREATE TRIGGER payments_created AFTER INSERT ON payments REFERENCING NEW TABLE AS created
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_payments_created();

CREATE FUNCTION vezne_payment_created_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO statistics_payments_before VALUES (NEW.id, 0, NEW.method, NEW.provider_id, NEW.site_id, NEW.dealer_id, NEW.gateway_id, '',
        NEW.currency, 0, 0, 0, NEW.created_at, NULL);
    RETURN NULL;
END
$$;
CREATE TRIGGER payments_created_ended AFTER INSERT ON payments FOR EACH ROW
    WHEN (NEW.finished_at IS NOT NULL OR NEW.status NOT IN ('showing', 'pending', 'processing'))
    EXECUTE FUNCTION vezne_payment_created_ended();

CREATE FUNCTION vezne_payments_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO statistics_payments_before
    SELECT id, version, method, provider_id, site_id, dealer_id, gateway_id, status, currency, COALESCE(requested_minor, 0),
        COALESCE(amount_minor, 0), COALESCE(corrected_minor, 0), created_at, finished_at
    FROM before;
    RETURN NULL;
END
$$;
CREATE TRIGGER payments_changed AFTER UPDATE ON payments REFERENCING OLD TABLE AS before
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_payments_changed();

CREATE FUNCTION vezne_callback_created() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO statistics_callbacks_before VALUES (NEW.payment_id, NEW.id, 0, '', NEW.created_at, NULL);
    RETURN NULL;
END
$$;
CREATE TRIGGER callbacks_created AFTER INSERT ON callbacks FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL)
    EXECUTE FUNCTION vezne_callback_created();

-- Most changes of a callback are leases of workers and further attempts, of which statistics know nothing.
CREATE FUNCTION vezne_callback_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO statistics_callbacks_before
    VALUES (OLD.payment_id, OLD.id, OLD.version, OLD.state, OLD.created_at, OLD.finished_at);
    RETURN NULL;
END
$$;
CREATE TRIGGER callbacks_changed AFTER UPDATE ON callbacks FOR EACH ROW
    WHEN (OLD.state <> NEW.state OR OLD.finished_at IS DISTINCT FROM NEW.finished_at)
    EXECUTE FUNCTION vezne_callback_changed();

-- By it statistics found what had changed.
DROP INDEX callbacks_finished;

-- All payments are counted once more, beside what the triggers write from now on: those that were created before building_from are; null:
-- all are. A process of before does not find the column, and leaves statistics alone.
ALTER TABLE statistics_state RENAME COLUMN built_until TO building_from;
UPDATE statistics_state SET version = version + 1, zone = '', building_from = NULL, read_until = NULL, hours_from = NULL;
