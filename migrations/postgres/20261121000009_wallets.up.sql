-- Dealers' own payments, and their E-IBAN wallets as a double-entry ledger in kuruş.

ALTER TABLE callbacks ADD COLUMN dealer_id bigint NOT NULL DEFAULT 0; -- of a dealer's own payment, else 0

CREATE TABLE wallets (
    id           bigint      PRIMARY KEY,
    version      bigint      NOT NULL CHECK (version > 0),
    wallet_id    text        COLLATE "C" NOT NULL, -- the public one
    dealer_id    bigint      NOT NULL,
    account_id   bigint      NOT NULL, -- the one that customers are shown
    gateway_id   bigint      NOT NULL,
    bank_account text        NOT NULL,
    iban         text        NOT NULL,
    bank_name    text        NOT NULL,
    holder       text        NOT NULL,
    is_active    boolean     NOT NULL,
    created_at   timestamptz NOT NULL,
    updated_at   timestamptz NOT NULL
);
CREATE UNIQUE INDEX wallets_wallet_id ON wallets (wallet_id) WHERE wallet_id <> '';
CREATE UNIQUE INDEX wallets_bank_account ON wallets (gateway_id, bank_account) WHERE bank_account <> '';
CREATE INDEX wallets_dealer ON wallets (dealer_id, id);

-- The sums of each wallet's entries: one row per wallet, made with it, written over and over: room for updates in place.
-- The checks named ledger_… are how a commit learns that there is not enough.
CREATE TABLE wallet_balances (
    wallet_id       bigint PRIMARY KEY,
    available_minor bigint NOT NULL CONSTRAINT ledger_available CHECK (available_minor >= 0),
    reserved_minor  bigint NOT NULL CONSTRAINT ledger_reserved CHECK (reserved_minor >= 0),
    outside_minor   bigint NOT NULL,
    CONSTRAINT ledger_sum CHECK (available_minor + reserved_minor + outside_minor = 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Inserted, never changed.
CREATE TABLE ledger_entries (
    id              text        COLLATE "C" PRIMARY KEY,
    wallet_id       bigint      NOT NULL,
    kind            text        NOT NULL,
    at              timestamptz NOT NULL,
    payment_id      text        COLLATE "C" NOT NULL, -- empty: about none
    line_id         text        COLLATE "C" NOT NULL, -- empty: about none
    available_minor bigint      NOT NULL,
    reserved_minor  bigint      NOT NULL,
    outside_minor   bigint      NOT NULL,
    note            text        NOT NULL,
    CONSTRAINT ledger_entry_sum CHECK (available_minor + reserved_minor + outside_minor = 0)
);
CREATE UNIQUE INDEX ledger_entries_payment ON ledger_entries (payment_id, kind) WHERE payment_id <> '';
CREATE UNIQUE INDEX ledger_entries_line ON ledger_entries (wallet_id, line_id) WHERE line_id <> '';
CREATE INDEX ledger_entries_wallet ON ledger_entries (wallet_id, id);

-- Lines of the wallets' bank statements, each kept once, as it was imported first; only where it stands is saved over:
-- version, state, payment_id and note. mark is drawn anew for every commit that imports: by it the statements of a commit
-- tell the lines that it has inserted from those that were there.
CREATE TABLE bank_lines (
    wallet_id    bigint      NOT NULL,
    line_id      text        COLLATE "C" NOT NULL,
    id           text        COLLATE "C" NOT NULL,
    version      bigint      NOT NULL CHECK (version > 0),
    mark         bigint      NOT NULL,
    direction    text        NOT NULL,
    amount_minor bigint      NOT NULL,
    booked_at    timestamptz NOT NULL,
    party_iban   text        COLLATE "C" NOT NULL, -- normalized; empty: no IBAN
    state        text        COLLATE "C" NOT NULL CHECK (state IN
                 ('matched', 'unmatched', 'doubtful', 'set_aside', 'unbooked')),
    payment_id   text        COLLATE "C" NOT NULL, -- empty: matched with none
    note         text        NOT NULL,
    imported_at  timestamptz NOT NULL,
    body         text        NOT NULL, -- JSON
    PRIMARY KEY (wallet_id, line_id)
);
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
    wallet_id bigint      NOT NULL,
    quarter   timestamptz NOT NULL,
    lines     bigint      NOT NULL CHECK (lines > 0),
    PRIMARY KEY (wallet_id, quarter)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
