ALTER TABLE approvals DROP COLUMN provider_id;

-- Managers become what they were before there were any.
UPDATE staff SET role = replace(role, '_manager', '');
UPDATE invitations SET role = replace(role, '_manager', '');
ALTER TABLE staff DROP CONSTRAINT staff_role_check;
ALTER TABLE staff ADD CONSTRAINT staff_role_check CHECK (role IN (
    'admin', 'operator', 'finance', 'support', 'auditor', 'viewer', 'dealer', 'provider'
));
