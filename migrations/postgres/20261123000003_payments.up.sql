-- Payments, their history, what they are found by, and their callbacks.

-- No foreign keys: they would lock and look up three owner rows for every created payment,
-- and owners are never deleted.
CREATE TABLE payments (
    id               text        COLLATE "C" PRIMARY KEY,
    version          bigint      NOT NULL CHECK (version > 0),
    tracking_code    text        COLLATE "C" NOT NULL,
    token            text        COLLATE "C" NOT NULL, -- of payment_url; empty for withdrawals
    method           text        NOT NULL,
    status           text        COLLATE "C" NOT NULL CHECK (status IN (
        'showing', 'pending', 'processing', 'completed', 'canceled', 'expired', 'rejected', 'failed',
        'success', 'cancelled', 'refunded'
    )),
    provider_id      bigint      NOT NULL,
    site_id          bigint      NOT NULL,
    site_name        text        NOT NULL,
    dealer_id        bigint      NOT NULL,
    user_id          text        COLLATE "C" NOT NULL,
    username         text        NOT NULL,
    fullname         text        NOT NULL,
    language         text        NOT NULL,
    currency         text        NOT NULL,
    requested_minor  bigint      CHECK (requested_minor >= 0),
    amount_minor     bigint      CHECK (amount_minor >= 0),
    iban             text        NOT NULL,
    is_iban_suspect  boolean     NOT NULL,
    account_id       bigint      NOT NULL, -- 0: none offered yet
    account_bank     text        NOT NULL,
    account_holder   text        NOT NULL,
    account_iban     text        NOT NULL,
    account_day      text        NOT NULL,
    held_minor       bigint      CHECK (held_minor >= 0), -- null: none offered yet
    reason           text        NOT NULL,
    expires_at       timestamptz,
    created_at       timestamptz NOT NULL,
    updated_at       timestamptz NOT NULL,
    finished_at      timestamptz,
    details          text        NOT NULL DEFAULT '', -- JSON of what cards and payouts have beyond others, or empty
    gateway_id       bigint      NOT NULL DEFAULT 0, -- 0: at none
    operation_id     text        COLLATE "C" NOT NULL DEFAULT '', -- empty: none is under way
    refunded_minor   bigint      CHECK (refunded_minor >= 0), -- null: nothing was given back
    claim_staff_id   bigint      NOT NULL DEFAULT 0, -- 0: nobody has it
    claim_name       text        NOT NULL DEFAULT '',
    claimed_until    timestamptz,
    claim_request_id text        NOT NULL DEFAULT '', -- of approvals; empty: the claim waits for nobody
    corrected_minor  bigint -- null: none
) WITH ( -- an index says which of its rows are surely there only where the table was vacuumed since, also when rows are only added
    autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02
);
CREATE UNIQUE INDEX payments_tracking_code ON payments (tracking_code) WHERE tracking_code <> '';
CREATE UNIQUE INDEX payments_token ON payments (token) WHERE token <> '';
CREATE INDEX payments_site ON payments (site_id, status, id);
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
CREATE INDEX payments_provider ON payments (provider_id, status, id)
    INCLUDE (method, dealer_id, amount_minor, created_at, updated_at);
CREATE INDEX payments_dealer ON payments (dealer_id, status, id)
    INCLUDE (method, provider_id, amount_minor, created_at, updated_at);
CREATE INDEX payments_user ON payments (user_id, id)
    INCLUDE (status, method, amount_minor, created_at, updated_at);
CREATE INDEX payments_amount ON payments ((COALESCE(amount_minor, 0)), id)
    INCLUDE (amount_minor, status, method, provider_id, dealer_id);

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

-- What payments are found by and never changes: a row for each word of the full name, folded, behind n:, and one for the
-- IBAN behind i:. In a table of their own these are written once, where an index of payments is written anew with every
-- change of a status. words is the whole folded name behind a space, for what is searched with several words; else empty.
CREATE TABLE payment_terms (
    term  text COLLATE "C" NOT NULL,
    id    text COLLATE "C" NOT NULL,
    words text NOT NULL,
    PRIMARY KEY (term, id) INCLUDE (words) -- read alone: the rows of a term are all over the table
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);

-- Leasing a callback changes no indexed column, so that with room in the page it is an update in place.
CREATE TABLE callbacks (
    id              text        COLLATE "C" PRIMARY KEY,
    version         bigint      NOT NULL CHECK (version > 0),
    payment_id      text        COLLATE "C" NOT NULL,
    provider_id     bigint      NOT NULL,
    site_id         bigint      NOT NULL,
    kind            text        NOT NULL,
    receiver        text        COLLATE "C" NOT NULL,
    state           text        NOT NULL CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped', 'superseded')),
    payload         text        NOT NULL, -- JSON
    attempts        bigint      NOT NULL CHECK (attempts >= 0),
    next_attempt_at timestamptz,
    lease_until     timestamptz,
    created_at      timestamptz NOT NULL,
    finished_at     timestamptz,
    dealer_id       bigint      NOT NULL DEFAULT 0, -- of a dealer's own payment, else 0
    sequence        bigint      NOT NULL DEFAULT 1 CHECK (sequence > 0),
    superseded_at   timestamptz, -- since when it is not what the receiver is to believe
    CHECK (state <> 'waiting' OR next_attempt_at IS NOT NULL),
    CONSTRAINT callbacks_superseded
        CHECK ((superseded_at IS NULL OR state <> 'waiting') AND (superseded_at IS NOT NULL OR state <> 'superseded'))
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE INDEX callbacks_due ON callbacks (receiver, next_attempt_at, id) WHERE state = 'waiting';
-- When callbacks were delivered or given up: by this statistics find what has changed.
CREATE INDEX callbacks_finished ON callbacks (finished_at) WHERE finished_at IS NOT NULL;
CREATE UNIQUE INDEX callbacks_payment ON callbacks (payment_id, sequence);
-- Callbacks that were given up, for those who count them.
CREATE INDEX callbacks_ended ON callbacks (state) WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL;

CREATE TABLE attempts (
    callback_id text        COLLATE "C" NOT NULL,
    id          text        COLLATE "C" NOT NULL,
    number      bigint      NOT NULL CHECK (number > 0),
    at          timestamptz NOT NULL,
    duration_ns bigint      NOT NULL,
    url         text        NOT NULL,
    http_status bigint      NOT NULL,
    error       text        NOT NULL,
    answer      text        NOT NULL,
    PRIMARY KEY (callback_id, id)
);
