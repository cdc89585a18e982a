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
UPDATE staff SET role = 'viewer', is_active = 0 WHERE role IN ('finance', 'support', 'auditor', 'provider');
CREATE TABLE staff_old (
    id            INTEGER PRIMARY KEY,
    version       INTEGER NOT NULL CHECK (version > 0),
    email         TEXT    NOT NULL,
    password_hash TEXT    NOT NULL, -- sealed
    role          TEXT    NOT NULL CHECK (role IN ('admin', 'operator', 'viewer', 'dealer')),
    dealer_id     INTEGER NOT NULL,
    is_active     INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;
INSERT INTO staff_old SELECT id, version, email, password_hash, role, dealer_id, is_active, created_at, updated_at FROM staff;
DROP TABLE staff;
ALTER TABLE staff_old RENAME TO staff;
CREATE UNIQUE INDEX staff_email ON staff (email) WHERE email <> '';
