-- Who of a dealer's and a provider's staff keeps its settings, and whose provider a request for a second person is.
ALTER TABLE staff DROP CONSTRAINT staff_role_check;
ALTER TABLE staff ADD CONSTRAINT staff_role_check CHECK (role IN (
    'admin', 'operator', 'finance', 'support', 'auditor', 'viewer', 'dealer', 'dealer_manager', 'provider', 'provider_manager'
));

ALTER TABLE approvals ADD COLUMN provider_id bigint NOT NULL DEFAULT 0; -- 0: no provider's
