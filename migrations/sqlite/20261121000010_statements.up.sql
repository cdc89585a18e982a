-- The import of wallets' statements, their reconciled days, and which of a dealer's staff has a withdrawal.

-- One row per wallet, written at every read of its bank.
CREATE TABLE feeds (
    wallet_id        INTEGER PRIMARY KEY,
    version          INTEGER NOT NULL CHECK (version > 0),
    gateway_id       INTEGER NOT NULL,
    opened_at        INTEGER,
    read_until       INTEGER,
    swept_at         INTEGER,
    next_at          INTEGER, -- null: the wallet is switched off
    lease_until      INTEGER,
    failures         INTEGER NOT NULL,
    trouble          TEXT    NOT NULL,
    bank_total_minor INTEGER, -- null: not read yet
    bank_total_at    INTEGER,
    checked_at       INTEGER,
    is_ledger_off    INTEGER NOT NULL,
    reconciled_to    TEXT    NOT NULL -- a day; empty: none
) STRICT;
CREATE INDEX feeds_due ON feeds (next_at, wallet_id) WHERE next_at IS NOT NULL;
CREATE INDEX feeds_gateway ON feeds (gateway_id, wallet_id);

-- One row per wallet and day; amounts in kuruş, null where there is none.
CREATE TABLE reconciliations (
    wallet_id            INTEGER NOT NULL,
    day                  TEXT    NOT NULL,
    version              INTEGER NOT NULL CHECK (version > 0),
    dealer_id            INTEGER NOT NULL, -- of the wallet
    at                   INTEGER NOT NULL,
    matched              INTEGER NOT NULL,
    ledger_in_minor      INTEGER,
    ledger_out_minor     INTEGER,
    ledger_closing_minor INTEGER,
    bank_in_minor        INTEGER,
    bank_out_minor       INTEGER,
    bank_closing_minor   INTEGER,
    has_bank             INTEGER NOT NULL,
    is_cut               INTEGER NOT NULL,
    open_count           INTEGER NOT NULL, -- differences that nobody has explained
    body                 TEXT    NOT NULL, -- JSON of the differences
    PRIMARY KEY (wallet_id, day)
) STRICT;
CREATE INDEX reconciliations_day ON reconciliations (day DESC, wallet_id);
CREATE INDEX reconciliations_dealer ON reconciliations (dealer_id, day DESC, wallet_id);
CREATE INDEX reconciliations_open ON reconciliations (day DESC, wallet_id) WHERE open_count > 0;

ALTER TABLE payments ADD COLUMN claim_staff_id INTEGER NOT NULL DEFAULT 0; -- 0: nobody has it
ALTER TABLE payments ADD COLUMN claim_name     TEXT    NOT NULL DEFAULT '';
ALTER TABLE payments ADD COLUMN claimed_until  INTEGER;
-- What a bank line may belong to, and what waits for a dealer's staff to pay it.
CREATE INDEX payments_account ON payments (account_id, created_at, id)
    WHERE method = 'eiban_deposit' AND status <> 'completed';
CREATE INDEX payments_desk ON payments (dealer_id, id)
    WHERE method IN ('manual_withdrawal', 'eiban_withdrawal') AND status IN ('pending', 'processing');
