-- Request signatures: who has to sign with them, and which nonces were used.

ALTER TABLE providers ADD COLUMN is_signature_required INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dealers ADD COLUMN is_signature_required INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dealers ADD COLUMN is_idempotency_required INTEGER NOT NULL DEFAULT 0;
ALTER TABLE site_tokens ADD COLUMN is_signature_required INTEGER NOT NULL DEFAULT 0;

-- Nonces of signed requests that create something; a nonce belongs to its caller. They are kept for a day.
CREATE TABLE request_nonces (
    caller  TEXT NOT NULL,
    nonce   TEXT NOT NULL,
    used_at INTEGER NOT NULL,
    PRIMARY KEY (caller, nonce)
) STRICT, WITHOUT ROWID;
CREATE INDEX request_nonces_used_at ON request_nonces (used_at);
