DROP INDEX discrepancies_provider;
ALTER TABLE discrepancies DROP COLUMN provider_id;
DROP TABLE invitations;
DROP TABLE sign_in_challenges;
DROP TABLE passkeys;
DROP TABLE staff_factors;
DROP INDEX sessions_expires;
DROP INDEX sessions_staff;
ALTER TABLE sessions DROP COLUMN proven_at;
ALTER TABLE sessions DROP COLUMN last_seen_at;
ALTER TABLE sessions DROP COLUMN has_factor;
ALTER TABLE sessions DROP COLUMN user_agent;
-- Roles that are not there any more must not see more than before: whoever had one is switched off.
UPDATE staff SET role = 'viewer', is_active = false WHERE role IN ('finance', 'support', 'auditor', 'provider');
ALTER TABLE staff DROP COLUMN provider_id;
ALTER TABLE staff DROP CONSTRAINT staff_role_check;
ALTER TABLE staff ADD CONSTRAINT staff_role_check CHECK (role IN ('admin', 'operator', 'viewer', 'dealer'));
