-- Links of the audit log's chain are made under a key, and the chain's end is signed.

ALTER TABLE audit_chain ADD COLUMN key_id TEXT NOT NULL DEFAULT ''; -- empty: from before there were keys

-- The signed end of a chain: one row, replaced with each commit that makes the chain longer. It is not a log on purpose:
-- whoever cuts the chain would find the right earlier row in one.
CREATE TABLE audit_checkpoints (
    name      TEXT    PRIMARY KEY,
    version   INTEGER NOT NULL,
    no        INTEGER NOT NULL,
    hash      TEXT    NOT NULL,
    at        INTEGER NOT NULL,
    adoptions TEXT    NOT NULL, -- base/kind/number/seen, separated by commas
    key_id    TEXT    NOT NULL,
    signature TEXT    NOT NULL  -- HMAC-SHA-256 in hexadecimal
) STRICT;
CREATE TRIGGER audit_checkpoints_no_delete BEFORE DELETE ON audit_checkpoints
BEGIN SELECT RAISE(ABORT, 'DELETE of audit_checkpoints: it is only replaced'); END;

-- What the last check of a chain found, for those who only look. It proves nothing: it is not signed.
CREATE TABLE audit_checks (
    name     TEXT    PRIMARY KEY,
    version  INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    no       INTEGER NOT NULL,
    hash     TEXT    NOT NULL,
    key_id   TEXT    NOT NULL,
    problems TEXT    NOT NULL, -- JSON
    failing  TEXT    NOT NULL  -- JSON
) STRICT;
