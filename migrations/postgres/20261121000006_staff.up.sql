-- Back-office staff and their sign-ins.

CREATE TABLE staff (
    id            bigint      PRIMARY KEY,
    version       bigint      NOT NULL CHECK (version > 0),
    email         text        COLLATE "C" NOT NULL,
    password_hash text        NOT NULL, -- sealed
    role          text        NOT NULL CHECK (role IN ('admin', 'operator', 'viewer', 'dealer')),
    dealer_id     bigint      NOT NULL,
    is_active     boolean     NOT NULL,
    created_at    timestamptz NOT NULL,
    updated_at    timestamptz NOT NULL
);
CREATE UNIQUE INDEX staff_email ON staff (email) WHERE email <> '';

CREATE TABLE sessions (
    id          text        COLLATE "C" PRIMARY KEY,
    version     bigint      NOT NULL CHECK (version > 0),
    fingerprint text        COLLATE "C" NOT NULL,
    staff_id    bigint      NOT NULL,
    addr        text        NOT NULL,
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL,
    revoked_at  timestamptz
);
CREATE UNIQUE INDEX sessions_fingerprint ON sessions (fingerprint) WHERE fingerprint <> '';
