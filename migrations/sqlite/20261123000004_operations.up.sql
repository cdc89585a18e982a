-- The accounts at payment gateways, and what is done there. Texts that hold secrets are sealed, never plain.

-- Contracts with gateways. The configurations are sealed.
CREATE TABLE gateway_accounts (
    id                  INTEGER PRIMARY KEY,
    version             INTEGER NOT NULL CHECK (version > 0),
    plugin              TEXT    NOT NULL,
    code                TEXT    NOT NULL,
    name                TEXT    NOT NULL,
    description         TEXT    NOT NULL,
    environment         TEXT    NOT NULL,
    is_enabled          INTEGER NOT NULL,
    config              TEXT    NOT NULL,
    previous_config     TEXT    NOT NULL,
    hook_token          TEXT    NOT NULL,
    priority            INTEGER NOT NULL,
    weight              INTEGER NOT NULL,
    currency            TEXT    NOT NULL,
    min_minor           INTEGER CHECK (min_minor >= 0),
    max_minor           INTEGER CHECK (max_minor >= 0),
    approval_from_minor INTEGER CHECK (approval_from_minor >= 0),
    trouble             TEXT    NOT NULL,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    collects            TEXT    NOT NULL DEFAULT '' -- normalized IBANs, separated by commas
) STRICT;
CREATE UNIQUE INDEX gateway_accounts_code ON gateway_accounts (code) WHERE code <> '';
CREATE UNIQUE INDEX gateway_accounts_hook_token ON gateway_accounts (hook_token) WHERE hook_token <> '';

-- Which payments go to which of them. 0, empty and null match any.
CREATE TABLE route_rules (
    id          INTEGER PRIMARY KEY,
    version     INTEGER NOT NULL CHECK (version > 0),
    name        TEXT    NOT NULL,
    is_active   INTEGER NOT NULL,
    kind        TEXT    NOT NULL,
    provider_id INTEGER NOT NULL,
    site_id     INTEGER NOT NULL,
    currency    TEXT    NOT NULL,
    min_minor   INTEGER CHECK (min_minor >= 0),
    max_minor   INTEGER CHECK (max_minor >= 0),
    gateway_id  INTEGER NOT NULL,
    priority    INTEGER NOT NULL,
    weight      INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL
) STRICT;

-- Everything that nothing asks for is in the body: a sealed JSON object, with the gateway's own state and what the
-- customer filled in. Leasing an operation changes no indexed column, so that with room in the page it is an update in
-- place.
CREATE TABLE operations (
    id            TEXT    PRIMARY KEY,
    version       INTEGER NOT NULL CHECK (version > 0),
    payment_id    TEXT    NOT NULL,
    kind          TEXT    NOT NULL,
    gateway_id    INTEGER NOT NULL,
    ref           TEXT    NOT NULL,
    return_token  TEXT    NOT NULL, -- of the customer's return address; empty for payouts and refunds
    external_id   TEXT    NOT NULL, -- the gateway's own; empty until it is known
    phase         TEXT    NOT NULL CHECK (phase IN ('planned', 'calling', 'open', 'late', 'closed')),
    state         TEXT    NOT NULL, -- the gateway's
    next_at       INTEGER,
    lease_until   INTEGER,
    created_at    INTEGER NOT NULL,
    body          TEXT    NOT NULL,
    brought_minor INTEGER -- null: nothing yet
) STRICT;
CREATE UNIQUE INDEX operations_ref ON operations (ref) WHERE ref <> '';
CREATE UNIQUE INDEX operations_return_token ON operations (return_token) WHERE return_token <> '';
CREATE INDEX operations_payment ON operations (payment_id, id);
CREATE INDEX operations_due ON operations (gateway_id, next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX operations_external ON operations (external_id, gateway_id, id) WHERE external_id <> '';

-- Money that a payment's own course does not account for.
CREATE TABLE discrepancies (
    id            TEXT    PRIMARY KEY,
    version       INTEGER NOT NULL CHECK (version > 0),
    payment_id    TEXT    NOT NULL,
    tracking_code TEXT    NOT NULL,
    operation_id  TEXT    NOT NULL,
    gateway_id    INTEGER NOT NULL,
    dealer_id     INTEGER NOT NULL,
    kind          TEXT    NOT NULL,
    state         TEXT    NOT NULL CHECK (state IN
                  ('open', 'accepted', 'refunding', 'refunded', 'written_off', 'settled')),
    created_at    INTEGER NOT NULL,
    body          TEXT    NOT NULL, -- JSON
    provider_id   INTEGER NOT NULL DEFAULT 0
) STRICT;
-- Lists are put together from parts as those of payments are.
CREATE INDEX discrepancies_state ON discrepancies (state, id);
CREATE INDEX discrepancies_payment ON discrepancies (payment_id, id);
CREATE INDEX discrepancies_dealer ON discrepancies (dealer_id, state, id);
CREATE INDEX discrepancies_provider ON discrepancies (provider_id, state, id);

CREATE TABLE gateway_calls (
    id           TEXT    PRIMARY KEY,
    gateway_id   INTEGER NOT NULL,
    operation_id TEXT    NOT NULL, -- empty: not about a payment
    payment_id   TEXT    NOT NULL, -- empty: as above
    name         TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    duration_ns  INTEGER NOT NULL,
    outcome      TEXT    NOT NULL,
    effect       TEXT    NOT NULL,
    detail       TEXT    NOT NULL
) STRICT;
CREATE INDEX gateway_calls_payment ON gateway_calls (payment_id, id);
CREATE INDEX gateway_calls_gateway ON gateway_calls (gateway_id, id);

-- Gateways' messages as they came, each once. The body is a sealed JSON object.
CREATE TABLE notifications (
    id          TEXT    PRIMARY KEY,
    version     INTEGER NOT NULL CHECK (version > 0),
    gateway_id  INTEGER NOT NULL,
    key         TEXT    NOT NULL,
    type        TEXT    NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('waiting', 'done', 'unknown', 'rejected')),
    received_at INTEGER NOT NULL,
    lease_until INTEGER,
    body        TEXT    NOT NULL
) STRICT;
CREATE UNIQUE INDEX notifications_key ON notifications (gateway_id, key) WHERE key <> '';
CREATE INDEX notifications_state ON notifications (state, id); -- workers read its end of those that wait
CREATE INDEX notifications_gateway ON notifications (gateway_id, state, id);
