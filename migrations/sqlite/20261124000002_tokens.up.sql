-- Tokens are found by their fingerprints: payments keep nothing else of theirs, and those of notification and return addresses
-- are sealed. First answers and exports' files are sealed, too. No statement can seal what is there in plain.
CREATE TABLE plain_tokens (none INTEGER) STRICT;
CREATE TRIGGER plain_tokens_refused BEFORE INSERT ON plain_tokens
WHEN EXISTS (SELECT 1 FROM payments WHERE token <> '') OR EXISTS (SELECT 1 FROM gateway_accounts WHERE hook_token <> '')
    OR EXISTS (SELECT 1 FROM operations WHERE return_token <> '') OR EXISTS (SELECT 1 FROM idempotency_records)
    OR EXISTS (SELECT 1 FROM job_chunks)
BEGIN SELECT RAISE(ABORT, 'the database has tokens in plain, of a Vezne from before the first release: start with an empty database'); END;
INSERT INTO plain_tokens VALUES (0);
DROP TABLE plain_tokens;

ALTER TABLE payments RENAME COLUMN token TO token_fingerprint;
ALTER TABLE operations RENAME COLUMN return_token TO return_fingerprint;

ALTER TABLE gateway_accounts ADD COLUMN hook_fingerprint TEXT NOT NULL DEFAULT '';
DROP INDEX gateway_accounts_hook_token;
CREATE UNIQUE INDEX gateway_accounts_hook_fingerprint ON gateway_accounts (hook_fingerprint) WHERE hook_fingerprint <> '';

ALTER TABLE idempotency_records DROP COLUMN body;
ALTER TABLE idempotency_records ADD COLUMN body TEXT NOT NULL DEFAULT '';

ALTER TABLE job_chunks DROP COLUMN bytes;
ALTER TABLE job_chunks ADD COLUMN content TEXT NOT NULL DEFAULT '';
