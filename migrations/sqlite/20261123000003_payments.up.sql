-- Payments, their history, what they are found by, and their callbacks.

-- No foreign keys: they would lock and look up three owner rows for every created payment,
-- and owners are never deleted.
CREATE TABLE payments (
    id               TEXT    PRIMARY KEY,
    version          INTEGER NOT NULL CHECK (version > 0),
    tracking_code    TEXT    NOT NULL,
    token            TEXT    NOT NULL, -- of payment_url; empty for withdrawals
    method           TEXT    NOT NULL,
    status           TEXT    NOT NULL CHECK (status IN
                    ('showing', 'pending', 'processing', 'completed', 'canceled', 'expired', 'rejected', 'failed', 'success',
                     'cancelled', 'refunded')),
    provider_id      INTEGER NOT NULL,
    site_id          INTEGER NOT NULL,
    site_name        TEXT    NOT NULL,
    dealer_id        INTEGER NOT NULL,
    user_id          TEXT    NOT NULL,
    username         TEXT    NOT NULL,
    fullname         TEXT    NOT NULL,
    language         TEXT    NOT NULL,
    currency         TEXT    NOT NULL,
    requested_minor  INTEGER CHECK (requested_minor >= 0),
    amount_minor     INTEGER CHECK (amount_minor >= 0),
    iban             TEXT    NOT NULL,
    is_iban_suspect  INTEGER NOT NULL,
    account_id       INTEGER NOT NULL, -- 0: none offered yet
    account_bank     TEXT    NOT NULL,
    account_holder   TEXT    NOT NULL,
    account_iban     TEXT    NOT NULL,
    account_day      TEXT    NOT NULL,
    held_minor       INTEGER CHECK (held_minor >= 0), -- null: none offered yet
    details          TEXT    NOT NULL, -- JSON of what cards and payouts have beyond others, or empty
    gateway_id       INTEGER NOT NULL, -- 0: at none
    operation_id     TEXT    NOT NULL, -- empty: none is under way
    refunded_minor   INTEGER CHECK (refunded_minor >= 0), -- null: nothing was given back
    reason           TEXT    NOT NULL,
    expires_at       INTEGER,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    finished_at      INTEGER,
    claim_staff_id   INTEGER NOT NULL DEFAULT 0, -- 0: nobody has it
    claim_name       TEXT    NOT NULL DEFAULT '',
    claimed_until    INTEGER,
    claim_request_id TEXT    NOT NULL DEFAULT '', -- of approvals; empty: the claim waits for nobody
    corrected_minor  INTEGER -- null: none
) STRICT;
CREATE UNIQUE INDEX payments_tracking_code ON payments (tracking_code) WHERE tracking_code <> '';
CREATE UNIQUE INDEX payments_token ON payments (token) WHERE token <> '';
CREATE INDEX payments_site ON payments (site_id, status, id);
-- While a gateway has the payment, its operation keeps the time.
CREATE INDEX payments_due ON payments (expires_at, id)
    WHERE status IN ('showing', 'pending') AND operation_id = '' AND expires_at IS NOT NULL;
CREATE INDEX payments_gateway ON payments (gateway_id, status, id) WHERE gateway_id <> 0;
-- What a bank line may belong to, and what waits for a dealer's staff to pay it.
CREATE INDEX payments_account ON payments (account_id, created_at, id)
    WHERE method = 'eiban_deposit' AND status <> 'completed';
CREATE INDEX payments_desk ON payments (dealer_id, id)
    WHERE method IN ('manual_withdrawal', 'eiban_withdrawal') AND status IN ('pending', 'processing');
-- Lists are read status by status and put together, newest first: each part is the end of one of these, however many
-- payments an owner has and however rare a status is among them.
CREATE INDEX payments_status ON payments (status, method, id);
-- The other orders of lists.
CREATE INDEX payments_updated ON payments (updated_at, id);
CREATE INDEX payments_provider ON payments (provider_id, status, id, method, dealer_id, amount_minor, created_at, updated_at);
CREATE INDEX payments_dealer ON payments (dealer_id, status, id, method, provider_id, amount_minor, created_at, updated_at);
CREATE INDEX payments_user ON payments (user_id, id, status, method, amount_minor, created_at, updated_at);
CREATE INDEX payments_amount ON payments (COALESCE(amount_minor, 0), id, amount_minor, status, method, provider_id, dealer_id);

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

-- What payments are found by and never changes: a row for each word of the full name, folded, behind n:, and one for the
-- IBAN behind i:. In a table of their own these are written once, where an index of payments is written anew with every
-- change of a status. words is the whole folded name behind a space, for what is searched with several words; else empty.
CREATE TABLE payment_terms (
    term  TEXT NOT NULL,
    id    TEXT NOT NULL,
    words TEXT NOT NULL,
    PRIMARY KEY (term, id)
) STRICT, WITHOUT ROWID;

-- Leasing a callback changes no indexed column, so that with room in the page it is an update in place.
CREATE TABLE callbacks (
    id              TEXT    PRIMARY KEY,
    version         INTEGER NOT NULL CHECK (version > 0),
    payment_id      TEXT    NOT NULL,
    sequence        INTEGER NOT NULL DEFAULT 1 CHECK (sequence > 0),
    provider_id     INTEGER NOT NULL,
    site_id         INTEGER NOT NULL,
    dealer_id       INTEGER NOT NULL DEFAULT 0, -- of a dealer's own payment, else 0
    kind            TEXT    NOT NULL,
    receiver        TEXT    NOT NULL,
    state           TEXT    NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped', 'superseded')),
    payload         TEXT    NOT NULL, -- JSON
    attempts        INTEGER NOT NULL CHECK (attempts >= 0),
    next_attempt_at INTEGER,
    lease_until     INTEGER,
    created_at      INTEGER NOT NULL,
    finished_at     INTEGER,
    superseded_at   INTEGER, -- since when it is not what the receiver is to believe
    CHECK (state <> 'waiting' OR next_attempt_at IS NOT NULL),
    CONSTRAINT callbacks_superseded
        CHECK ((superseded_at IS NULL OR state <> 'waiting') AND (superseded_at IS NOT NULL OR state <> 'superseded'))
) STRICT;
CREATE UNIQUE INDEX callbacks_payment ON callbacks (payment_id, sequence);
CREATE INDEX callbacks_due ON callbacks (receiver, next_attempt_at, id) WHERE state = 'waiting';
CREATE INDEX callbacks_ended ON callbacks (state) WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL;
CREATE INDEX callbacks_finished ON callbacks (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE attempts (
    callback_id TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    number      INTEGER NOT NULL CHECK (number > 0),
    at          INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    url         TEXT    NOT NULL,
    http_status INTEGER NOT NULL,
    error       TEXT    NOT NULL,
    answer      TEXT    NOT NULL,
    PRIMARY KEY (callback_id, id)
) STRICT;
