-- What a commit needs beside the rows it writes, and the log of who did what.

-- First answers of creating calls; a key belongs to its caller and endpoint.
CREATE TABLE idempotency_records (
    caller          TEXT    NOT NULL,
    endpoint        TEXT    NOT NULL,
    idempotency_key TEXT    NOT NULL,
    request_hash    TEXT    NOT NULL,
    status          INTEGER NOT NULL,
    body            BLOB    NOT NULL,
    created_at      INTEGER NOT NULL,
    replaces_before INTEGER,
    PRIMARY KEY (caller, endpoint, idempotency_key)
) STRICT;
CREATE INDEX idempotency_records_created_at ON idempotency_records (created_at);

-- Integer ids of owners, accounts and staff: a row each, so that both databases count alike.
CREATE TABLE sequences (
    name  TEXT    PRIMARY KEY,
    value INTEGER NOT NULL CHECK (value > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_entries (
    id           TEXT    PRIMARY KEY,
    at           INTEGER NOT NULL,
    by_kind      TEXT    NOT NULL,
    by_id        TEXT    NOT NULL,
    by_name      TEXT    NOT NULL,
    by_addr      TEXT    NOT NULL,
    action       TEXT    NOT NULL,
    target       TEXT    NOT NULL,
    reason       TEXT    NOT NULL,
    before_state TEXT    NOT NULL,
    after_state  TEXT    NOT NULL
) STRICT;
CREATE INDEX audit_entries_target ON audit_entries (target, id);
-- Whoever may write to the file can take these away; then the chain shows what was done. INSERT OR REPLACE deletes
-- without telling a trigger on deletions, so that inserting what is there is refused before it.
CREATE TRIGGER audit_entries_no_update BEFORE UPDATE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'UPDATE of audit_entries: it only grows'); END;
CREATE TRIGGER audit_entries_no_delete BEFORE DELETE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'DELETE of audit_entries: it only grows'); END;
CREATE TRIGGER audit_entries_no_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE id = NEW.id)
BEGIN SELECT RAISE(ABORT, 'taken: audit_entries'); END;
CREATE INDEX audit_entries_actor ON audit_entries (by_kind, by_id, id);
CREATE INDEX audit_entries_others ON audit_entries (by_kind, id) WHERE by_kind <> 'staff'; -- nearly all are by staff
CREATE INDEX audit_entries_action ON audit_entries (action, id);

-- The audit log only grows, and its entries are chained: each link's hash covers its entry and the hash before it. Links
-- are written beside the hot path, a moment after their entries.
CREATE TABLE audit_chain (
    no       INTEGER PRIMARY KEY CHECK (no > 0),
    entry_id TEXT    NOT NULL,
    version  INTEGER NOT NULL, -- of the encoding that was hashed
    hash     TEXT    NOT NULL  -- SHA-256 in hexadecimal
) STRICT;
CREATE UNIQUE INDEX audit_chain_entry ON audit_chain (entry_id);
CREATE TRIGGER audit_chain_no_update BEFORE UPDATE ON audit_chain
BEGIN SELECT RAISE(ABORT, 'UPDATE of audit_chain: it only grows'); END;
CREATE TRIGGER audit_chain_no_delete BEFORE DELETE ON audit_chain
BEGIN SELECT RAISE(ABORT, 'DELETE of audit_chain: it only grows'); END;
CREATE TRIGGER audit_chain_no_replace BEFORE INSERT ON audit_chain
WHEN EXISTS (SELECT 1 FROM audit_chain WHERE no = NEW.no OR entry_id = NEW.entry_id)
BEGIN SELECT RAISE(ABORT, 'taken: audit_chain'); END;
