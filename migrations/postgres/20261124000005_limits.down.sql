DROP INDEX payments_open;
ALTER TABLE jobs DROP COLUMN provider_id, DROP COLUMN dealer_id;
