-- Links of the audit log's chain are made under a key, and the chain's end is signed.

ALTER TABLE audit_chain ADD COLUMN key_id text COLLATE "C" NOT NULL DEFAULT ''; -- empty: from before there were keys

-- The signed end of a chain: one row, replaced with each commit that makes the chain longer. It is not a log on purpose:
-- whoever cuts the chain would find the right earlier row in one.
CREATE TABLE audit_checkpoints (
    name      text        COLLATE "C" PRIMARY KEY,
    version   bigint      NOT NULL,
    no        bigint      NOT NULL,
    hash      text        NOT NULL,
    at        timestamptz NOT NULL,
    adoptions text        NOT NULL, -- base/kind/number/seen, separated by commas
    key_id    text        NOT NULL,
    signature text        NOT NULL  -- HMAC-SHA-256 in hexadecimal
);
CREATE TRIGGER audit_checkpoints_no_delete BEFORE DELETE OR TRUNCATE ON audit_checkpoints
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_append_only();

-- What the last check of a chain found, for those who only look. It proves nothing: it is not signed.
CREATE TABLE audit_checks (
    name     text        COLLATE "C" PRIMARY KEY,
    version  bigint      NOT NULL,
    at       timestamptz NOT NULL,
    no       bigint      NOT NULL,
    hash     text        NOT NULL,
    key_id   text        NOT NULL,
    problems text        NOT NULL, -- JSON
    failing  text        NOT NULL  -- JSON
);
