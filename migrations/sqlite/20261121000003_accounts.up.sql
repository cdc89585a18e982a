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
