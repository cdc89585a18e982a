-- Who calls and who is called, and their accounts. Secrets (secret_key and the like) hold sealed text, never plain.

CREATE TABLE providers (
    id                            INTEGER PRIMARY KEY,
    version                       INTEGER NOT NULL CHECK (version > 0),
    name                          TEXT    NOT NULL,
    is_active                     INTEGER NOT NULL,
    api_key                       TEXT    NOT NULL,
    secret_key                    TEXT    NOT NULL,
    previous_secret_key           TEXT    NOT NULL,
    previous_secret_until         INTEGER,
    verification_key              TEXT    NOT NULL,
    webhook_secret                TEXT    NOT NULL,
    ip_whitelist                  TEXT    NOT NULL, -- JSON list of prefixes
    deposit_url                   TEXT    NOT NULL,
    eiban_deposit_url             TEXT    NOT NULL,
    withdrawal_url                TEXT    NOT NULL,
    credit_card_url               TEXT    NOT NULL,
    language                      TEXT    NOT NULL,
    is_credit_card_enabled        INTEGER NOT NULL,
    created_at                    INTEGER NOT NULL,
    updated_at                    INTEGER NOT NULL,
    previous_api_key              TEXT    NOT NULL DEFAULT '',
    previous_api_until            INTEGER,
    previous_api_used_at          INTEGER,
    previous_secret_used_at       INTEGER,
    previous_verification_key     TEXT    NOT NULL DEFAULT '',
    previous_verification_until   INTEGER,
    previous_verification_used_at INTEGER,
    previous_webhook_key          TEXT    NOT NULL DEFAULT '',
    previous_webhook_until        INTEGER,
    previous_webhook_used_at      INTEGER
) STRICT;
CREATE UNIQUE INDEX providers_api_key ON providers (api_key) WHERE api_key <> '';
CREATE UNIQUE INDEX providers_previous_api ON providers (previous_api_key) WHERE previous_api_key <> '';

CREATE TABLE dealers (
    id                      INTEGER PRIMARY KEY,
    version                 INTEGER NOT NULL CHECK (version > 0),
    name                    TEXT    NOT NULL,
    is_active               INTEGER NOT NULL,
    api_key                 TEXT    NOT NULL,
    secret_key              TEXT    NOT NULL,
    ip_whitelist            TEXT    NOT NULL, -- JSON list of prefixes
    is_credit_card_enabled  INTEGER NOT NULL,
    is_eiban_enabled        INTEGER NOT NULL,
    is_manual_iban_enabled  INTEGER NOT NULL,
    deposit_url             TEXT    NOT NULL,
    eiban_deposit_url       TEXT    NOT NULL,
    withdrawal_url          TEXT    NOT NULL,
    credit_card_url         TEXT    NOT NULL,
    created_at              INTEGER NOT NULL,
    updated_at              INTEGER NOT NULL,
    previous_api_key        TEXT    NOT NULL DEFAULT '',
    previous_api_until      INTEGER,
    previous_api_used_at    INTEGER,
    previous_secret_key     TEXT    NOT NULL DEFAULT '',
    previous_secret_until   INTEGER,
    previous_secret_used_at INTEGER,
    hand_credit_max_minor   INTEGER -- null: no cap
) STRICT;
CREATE UNIQUE INDEX dealers_api_key ON dealers (api_key) WHERE api_key <> '';
CREATE UNIQUE INDEX dealers_previous_api ON dealers (previous_api_key) WHERE previous_api_key <> '';

CREATE TABLE sites (
    id                          INTEGER PRIMARY KEY,
    version                     INTEGER NOT NULL CHECK (version > 0),
    provider_id                 INTEGER NOT NULL,
    dealer_id                   INTEGER NOT NULL,
    name                        TEXT    NOT NULL,
    is_active                   INTEGER NOT NULL,
    credential_fingerprint      TEXT    NOT NULL,
    is_iban_strict              INTEGER NOT NULL,
    deposit_url                 TEXT    NOT NULL,
    eiban_deposit_url           TEXT    NOT NULL,
    withdrawal_url              TEXT    NOT NULL,
    credit_card_url             TEXT    NOT NULL,
    created_at                  INTEGER NOT NULL,
    updated_at                  INTEGER NOT NULL,
    previous_credential_key     TEXT    NOT NULL DEFAULT '',
    previous_credential_until   INTEGER,
    previous_credential_used_at INTEGER
) STRICT;
CREATE UNIQUE INDEX sites_credential_fingerprint ON sites (credential_fingerprint) WHERE credential_fingerprint <> '';
CREATE INDEX sites_provider ON sites (provider_id, id);
CREATE UNIQUE INDEX sites_previous_credential ON sites (previous_credential_key) WHERE previous_credential_key <> '';

CREATE TABLE site_tokens (
    id                      INTEGER PRIMARY KEY,
    version                 INTEGER NOT NULL CHECK (version > 0),
    dealer_id               INTEGER NOT NULL,
    name                    TEXT    NOT NULL,
    is_active               INTEGER NOT NULL,
    token                   TEXT    NOT NULL,
    secret_key              TEXT    NOT NULL,
    created_at              INTEGER NOT NULL,
    updated_at              INTEGER NOT NULL,
    previous_token_key      TEXT    NOT NULL DEFAULT '',
    previous_token_until    INTEGER,
    previous_token_used_at  INTEGER,
    previous_secret_key     TEXT    NOT NULL DEFAULT '',
    previous_secret_until   INTEGER,
    previous_secret_used_at INTEGER
) STRICT;
CREATE UNIQUE INDEX site_tokens_token ON site_tokens (token) WHERE token <> '';
CREATE UNIQUE INDEX site_tokens_previous_token ON site_tokens (previous_token_key) WHERE previous_token_key <> '';
CREATE INDEX site_tokens_dealer ON site_tokens (dealer_id, id);

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
CREATE INDEX blocks_created ON blocks (created_at, provider_id, user_id);
CREATE INDEX blocks_provider ON blocks (provider_id, created_at, user_id);

-- Dealers' IBAN accounts and what each day's offers use of their limits.
CREATE TABLE accounts (
    id                INTEGER PRIMARY KEY,
    version           INTEGER NOT NULL CHECK (version > 0),
    dealer_id         INTEGER NOT NULL,
    kind              TEXT    NOT NULL CHECK (kind IN ('manual', 'eiban')),
    bank_name         TEXT    NOT NULL,
    holder            TEXT    NOT NULL,
    iban              TEXT    NOT NULL,
    is_active         INTEGER NOT NULL,
    currency          TEXT    NOT NULL,
    min_minor         INTEGER CHECK (min_minor >= 0),
    max_minor         INTEGER CHECK (max_minor >= 0),
    daily_limit_minor INTEGER CHECK (daily_limit_minor >= 0), -- null: no limit was set
    daily_count       INTEGER NOT NULL CHECK (daily_count >= 0),
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL
) STRICT;
CREATE INDEX accounts_dealer ON accounts (dealer_id, kind, id);

-- One row per account and day, written over and over while the day lasts: room for updates in place.
-- used_minor is in the account's currency. Version 0 exists only within a commit, between making the row and using it.
CREATE TABLE account_loads (
    account_id      INTEGER NOT NULL,
    day             TEXT    NOT NULL,
    used_minor      INTEGER NOT NULL CHECK (used_minor >= 0),
    offer_count     INTEGER NOT NULL CHECK (offer_count >= 0),
    version         INTEGER NOT NULL CHECK (version >= 0),
    last_offered_at INTEGER,
    PRIMARY KEY (account_id, day)
) STRICT;

-- One row for each bank account that is known, and who tells what came in to it: its statement, staff, or a gateway that
-- collects on it, never two of them. holders counts who has it; a row that nobody has is free. What gateways collect on is
-- declared by their configuration, which is sealed: they claim theirs when the service starts.
CREATE TABLE bank_accounts (
    iban    TEXT    PRIMARY KEY, -- normalized
    use     TEXT    NOT NULL CHECK (use IN ('statement', 'manual', 'gateway')),
    holders INTEGER NOT NULL CHECK (holders >= 0)
) STRICT;
