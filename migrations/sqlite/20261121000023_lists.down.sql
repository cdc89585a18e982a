DROP TABLE payment_terms;
DROP INDEX operations_external;
CREATE INDEX operations_external ON operations (gateway_id, external_id, id) WHERE external_id <> '';
DROP INDEX payments_amount;
DROP INDEX payments_updated;
DROP INDEX payments_status;
CREATE INDEX payments_status ON payments (status, id);
