-- Tokens are found by their fingerprints: payments keep nothing else of theirs, and those of notification and return addresses
-- are sealed. First answers and exports' files are sealed, too. No statement can seal what is there in plain.
DO $$ BEGIN
    IF EXISTS (SELECT 1 FROM payments WHERE token <> '') OR EXISTS (SELECT 1 FROM gateway_accounts WHERE hook_token <> '')
        OR EXISTS (SELECT 1 FROM operations WHERE return_token <> '') OR EXISTS (SELECT 1 FROM idempotency_records)
        OR EXISTS (SELECT 1 FROM job_chunks) THEN
        RAISE EXCEPTION 'the database has tokens in plain, of a Vezne from before the first release: start with an empty database';
    END IF;
END $$;

ALTER TABLE payments RENAME COLUMN token TO token_fingerprint;
ALTER TABLE operations RENAME COLUMN return_token TO return_fingerprint;

ALTER TABLE gateway_accounts ADD COLUMN hook_fingerprint text COLLATE "C" NOT NULL DEFAULT '';
DROP INDEX gateway_accounts_hook_token;
CREATE UNIQUE INDEX gateway_accounts_hook_fingerprint ON gateway_accounts (hook_fingerprint) WHERE hook_fingerprint <> '';

ALTER TABLE idempotency_records DROP COLUMN body;
ALTER TABLE idempotency_records ADD COLUMN body text COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE job_chunks DROP COLUMN bytes;
ALTER TABLE job_chunks ADD COLUMN content text COLLATE "C" NOT NULL DEFAULT '';
