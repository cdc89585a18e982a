-- Who calls and who is called, and their accounts. Secrets (secret_key and the like) hold sealed text, never plain.

CREATE TABLE providers (
    id                            bigint      PRIMARY KEY,
    version                       bigint      NOT NULL CHECK (version > 0),
    name                          text        NOT NULL,
    is_active                     boolean     NOT NULL,
    api_key                       text        COLLATE "C" NOT NULL,
    secret_key                    text        NOT NULL,
    previous_secret_key           text        NOT NULL,
    previous_secret_until         timestamptz,
    verification_key              text        NOT NULL,
    webhook_secret                text        NOT NULL,
    ip_whitelist                  text        NOT NULL, -- JSON list of prefixes
    deposit_url                   text        NOT NULL,
    eiban_deposit_url             text        NOT NULL,
    withdrawal_url                text        NOT NULL,
    credit_card_url               text        NOT NULL,
    language                      text        NOT NULL,
    is_credit_card_enabled        boolean     NOT NULL,
    created_at                    timestamptz NOT NULL,
    updated_at                    timestamptz NOT NULL,
    previous_api_key              text        COLLATE "C" NOT NULL DEFAULT '',
    previous_api_until            timestamptz,
    previous_api_used_at          timestamptz,
    previous_secret_used_at       timestamptz,
    previous_verification_key     text        NOT NULL DEFAULT '',
    previous_verification_until   timestamptz,
    previous_verification_used_at timestamptz,
    previous_webhook_key          text        NOT NULL DEFAULT '',
    previous_webhook_until        timestamptz,
    previous_webhook_used_at      timestamptz
);
CREATE UNIQUE INDEX providers_api_key ON providers (api_key) WHERE api_key <> '';
CREATE UNIQUE INDEX providers_previous_api ON providers (previous_api_key) WHERE previous_api_key <> '';

CREATE TABLE dealers (
    id                      bigint      PRIMARY KEY,
    version                 bigint      NOT NULL CHECK (version > 0),
    name                    text        NOT NULL,
    is_active               boolean     NOT NULL,
    api_key                 text        COLLATE "C" NOT NULL,
    secret_key              text        NOT NULL,
    ip_whitelist            text        NOT NULL, -- JSON list of prefixes
    is_credit_card_enabled  boolean     NOT NULL,
    is_eiban_enabled        boolean     NOT NULL,
    is_manual_iban_enabled  boolean     NOT NULL,
    deposit_url             text        NOT NULL,
    eiban_deposit_url       text        NOT NULL,
    withdrawal_url          text        NOT NULL,
    credit_card_url         text        NOT NULL,
    created_at              timestamptz NOT NULL,
    updated_at              timestamptz NOT NULL,
    previous_api_key        text        COLLATE "C" NOT NULL DEFAULT '',
    previous_api_until      timestamptz,
    previous_api_used_at    timestamptz,
    previous_secret_key     text        NOT NULL DEFAULT '',
    previous_secret_until   timestamptz,
    previous_secret_used_at timestamptz,
    hand_credit_max_minor   bigint -- null: no cap
);
CREATE UNIQUE INDEX dealers_api_key ON dealers (api_key) WHERE api_key <> '';
CREATE UNIQUE INDEX dealers_previous_api ON dealers (previous_api_key) WHERE previous_api_key <> '';

CREATE TABLE sites (
    id                          bigint      PRIMARY KEY,
    version                     bigint      NOT NULL CHECK (version > 0),
    provider_id                 bigint      NOT NULL,
    dealer_id                   bigint      NOT NULL,
    name                        text        NOT NULL,
    is_active                   boolean     NOT NULL,
    credential_fingerprint      text        COLLATE "C" NOT NULL,
    is_iban_strict              boolean     NOT NULL,
    deposit_url                 text        NOT NULL,
    eiban_deposit_url           text        NOT NULL,
    withdrawal_url              text        NOT NULL,
    credit_card_url             text        NOT NULL,
    created_at                  timestamptz NOT NULL,
    updated_at                  timestamptz NOT NULL,
    previous_credential_key     text        COLLATE "C" NOT NULL DEFAULT '',
    previous_credential_until   timestamptz,
    previous_credential_used_at timestamptz
);
CREATE UNIQUE INDEX sites_credential_fingerprint ON sites (credential_fingerprint) WHERE credential_fingerprint <> '';
CREATE INDEX sites_provider ON sites (provider_id, id);
CREATE UNIQUE INDEX sites_previous_credential ON sites (previous_credential_key) WHERE previous_credential_key <> '';

CREATE TABLE site_tokens (
    id                      bigint      PRIMARY KEY,
    version                 bigint      NOT NULL CHECK (version > 0),
    dealer_id               bigint      NOT NULL,
    name                    text        NOT NULL,
    is_active               boolean     NOT NULL,
    token                   text        COLLATE "C" NOT NULL,
    secret_key              text        NOT NULL,
    created_at              timestamptz NOT NULL,
    updated_at              timestamptz NOT NULL,
    previous_token_key      text        COLLATE "C" NOT NULL DEFAULT '',
    previous_token_until    timestamptz,
    previous_token_used_at  timestamptz,
    previous_secret_key     text        NOT NULL DEFAULT '',
    previous_secret_until   timestamptz,
    previous_secret_used_at timestamptz
);
CREATE UNIQUE INDEX site_tokens_token ON site_tokens (token) WHERE token <> '';
CREATE UNIQUE INDEX site_tokens_previous_token ON site_tokens (previous_token_key) WHERE previous_token_key <> '';
CREATE INDEX site_tokens_dealer ON site_tokens (dealer_id, id);

-- Customers who may not create payments.
CREATE TABLE blocks (
    provider_id bigint      NOT NULL,
    user_id     text        COLLATE "C" NOT NULL,
    reason      text        NOT NULL,
    by_kind     text        NOT NULL,
    by_id       text        NOT NULL,
    by_name     text        NOT NULL,
    by_addr     text        NOT NULL,
    created_at  timestamptz NOT NULL,
    PRIMARY KEY (provider_id, user_id)
);
CREATE INDEX blocks_created ON blocks (created_at, provider_id, user_id);
CREATE INDEX blocks_provider ON blocks (provider_id, created_at, user_id);

-- Dealers' IBAN accounts and what each day's offers use of their limits.
CREATE TABLE accounts (
    id                bigint      PRIMARY KEY,
    version           bigint      NOT NULL CHECK (version > 0),
    dealer_id         bigint      NOT NULL,
    kind              text        NOT NULL CHECK (kind IN ('manual', 'eiban')),
    bank_name         text        NOT NULL,
    holder            text        NOT NULL,
    iban              text        NOT NULL,
    is_active         boolean     NOT NULL,
    currency          text        NOT NULL,
    min_minor         bigint      CHECK (min_minor >= 0),
    max_minor         bigint      CHECK (max_minor >= 0),
    daily_limit_minor bigint      CHECK (daily_limit_minor >= 0), -- null: no limit was set
    daily_count       bigint      NOT NULL CHECK (daily_count >= 0),
    created_at        timestamptz NOT NULL,
    updated_at        timestamptz NOT NULL
);
CREATE INDEX accounts_dealer ON accounts (dealer_id, kind, id);

-- One row per account and day, written over and over while the day lasts: room for updates in place.
-- used_minor is in the account's currency. Version 0 exists only within a commit, between making the row and using it.
CREATE TABLE account_loads (
    account_id      bigint NOT NULL,
    day             text   COLLATE "C" NOT NULL,
    used_minor      bigint NOT NULL CHECK (used_minor >= 0),
    offer_count     bigint NOT NULL CHECK (offer_count >= 0),
    version         bigint NOT NULL CHECK (version >= 0),
    last_offered_at timestamptz,
    PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- One row for each bank account that is known, and who tells what came in to it: its statement, staff, or a gateway that
-- collects on it, never two of them. holders counts who has it; a row that nobody has is free. What gateways collect on is
-- declared by their configuration, which is sealed: they claim theirs when the service starts.
CREATE TABLE bank_accounts (
    iban    text   COLLATE "C" PRIMARY KEY, -- normalized
    use     text   NOT NULL CHECK (use IN ('statement', 'manual', 'gateway')),
    holders bigint NOT NULL CHECK (holders >= 0)
);
