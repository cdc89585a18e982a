-- Who works here: sign-in, second factors, passkeys, invitations.

CREATE TABLE staff (
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
CREATE UNIQUE INDEX staff_email ON staff (email) WHERE email <> '';

CREATE TABLE sessions (
    id           TEXT    PRIMARY KEY,
    version      INTEGER NOT NULL CHECK (version > 0),
    fingerprint  TEXT    NOT NULL,
    staff_id     INTEGER NOT NULL,
    addr         TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    revoked_at   INTEGER,
    user_agent   TEXT    NOT NULL DEFAULT '',
    has_factor   INTEGER NOT NULL DEFAULT 0,
    last_seen_at INTEGER,
    proven_at    INTEGER
) STRICT;
CREATE UNIQUE INDEX sessions_fingerprint ON sessions (fingerprint) WHERE fingerprint <> '';
CREATE INDEX sessions_staff ON sessions (staff_id, id);
CREATE INDEX sessions_expires ON sessions (expires_at);

-- How a staff member proves who they are, and how their sign-in goes.
CREATE TABLE staff_factors (
    staff_id           INTEGER PRIMARY KEY,
    version            INTEGER NOT NULL CHECK (version > 0),
    failures           INTEGER NOT NULL, -- from places that are not known
    locked_until       INTEGER,
    known_failures     INTEGER NOT NULL,
    known_locked_until INTEGER,
    places             TEXT    NOT NULL, -- JSON: addresses, of IPv6 their /64
    totp               TEXT    NOT NULL, -- sealed
    pending_totp       TEXT    NOT NULL, -- sealed
    totp_step          INTEGER NOT NULL,
    recovery_codes     TEXT    NOT NULL, -- JSON: fingerprints
    updated_at         INTEGER NOT NULL
) STRICT;

CREATE TABLE passkeys (
    id            TEXT    PRIMARY KEY,
    version       INTEGER NOT NULL CHECK (version > 0),
    staff_id      INTEGER NOT NULL,
    credential_id TEXT    NOT NULL,
    record        TEXT    NOT NULL, -- JSON: public key and counter
    name          TEXT    NOT NULL,
    created_at    INTEGER NOT NULL,
    last_used_at  INTEGER,
    removed_at    INTEGER
) STRICT;
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id) WHERE credential_id <> '';
CREATE INDEX passkeys_staff ON passkeys (staff_id, id);

CREATE TABLE sign_in_challenges (
    fingerprint TEXT    PRIMARY KEY,
    version     INTEGER NOT NULL CHECK (version > 0),
    kind        TEXT    NOT NULL,
    staff_id    INTEGER NOT NULL, -- 0: whoever the passkey belongs to
    session_id  TEXT    NOT NULL,
    state       TEXT    NOT NULL, -- sealed
    tries       INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    used_at     INTEGER
) STRICT;
CREATE INDEX sign_in_challenges_expires ON sign_in_challenges (expires_at);

CREATE TABLE invitations (
    id          TEXT    PRIMARY KEY,
    version     INTEGER NOT NULL CHECK (version > 0),
    fingerprint TEXT    NOT NULL,
    email       TEXT    NOT NULL,
    role        TEXT    NOT NULL,
    dealer_id   INTEGER NOT NULL,
    provider_id INTEGER NOT NULL,
    by_kind     TEXT    NOT NULL,
    by_id       TEXT    NOT NULL,
    by_name     TEXT    NOT NULL,
    by_addr     TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER NOT NULL,
    accepted_at INTEGER,
    revoked_at  INTEGER
) STRICT;
CREATE UNIQUE INDEX invitations_fingerprint ON invitations (fingerprint) WHERE fingerprint <> '';
CREATE INDEX invitations_email ON invitations (email, id);
