DROP TABLE request_nonces;

ALTER TABLE site_tokens DROP COLUMN is_signature_required;
ALTER TABLE dealers DROP COLUMN is_idempotency_required;
ALTER TABLE dealers DROP COLUMN is_signature_required;
ALTER TABLE providers DROP COLUMN is_signature_required;
