-- The audit log only grows, and its entries are chained: each link's hash covers its entry and the hash before it.

-- Links are written beside the hot path, a moment after their entries.
CREATE TABLE audit_chain (
    no       bigint  PRIMARY KEY CHECK (no > 0),
    entry_id text    COLLATE "C" NOT NULL,
    version  bigint  NOT NULL, -- of the encoding that was hashed
    hash     text    NOT NULL  -- SHA-256 in hexadecimal
);
CREATE UNIQUE INDEX audit_chain_entry ON audit_chain (entry_id);

-- Whoever owns the tables can take these away; then the chain shows what was done.
CREATE FUNCTION vezne_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of %: it only grows', TG_OP, TG_TABLE_NAME USING ERRCODE = 'VZ004';
END
$$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_append_only();
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_append_only();

-- What the log is narrowed to; comparing bytes is much cheaper than comparing words of a language.
ALTER TABLE audit_entries
    ALTER COLUMN by_kind TYPE text COLLATE "C",
    ALTER COLUMN by_id TYPE text COLLATE "C",
    ALTER COLUMN action TYPE text COLLATE "C";
CREATE INDEX audit_entries_actor ON audit_entries (by_kind, by_id, id);
CREATE INDEX audit_entries_others ON audit_entries (by_kind, id) WHERE by_kind <> 'staff'; -- nearly all are by staff
CREATE INDEX audit_entries_action ON audit_entries (action, id);

-- Callbacks that were given up, for those who count them.
CREATE INDEX callbacks_ended ON callbacks (state) WHERE state IN ('failed', 'skipped');
