-- Who calls and who is called. Secrets (secret_key and the like) hold sealed text, never plain.

CREATE TABLE providers (
    id                     bigint      PRIMARY KEY,
    version                bigint      NOT NULL CHECK (version > 0),
    name                   text        NOT NULL,
    is_active              boolean     NOT NULL,
    api_key                text        COLLATE "C" NOT NULL,
    secret_key             text        NOT NULL,
    previous_secret_key    text        NOT NULL,
    previous_secret_until  timestamptz,
    verification_key       text        NOT NULL,
    webhook_secret         text        NOT NULL,
    ip_whitelist           text        NOT NULL, -- JSON list of prefixes
    deposit_url            text        NOT NULL,
    eiban_deposit_url      text        NOT NULL,
    withdrawal_url         text        NOT NULL,
    credit_card_url        text        NOT NULL,
    language               text        NOT NULL,
    is_credit_card_enabled boolean     NOT NULL,
    created_at             timestamptz NOT NULL,
    updated_at             timestamptz NOT NULL
);
CREATE UNIQUE INDEX providers_api_key ON providers (api_key) WHERE api_key <> '';

CREATE TABLE dealers (
    id                     bigint      PRIMARY KEY,
    version                bigint      NOT NULL CHECK (version > 0),
    name                   text        NOT NULL,
    is_active              boolean     NOT NULL,
    api_key                text        COLLATE "C" NOT NULL,
    secret_key             text        NOT NULL,
    ip_whitelist           text        NOT NULL, -- JSON list of prefixes
    is_credit_card_enabled boolean     NOT NULL,
    is_eiban_enabled       boolean     NOT NULL,
    is_manual_iban_enabled boolean     NOT NULL,
    deposit_url            text        NOT NULL,
    eiban_deposit_url      text        NOT NULL,
    withdrawal_url         text        NOT NULL,
    credit_card_url        text        NOT NULL,
    created_at             timestamptz NOT NULL,
    updated_at             timestamptz NOT NULL
);
CREATE UNIQUE INDEX dealers_api_key ON dealers (api_key) WHERE api_key <> '';

CREATE TABLE sites (
    id                     bigint      PRIMARY KEY,
    version                bigint      NOT NULL CHECK (version > 0),
    provider_id            bigint      NOT NULL,
    dealer_id              bigint      NOT NULL,
    name                   text        NOT NULL,
    is_active              boolean     NOT NULL,
    credential_fingerprint text        COLLATE "C" NOT NULL,
    is_iban_strict         boolean     NOT NULL,
    deposit_url            text        NOT NULL,
    eiban_deposit_url      text        NOT NULL,
    withdrawal_url         text        NOT NULL,
    credit_card_url        text        NOT NULL,
    created_at             timestamptz NOT NULL,
    updated_at             timestamptz NOT NULL
);
CREATE UNIQUE INDEX sites_credential_fingerprint ON sites (credential_fingerprint) WHERE credential_fingerprint <> '';
CREATE INDEX sites_provider ON sites (provider_id, id);

CREATE TABLE site_tokens (
    id         bigint      PRIMARY KEY,
    version    bigint      NOT NULL CHECK (version > 0),
    dealer_id  bigint      NOT NULL,
    name       text        NOT NULL,
    is_active  boolean     NOT NULL,
    token      text        COLLATE "C" NOT NULL,
    secret_key text        NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX site_tokens_token ON site_tokens (token) WHERE token <> '';

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
