-- Dealers' E-IBAN wallets: a double-entry ledger in kuruş, and the bank's statements beside it.

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
-- An account at the bank is one wallet, whichever gateway reads it: a statement that is read twice would count its money
-- twice.
CREATE UNIQUE INDEX wallets_iban ON wallets (iban) WHERE iban <> '';

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
    day             text        COLLATE "C" NOT NULL DEFAULT '', -- that an adjustment settles; empty: it is none
    number          bigint      NOT NULL DEFAULT 0, -- which one of its day's, from 1
    made_by         text        NOT NULL DEFAULT '', -- JSON: who booked an adjustment
    CONSTRAINT ledger_entry_sum CHECK (available_minor + reserved_minor + outside_minor = 0)
);
CREATE UNIQUE INDEX ledger_entries_payment ON ledger_entries (payment_id, kind) WHERE payment_id <> '';
CREATE UNIQUE INDEX ledger_entries_line ON ledger_entries (wallet_id, line_id) WHERE line_id <> '';
CREATE INDEX ledger_entries_wallet ON ledger_entries (wallet_id, id);
CREATE UNIQUE INDEX ledger_entries_day ON ledger_entries (wallet_id, day, number) WHERE day <> '';

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
    state        text        COLLATE "C" NOT NULL CHECK (state IN (
        'matched', 'unmatched', 'doubtful', 'set_aside', 'unbooked', 'reversed'
    )),
    payment_id   text        COLLATE "C" NOT NULL, -- empty: matched with none
    note         text        NOT NULL,
    imported_at  timestamptz NOT NULL,
    body         text        NOT NULL, -- JSON
    reverses     text        COLLATE "C" NOT NULL DEFAULT '', -- the line that it takes back; empty: none
    reversed_by  text        COLLATE "C" NOT NULL DEFAULT '', -- the first line that takes it back; empty: none
    was_doubtful boolean     NOT NULL DEFAULT false,
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
CREATE INDEX bank_lines_reverses ON bank_lines (wallet_id, reverses) WHERE reverses <> '';

-- How many lines a wallet has in each quarter of an hour, by the quarter's beginning; quarters without lines have no
-- row. The days of every time zone begin with a quarter of an hour: a page of some days is found by adding up these, and
-- no more lines are counted or skipped one by one than one quarter has.
CREATE TABLE bank_line_counts (
    wallet_id bigint      NOT NULL,
    quarter   timestamptz NOT NULL,
    lines     bigint      NOT NULL CHECK (lines > 0),
    PRIMARY KEY (wallet_id, quarter)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- One row per wallet, written at every read of its bank.
CREATE TABLE feeds (
    wallet_id        bigint  PRIMARY KEY,
    version          bigint  NOT NULL CHECK (version > 0),
    gateway_id       bigint  NOT NULL,
    opened_at        timestamptz,
    read_until       timestamptz,
    swept_at         timestamptz,
    next_at          timestamptz, -- null: the wallet is switched off
    lease_until      timestamptz,
    failures         bigint  NOT NULL,
    trouble          text    NOT NULL,
    bank_total_minor bigint, -- null: not read yet
    bank_total_at    timestamptz,
    checked_at       timestamptz,
    is_ledger_off    boolean NOT NULL,
    reconciled_to    text    NOT NULL -- a day; empty: none
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
CREATE INDEX feeds_due ON feeds (next_at, wallet_id) WHERE next_at IS NOT NULL;
CREATE INDEX feeds_gateway ON feeds (gateway_id, wallet_id);

-- One row per wallet and day; amounts in kuruş, null where there is none.
CREATE TABLE reconciliations (
    wallet_id            bigint      NOT NULL,
    day                  text        COLLATE "C" NOT NULL,
    version              bigint      NOT NULL CHECK (version > 0),
    dealer_id            bigint      NOT NULL, -- of the wallet
    at                   timestamptz NOT NULL,
    matched              bigint      NOT NULL,
    ledger_in_minor      bigint,
    ledger_out_minor     bigint,
    ledger_closing_minor bigint,
    bank_in_minor        bigint,
    bank_out_minor       bigint,
    bank_closing_minor   bigint,
    has_bank             boolean     NOT NULL,
    is_cut               boolean     NOT NULL,
    open_count           bigint      NOT NULL, -- differences that nobody has explained
    body                 text        NOT NULL, -- JSON of the differences
    adjusted_minor       bigint      DEFAULT 0, -- what adjustments of the day come to; null: no amount
    PRIMARY KEY (wallet_id, day)
);
CREATE INDEX reconciliations_day ON reconciliations (day DESC, wallet_id);
CREATE INDEX reconciliations_dealer ON reconciliations (dealer_id, day DESC, wallet_id);
CREATE INDEX reconciliations_open ON reconciliations (day DESC, wallet_id) WHERE open_count > 0;
