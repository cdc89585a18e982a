DROP INDEX payments_open;
ALTER TABLE jobs DROP COLUMN provider_id;
ALTER TABLE jobs DROP COLUMN dealer_id;
