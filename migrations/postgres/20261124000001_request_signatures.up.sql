-- Request signatures: who has to sign with them, and which nonces were used.

ALTER TABLE providers ADD COLUMN is_signature_required boolean NOT NULL DEFAULT false;
ALTER TABLE dealers ADD COLUMN is_signature_required boolean NOT NULL DEFAULT false;
ALTER TABLE dealers ADD COLUMN is_idempotency_required boolean NOT NULL DEFAULT false;
ALTER TABLE site_tokens ADD COLUMN is_signature_required boolean NOT NULL DEFAULT false;

-- Nonces of signed requests that create something; a nonce belongs to its caller. They are kept for a day.
CREATE TABLE request_nonces (
    caller  text COLLATE "C" NOT NULL,
    nonce   text COLLATE "C" NOT NULL,
    used_at timestamptz NOT NULL,
    PRIMARY KEY (caller, nonce)
) WITH (autovacuum_vacuum_scale_factor = 0.05);
CREATE INDEX request_nonces_used_at ON request_nonces (used_at);
