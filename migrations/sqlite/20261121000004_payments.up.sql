-- Payments and their history. No foreign keys: they would lock and look up three owner rows for every created payment,
-- and owners are never deleted.

CREATE TABLE payments (
    id              TEXT    PRIMARY KEY,
    version         INTEGER NOT NULL CHECK (version > 0),
    tracking_code   TEXT    NOT NULL,
    token           TEXT    NOT NULL, -- of payment_url; empty for withdrawals
    method          TEXT    NOT NULL,
    status          TEXT    NOT NULL CHECK (status IN
                    ('showing', 'pending', 'processing', 'completed', 'canceled', 'expired', 'rejected', 'failed')),
    provider_id     INTEGER NOT NULL,
    site_id         INTEGER NOT NULL,
    site_name       TEXT    NOT NULL,
    dealer_id       INTEGER NOT NULL,
    user_id         TEXT    NOT NULL,
    username        TEXT    NOT NULL,
    fullname        TEXT    NOT NULL,
    language        TEXT    NOT NULL,
    currency        TEXT    NOT NULL,
    requested_minor INTEGER CHECK (requested_minor >= 0),
    amount_minor    INTEGER CHECK (amount_minor >= 0),
    iban            TEXT    NOT NULL,
    is_iban_suspect INTEGER NOT NULL,
    account_id      INTEGER NOT NULL, -- 0: none offered yet
    account_bank    TEXT    NOT NULL,
    account_holder  TEXT    NOT NULL,
    account_iban    TEXT    NOT NULL,
    account_day     TEXT    NOT NULL,
    held_minor      INTEGER CHECK (held_minor >= 0), -- null: none offered yet
    reason          TEXT    NOT NULL,
    expires_at      INTEGER,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    finished_at     INTEGER
) STRICT;
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
    payment_id   TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    by_kind      TEXT    NOT NULL,
    by_id        TEXT    NOT NULL,
    by_name      TEXT    NOT NULL,
    by_addr      TEXT    NOT NULL,
    command      TEXT    NOT NULL,
    from_status  TEXT    NOT NULL,
    to_status    TEXT    NOT NULL,
    currency     TEXT    NOT NULL,
    amount_minor INTEGER CHECK (amount_minor >= 0),
    reason       TEXT    NOT NULL,
    PRIMARY KEY (payment_id, id)
) STRICT;
