-- What a commit needs beside the rows it writes.

-- vezne_expect ends the transaction when a statement of a commit did not meet what its decision had seen. Raising here,
-- inside the database, is what lets a whole commit travel as one message. The states are this service's own:
-- VZ001 lost race, VZ002 duplicate idempotency key, VZ003 blocked customer.
CREATE FUNCTION vezne_expect(got bigint, wanted bigint, state text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF got <> wanted THEN
        RAISE EXCEPTION '% of % rows', got, wanted USING ERRCODE = state;
    END IF;
END
$$;

-- First answers of creating calls; a key belongs to its caller and endpoint.
CREATE TABLE idempotency_records (
    caller          text        COLLATE "C" NOT NULL,
    endpoint        text        COLLATE "C" NOT NULL,
    idempotency_key text        COLLATE "C" NOT NULL,
    request_hash    text        NOT NULL,
    status          bigint      NOT NULL,
    body            bytea       NOT NULL,
    created_at      timestamptz NOT NULL,
    replaces_before timestamptz,
    PRIMARY KEY (caller, endpoint, idempotency_key)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX idempotency_records_created_at ON idempotency_records (created_at);

-- Integer ids of owners, accounts and staff: a row each, so that both databases count alike.
CREATE TABLE sequences (
    name  text   PRIMARY KEY,
    value bigint NOT NULL CHECK (value > 0)
);

CREATE TABLE audit_entries (
    id           text        COLLATE "C" PRIMARY KEY,
    at           timestamptz NOT NULL,
    by_kind      text        NOT NULL,
    by_id        text        NOT NULL,
    by_name      text        NOT NULL,
    by_addr      text        NOT NULL,
    action       text        NOT NULL,
    target       text        COLLATE "C" NOT NULL,
    reason       text        NOT NULL,
    before_state text        NOT NULL,
    after_state  text        NOT NULL
);
CREATE INDEX audit_entries_target ON audit_entries (target, id);
