-- Who calls and who is called. Secrets (secret_key and the like) hold sealed text, never plain.

CREATE TABLE providers (
    id                     INTEGER PRIMARY KEY,
    version                INTEGER NOT NULL CHECK (version > 0),
    name                   TEXT    NOT NULL,
    is_active              INTEGER NOT NULL,
    api_key                TEXT    NOT NULL,
    secret_key             TEXT    NOT NULL,
    previous_secret_key    TEXT    NOT NULL,
    previous_secret_until  INTEGER,
    verification_key       TEXT    NOT NULL,
    webhook_secret         TEXT    NOT NULL,
    ip_whitelist           TEXT    NOT NULL, -- JSON list of prefixes
    deposit_url            TEXT    NOT NULL,
    eiban_deposit_url      TEXT    NOT NULL,
    withdrawal_url         TEXT    NOT NULL,
    credit_card_url        TEXT    NOT NULL,
    language               TEXT    NOT NULL,
    is_credit_card_enabled INTEGER NOT NULL,
    created_at             INTEGER NOT NULL,
    updated_at             INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX providers_api_key ON providers (api_key) WHERE api_key <> '';

CREATE TABLE dealers (
    id                     INTEGER PRIMARY KEY,
    version                INTEGER NOT NULL CHECK (version > 0),
    name                   TEXT    NOT NULL,
    is_active              INTEGER NOT NULL,
    api_key                TEXT    NOT NULL,
    secret_key             TEXT    NOT NULL,
    ip_whitelist           TEXT    NOT NULL, -- JSON list of prefixes
    is_credit_card_enabled INTEGER NOT NULL,
    is_eiban_enabled       INTEGER NOT NULL,
    is_manual_iban_enabled INTEGER NOT NULL,
    deposit_url            TEXT    NOT NULL,
    eiban_deposit_url      TEXT    NOT NULL,
    withdrawal_url         TEXT    NOT NULL,
    credit_card_url        TEXT    NOT NULL,
    created_at             INTEGER NOT NULL,
    updated_at             INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX dealers_api_key ON dealers (api_key) WHERE api_key <> '';

CREATE TABLE sites (
    id                     INTEGER PRIMARY KEY,
    version                INTEGER NOT NULL CHECK (version > 0),
    provider_id            INTEGER NOT NULL,
    dealer_id              INTEGER NOT NULL,
    name                   TEXT    NOT NULL,
    is_active              INTEGER NOT NULL,
    credential_fingerprint TEXT    NOT NULL,
    is_iban_strict         INTEGER NOT NULL,
    deposit_url            TEXT    NOT NULL,
    eiban_deposit_url      TEXT    NOT NULL,
    withdrawal_url         TEXT    NOT NULL,
    credit_card_url        TEXT    NOT NULL,
    created_at             INTEGER NOT NULL,
    updated_at             INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX sites_credential_fingerprint ON sites (credential_fingerprint) WHERE credential_fingerprint <> '';
CREATE INDEX sites_provider ON sites (provider_id, id);

CREATE TABLE site_tokens (
    id         INTEGER PRIMARY KEY,
    version    INTEGER NOT NULL CHECK (version > 0),
    dealer_id  INTEGER NOT NULL,
    name       TEXT    NOT NULL,
    is_active  INTEGER NOT NULL,
    token      TEXT    NOT NULL,
    secret_key TEXT    NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX site_tokens_token ON site_tokens (token) WHERE token <> '';

-- Customers who may not create payments.
CREATE TABLE blocks (
    provider_id INTEGER NOT NULL,
    user_id     TEXT    NOT NULL,
    reason      TEXT    NOT NULL,
    by_kind     TEXT    NOT NULL,
    by_id       TEXT    NOT NULL,
    by_name     TEXT    NOT NULL,
    by_addr     TEXT    NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (provider_id, user_id)
) STRICT;
