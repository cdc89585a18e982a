-- Who of a dealer's and a provider's staff keeps its settings, and whose provider a request for a second person is.
CREATE TABLE staff_new (
    id            INTEGER PRIMARY KEY,
    version       INTEGER NOT NULL CHECK (version > 0),
    email         TEXT    NOT NULL,
    password_hash TEXT    NOT NULL, -- sealed
    role          TEXT    NOT NULL CHECK (role IN ('admin', 'operator', 'finance', 'support', 'auditor', 'viewer',
                  'dealer', 'dealer_manager', 'provider', 'provider_manager')),
    dealer_id     INTEGER NOT NULL,
    provider_id   INTEGER NOT NULL,
    is_active     INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL
) STRICT;
INSERT INTO staff_new SELECT id, version, email, password_hash, role, dealer_id, provider_id, is_active, created_at, updated_at FROM staff;
DROP TABLE staff;
ALTER TABLE staff_new RENAME TO staff;
CREATE UNIQUE INDEX staff_email ON staff (email) WHERE email <> '';

ALTER TABLE approvals ADD COLUMN provider_id INTEGER NOT NULL DEFAULT 0; -- 0: no provider's
