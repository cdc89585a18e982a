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
    account_id      bigint      NOT NULL,
    day             text        COLLATE "C" NOT NULL,
    used_minor      bigint      NOT NULL CHECK (used_minor >= 0),
    offer_count     bigint      NOT NULL CHECK (offer_count >= 0),
    version         bigint      NOT NULL CHECK (version >= 0),
    last_offered_at timestamptz,
    PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
