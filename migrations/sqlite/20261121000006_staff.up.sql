-- Back-office staff and their sign-ins.

CREATE TABLE staff (
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
CREATE UNIQUE INDEX staff_email ON staff (email) WHERE email <> '';

CREATE TABLE sessions (
    id          TEXT    PRIMARY KEY,
    version     INTEGER NOT NULL CHECK (version > 0),
    fingerprint TEXT    NOT NULL,
    staff_id    INTEGER NOT NULL,
    addr        TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    revoked_at  INTEGER
) STRICT;
CREATE UNIQUE INDEX sessions_fingerprint ON sessions (fingerprint) WHERE fingerprint <> '';
