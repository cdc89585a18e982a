-- What a commit needs beside the rows it writes, and the log of who did what.

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

-- Whoever owns the tables can take these away; then the chain shows what was done.
CREATE FUNCTION vezne_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of %: it only grows', TG_OP, TG_TABLE_NAME USING ERRCODE = 'VZ004';
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
    by_kind      text        COLLATE "C" NOT NULL,
    by_id        text        COLLATE "C" NOT NULL,
    by_name      text        NOT NULL,
    by_addr      text        NOT NULL,
    action       text        COLLATE "C" NOT NULL,
    target       text        COLLATE "C" NOT NULL,
    reason       text        NOT NULL,
    before_state text        NOT NULL,
    after_state  text        NOT NULL
);
CREATE INDEX audit_entries_target ON audit_entries (target, id);
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_append_only();
CREATE INDEX audit_entries_actor ON audit_entries (by_kind, by_id, id);
CREATE INDEX audit_entries_others ON audit_entries (by_kind, id) WHERE by_kind <> 'staff'; -- nearly all are by staff
CREATE INDEX audit_entries_action ON audit_entries (action, id);

-- The audit log only grows, and its entries are chained: each link's hash covers its entry and the hash before it. Links
-- are written beside the hot path, a moment after their entries.
CREATE TABLE audit_chain (
    no       bigint PRIMARY KEY CHECK (no > 0),
    entry_id text   COLLATE "C" NOT NULL,
    version  bigint NOT NULL, -- of the encoding that was hashed
    hash     text   NOT NULL  -- SHA-256 in hexadecimal
);
CREATE UNIQUE INDEX audit_chain_entry ON audit_chain (entry_id);
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_append_only();
