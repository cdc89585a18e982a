-- The import of wallets' statements, their reconciled days, and which of a dealer's staff has a withdrawal.

-- One row per wallet, written at every read of its bank.
CREATE TABLE feeds (
    wallet_id        bigint      PRIMARY KEY,
    version          bigint      NOT NULL CHECK (version > 0),
    gateway_id       bigint      NOT NULL,
    opened_at        timestamptz,
    read_until       timestamptz,
    swept_at         timestamptz,
    next_at          timestamptz, -- null: the wallet is switched off
    lease_until      timestamptz,
    failures         bigint      NOT NULL,
    trouble          text        NOT NULL,
    bank_total_minor bigint,      -- null: not read yet
    bank_total_at    timestamptz,
    checked_at       timestamptz,
    is_ledger_off    boolean     NOT NULL,
    reconciled_to    text        NOT NULL -- a day; empty: none
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
    PRIMARY KEY (wallet_id, day)
);
CREATE INDEX reconciliations_day ON reconciliations (day DESC, wallet_id);
CREATE INDEX reconciliations_dealer ON reconciliations (dealer_id, day DESC, wallet_id);
CREATE INDEX reconciliations_open ON reconciliations (day DESC, wallet_id) WHERE open_count > 0;

ALTER TABLE payments
    ADD COLUMN claim_staff_id bigint NOT NULL DEFAULT 0, -- 0: nobody has it
    ADD COLUMN claim_name     text   NOT NULL DEFAULT '',
    ADD COLUMN claimed_until  timestamptz;
-- What a bank line may belong to, and what waits for a dealer's staff to pay it.
CREATE INDEX payments_account ON payments (account_id, created_at, id)
    WHERE method = 'eiban_deposit' AND status <> 'completed';
CREATE INDEX payments_desk ON payments (dealer_id, id)
    WHERE method IN ('manual_withdrawal', 'eiban_withdrawal') AND status IN ('pending', 'processing');
