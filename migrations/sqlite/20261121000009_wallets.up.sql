-- Dealers' own payments, and their E-IBAN wallets as a double-entry ledger in kuruş.

ALTER TABLE callbacks ADD COLUMN dealer_id INTEGER NOT NULL DEFAULT 0; -- of a dealer's own payment, else 0

CREATE TABLE wallets (
    id           INTEGER PRIMARY KEY,
    version      INTEGER NOT NULL CHECK (version > 0),
    wallet_id    TEXT    NOT NULL, -- the public one
    dealer_id    INTEGER NOT NULL,
    account_id   INTEGER NOT NULL, -- the one that customers are shown
    gateway_id   INTEGER NOT NULL,
    bank_account TEXT    NOT NULL,
    iban         TEXT    NOT NULL,
    bank_name    TEXT    NOT NULL,
    holder       TEXT    NOT NULL,
    is_active    INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX wallets_wallet_id ON wallets (wallet_id) WHERE wallet_id <> '';
CREATE UNIQUE INDEX wallets_bank_account ON wallets (gateway_id, bank_account) WHERE bank_account <> '';
CREATE INDEX wallets_dealer ON wallets (dealer_id, id);

-- The sums of each wallet's entries: one row per wallet, made with it, written over and over: room for updates in place.
-- The checks named ledger_… are how a commit learns that there is not enough.
CREATE TABLE wallet_balances (
    wallet_id       INTEGER PRIMARY KEY,
    available_minor INTEGER NOT NULL CONSTRAINT ledger_available CHECK (available_minor >= 0),
    reserved_minor  INTEGER NOT NULL CONSTRAINT ledger_reserved CHECK (reserved_minor >= 0),
    outside_minor   INTEGER NOT NULL,
    CONSTRAINT ledger_sum CHECK (available_minor + reserved_minor + outside_minor = 0)
) STRICT;

-- Inserted, never changed.
CREATE TABLE ledger_entries (
    id              TEXT    PRIMARY KEY,
    wallet_id       INTEGER NOT NULL,
    kind            TEXT    NOT NULL,
    at              INTEGER NOT NULL,
    payment_id      TEXT    NOT NULL, -- empty: about none
    line_id         TEXT    NOT NULL, -- empty: about none
    available_minor INTEGER NOT NULL,
    reserved_minor  INTEGER NOT NULL,
    outside_minor   INTEGER NOT NULL,
    note            TEXT    NOT NULL,
    CONSTRAINT ledger_entry_sum CHECK (available_minor + reserved_minor + outside_minor = 0)
) STRICT;
CREATE UNIQUE INDEX ledger_entries_payment ON ledger_entries (payment_id, kind) WHERE payment_id <> '';
CREATE UNIQUE INDEX ledger_entries_line ON ledger_entries (wallet_id, line_id) WHERE line_id <> '';
CREATE INDEX ledger_entries_wallet ON ledger_entries (wallet_id, id);

-- Lines of the wallets' bank statements, each kept once, as it was imported first; only where it stands is saved over:
-- version, state, payment_id and note. mark is drawn anew for every commit that imports: by it the statements of a commit
-- tell the lines that it has inserted from those that were there.
CREATE TABLE bank_lines (
    wallet_id    INTEGER NOT NULL,
    line_id      TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    version      INTEGER NOT NULL CHECK (version > 0),
    mark         INTEGER NOT NULL,
    direction    TEXT    NOT NULL,
    amount_minor INTEGER NOT NULL,
    booked_at    INTEGER NOT NULL,
    party_iban   TEXT    NOT NULL, -- normalized; empty: no IBAN
    state        TEXT    NOT NULL CHECK (state IN
                 ('matched', 'unmatched', 'doubtful', 'set_aside', 'unbooked')),
    payment_id   TEXT    NOT NULL, -- empty: matched with none
    note         TEXT    NOT NULL,
    imported_at  INTEGER NOT NULL,
    body         TEXT    NOT NULL, -- JSON
    PRIMARY KEY (wallet_id, line_id)
) STRICT;
CREATE INDEX bank_lines_booked ON bank_lines (wallet_id, booked_at, line_id);
-- Lists are read state by state and put together, newest first, as those of payments are.
CREATE INDEX bank_lines_state ON bank_lines (state, id);
CREATE INDEX bank_lines_wallet ON bank_lines (wallet_id, state, id);
CREATE INDEX bank_lines_waiting ON bank_lines (imported_at) WHERE state IN ('unmatched', 'doubtful', 'unbooked');
CREATE INDEX bank_lines_payment ON bank_lines (payment_id, id) WHERE payment_id <> '';
CREATE INDEX bank_lines_party ON bank_lines (party_iban, id)
    WHERE party_iban <> '' AND payment_id <> '' AND direction = 'incoming';

-- How many lines a wallet has in each quarter of an hour, by the quarter's beginning; quarters without lines have no
-- row. The days of every time zone begin with a quarter of an hour: a page of some days is found by adding up these, and
-- no more lines are counted or skipped one by one than one quarter has.
CREATE TABLE bank_line_counts (
    wallet_id INTEGER NOT NULL,
    quarter   INTEGER NOT NULL,
    lines     INTEGER NOT NULL CHECK (lines > 0),
    PRIMARY KEY (wallet_id, quarter)
) STRICT;
