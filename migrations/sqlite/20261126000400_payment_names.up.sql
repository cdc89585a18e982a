-- The gateway's own id of the payment, where the main one is another's, such as a form's token: some notifications name nothing else.
ALTER TABLE operations ADD COLUMN external_payment TEXT NOT NULL DEFAULT '';
CREATE INDEX operations_external_payment ON operations (external_payment, gateway_id, id) WHERE external_payment <> '';
