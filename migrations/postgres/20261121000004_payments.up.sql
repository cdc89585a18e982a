-- Payments and their history. No foreign keys: they would lock and look up three owner rows for every created payment,
-- and owners are never deleted.

CREATE TABLE payments (
    id              text        COLLATE "C" PRIMARY KEY,
    version         bigint      NOT NULL CHECK (version > 0),
    tracking_code   text        COLLATE "C" NOT NULL,
    token           text        COLLATE "C" NOT NULL, -- of payment_url; empty for withdrawals
    method          text        NOT NULL,
    status          text        COLLATE "C" NOT NULL CHECK (status IN
                    ('showing', 'pending', 'processing', 'completed', 'canceled', 'expired', 'rejected', 'failed')),
    provider_id     bigint      NOT NULL,
    site_id         bigint      NOT NULL,
    site_name       text        NOT NULL,
    dealer_id       bigint      NOT NULL,
    user_id         text        COLLATE "C" NOT NULL,
    username        text        NOT NULL,
    fullname        text        NOT NULL,
    language        text        NOT NULL,
    currency        text        NOT NULL,
    requested_minor bigint      CHECK (requested_minor >= 0),
    amount_minor    bigint      CHECK (amount_minor >= 0),
    iban            text        NOT NULL,
    is_iban_suspect boolean     NOT NULL,
    account_id      bigint      NOT NULL, -- 0: none offered yet
    account_bank    text        NOT NULL,
    account_holder  text        NOT NULL,
    account_iban    text        NOT NULL,
    account_day     text        NOT NULL,
    held_minor      bigint      CHECK (held_minor >= 0), -- null: none offered yet
    reason          text        NOT NULL,
    expires_at      timestamptz,
    created_at      timestamptz NOT NULL,
    updated_at      timestamptz NOT NULL,
    finished_at     timestamptz
) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE UNIQUE INDEX payments_tracking_code ON payments (tracking_code) WHERE tracking_code <> '';
CREATE UNIQUE INDEX payments_token ON payments (token) WHERE token <> '';
-- Lists are read status by status and put together, newest first: each part is the end of one of these, however many
-- payments an owner has and however rare a status is among them.
CREATE INDEX payments_status ON payments (status, id);
CREATE INDEX payments_provider ON payments (provider_id, status, id);
CREATE INDEX payments_site ON payments (site_id, status, id);
CREATE INDEX payments_dealer ON payments (dealer_id, status, id);
CREATE INDEX payments_user ON payments (user_id, id);
CREATE INDEX payments_due ON payments (expires_at, id) WHERE status = 'showing';

CREATE TABLE moves (
    payment_id   text        COLLATE "C" NOT NULL,
    id           text        COLLATE "C" NOT NULL,
    at           timestamptz NOT NULL,
    by_kind      text        NOT NULL,
    by_id        text        NOT NULL,
    by_name      text        NOT NULL,
    by_addr      text        NOT NULL,
    command      text        NOT NULL,
    from_status  text        NOT NULL,
    to_status    text        NOT NULL,
    currency     text        NOT NULL,
    amount_minor bigint      CHECK (amount_minor >= 0),
    reason       text        NOT NULL,
    PRIMARY KEY (payment_id, id)
);
