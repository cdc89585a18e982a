DROP INDEX operations_external_payment;
ALTER TABLE operations DROP COLUMN external_payment;
