ALTER TABLE approvals DROP COLUMN provider_id;

-- Managers become what they were before there were any.
CREATE TABLE staff_old (
    id            INTEGER PRIMARY KEY,
    version       INTEGER NOT NULL CHECK (version > 0),
    email         TEXT    NOT NULL,
    password_hash TEXT    NOT NULL, -- sealed
    role          TEXT    NOT NULL CHECK (role IN
                  ('admin', 'operator', 'finance', 'support', 'auditor', 'viewer', 'dealer', 'provider')),
    dealer_id     INTEGER NOT NULL,
    provider_id   INTEGER NOT NULL,
    is_active     INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;
INSERT INTO staff_old SELECT id, version, email, password_hash, replace(role, '_manager', ''), dealer_id, provider_id, is_active,
    created_at, updated_at FROM staff;
DROP TABLE staff;
ALTER TABLE staff_old RENAME TO staff;
CREATE UNIQUE INDEX staff_email ON staff (email) WHERE email <> '';
UPDATE invitations SET role = replace(role, '_manager', '');
