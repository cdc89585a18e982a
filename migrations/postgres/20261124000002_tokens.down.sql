-- Nothing leads from a fingerprint back to its token, and what is sealed can't be opened here: pages, addresses of return,
-- first answers and files are gone.
DELETE FROM job_chunks;
ALTER TABLE job_chunks DROP COLUMN content;
ALTER TABLE job_chunks ADD COLUMN bytes bytea NOT NULL DEFAULT '';

DELETE FROM idempotency_records;
ALTER TABLE idempotency_records DROP COLUMN body;
ALTER TABLE idempotency_records ADD COLUMN body bytea NOT NULL DEFAULT '';

DROP INDEX gateway_accounts_hook_fingerprint;
ALTER TABLE gateway_accounts DROP COLUMN hook_fingerprint;
UPDATE gateway_accounts SET hook_token = '';
CREATE UNIQUE INDEX gateway_accounts_hook_token ON gateway_accounts (hook_token) WHERE hook_token <> '';

UPDATE operations SET return_fingerprint = '' WHERE return_fingerprint <> '';
ALTER TABLE operations RENAME COLUMN return_fingerprint TO return_token;
UPDATE payments SET token_fingerprint = '' WHERE token_fingerprint <> '';
ALTER TABLE payments RENAME COLUMN token_fingerprint TO token;
