-- Who works here: sign-in, second factors, passkeys, invitations.

CREATE TABLE staff (
    id            bigint      PRIMARY KEY,
    version       bigint      NOT NULL CHECK (version > 0),
    email         text        COLLATE "C" NOT NULL,
    password_hash text        NOT NULL, -- sealed
    role          text        NOT NULL CHECK (role IN (
        'admin', 'operator', 'finance', 'support', 'auditor', 'viewer', 'dealer', 'provider'
    )),
    dealer_id     bigint      NOT NULL,
    is_active     boolean     NOT NULL,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL,
    provider_id   bigint      NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX staff_email ON staff (email) WHERE email <> '';

CREATE TABLE sessions (
    id           text        COLLATE "C" PRIMARY KEY,
    version      bigint      NOT NULL CHECK (version > 0),
    fingerprint  text        COLLATE "C" NOT NULL,
    staff_id     bigint      NOT NULL,
    addr         text        NOT NULL,
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    revoked_at   timestamptz,
    user_agent   text        NOT NULL DEFAULT '',
    has_factor   boolean     NOT NULL DEFAULT false,
    last_seen_at timestamptz,
    proven_at    timestamptz
);
CREATE UNIQUE INDEX sessions_fingerprint ON sessions (fingerprint) WHERE fingerprint <> '';
CREATE INDEX sessions_staff ON sessions (staff_id, id);
CREATE INDEX sessions_expires ON sessions (expires_at);

-- How a staff member proves who they are, and how their sign-in goes.
CREATE TABLE staff_factors (
    staff_id           bigint      PRIMARY KEY,
    version            bigint      NOT NULL CHECK (version > 0),
    failures           bigint      NOT NULL, -- from places that are not known
    locked_until       timestamptz,
    known_failures     bigint      NOT NULL,
    known_locked_until timestamptz,
    places             text        NOT NULL, -- JSON: addresses, of IPv6 their /64
    totp               text        NOT NULL, -- sealed
    pending_totp       text        NOT NULL, -- sealed
    totp_step          bigint      NOT NULL,
    recovery_codes     text        NOT NULL, -- JSON: fingerprints
    updated_at         timestamptz NOT NULL
);

CREATE TABLE passkeys (
    id            text        COLLATE "C" PRIMARY KEY,
    version       bigint      NOT NULL CHECK (version > 0),
    staff_id      bigint      NOT NULL,
    credential_id text        COLLATE "C" NOT NULL,
    record        text        NOT NULL, -- JSON: public key and counter
    name          text        NOT NULL,
    created_at    timestamptz NOT NULL,
    last_used_at  timestamptz,
    removed_at    timestamptz
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id) WHERE credential_id <> '';
CREATE INDEX passkeys_staff ON passkeys (staff_id, id);

CREATE TABLE sign_in_challenges (
    fingerprint text        COLLATE "C" PRIMARY KEY,
    version     bigint      NOT NULL CHECK (version > 0),
    kind        text        NOT NULL,
    staff_id    bigint      NOT NULL, -- 0: whoever the passkey belongs to
    session_id  text        NOT NULL,
    state       text        NOT NULL, -- sealed
    tries       bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    used_at     timestamptz
);
CREATE INDEX sign_in_challenges_expires ON sign_in_challenges (expires_at);

CREATE TABLE invitations (
    id          text        COLLATE "C" PRIMARY KEY,
    version     bigint      NOT NULL CHECK (version > 0),
    fingerprint text        COLLATE "C" NOT NULL,
    email       text        COLLATE "C" NOT NULL,
    role        text        NOT NULL,
    dealer_id   bigint      NOT NULL,
    provider_id bigint      NOT NULL,
    by_kind     text        NOT NULL,
    by_id       text        NOT NULL,
    by_name     text        NOT NULL,
    by_addr     text        NOT NULL,
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    accepted_at timestamptz,
    revoked_at  timestamptz
);
CREATE UNIQUE INDEX invitations_fingerprint ON invitations (fingerprint) WHERE fingerprint <> '';
CREATE INDEX invitations_email ON invitations (email, id);
