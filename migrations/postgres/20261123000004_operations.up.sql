-- The accounts at payment gateways, and what is done there. Texts that hold secrets are sealed, never plain.

-- Contracts with gateways. The configurations are sealed.
CREATE TABLE gateway_accounts (
    id                  bigint      PRIMARY KEY,
    version             bigint      NOT NULL CHECK (version > 0),
    plugin              text        NOT NULL,
    code                text        COLLATE "C" NOT NULL,
    name                text        NOT NULL,
    description         text        NOT NULL,
    environment         text        NOT NULL,
    is_enabled          boolean     NOT NULL,
    config              text        NOT NULL,
    previous_config     text        NOT NULL,
    hook_token          text        COLLATE "C" NOT NULL,
    priority            bigint      NOT NULL,
    weight              bigint      NOT NULL,
    currency            text        NOT NULL,
    min_minor           bigint      CHECK (min_minor >= 0),
    max_minor           bigint      CHECK (max_minor >= 0),
    approval_from_minor bigint      CHECK (approval_from_minor >= 0),
    trouble             text        NOT NULL,
    created_at          timestamptz NOT NULL,
    updated_at          timestamptz NOT NULL,
    collects            text        NOT NULL DEFAULT '' -- normalized IBANs, separated by commas
);
CREATE UNIQUE INDEX gateway_accounts_code ON gateway_accounts (code) WHERE code <> '';
CREATE UNIQUE INDEX gateway_accounts_hook_token ON gateway_accounts (hook_token) WHERE hook_token <> '';

-- Which payments go to which of them. 0, empty and null match any.
CREATE TABLE route_rules (
    id          bigint      PRIMARY KEY,
    version     bigint      NOT NULL CHECK (version > 0),
    name        text        NOT NULL,
    is_active   boolean     NOT NULL,
    kind        text        NOT NULL,
    provider_id bigint      NOT NULL,
    site_id     bigint      NOT NULL,
    currency    text        NOT NULL,
    min_minor   bigint      CHECK (min_minor >= 0),
    max_minor   bigint      CHECK (max_minor >= 0),
    gateway_id  bigint      NOT NULL,
    priority    bigint      NOT NULL,
    weight      bigint      NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL
);

-- Everything that nothing asks for is in the body: a sealed JSON object, with the gateway's own state and what the
-- customer filled in. Leasing an operation changes no indexed column, so that with room in the page it is an update in
-- place.
CREATE TABLE operations (
    id            text        COLLATE "C" PRIMARY KEY,
    version       bigint      NOT NULL CHECK (version > 0),
    payment_id    text        COLLATE "C" NOT NULL,
    kind          text        NOT NULL,
    gateway_id    bigint      NOT NULL,
    ref           text        COLLATE "C" NOT NULL,
    return_token  text        COLLATE "C" NOT NULL, -- of the customer's return address; empty for payouts and refunds
    external_id   text        COLLATE "C" NOT NULL, -- the gateway's own; empty until it is known
    phase         text        NOT NULL CHECK (phase IN ('planned', 'calling', 'open', 'late', 'closed')),
    state         text        NOT NULL, -- the gateway's
    next_at       timestamptz,
    lease_until   timestamptz,
    created_at    timestamptz NOT NULL,
    body          text        NOT NULL,
    brought_minor bigint -- null: nothing yet
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE UNIQUE INDEX operations_ref ON operations (ref) WHERE ref <> '';
CREATE UNIQUE INDEX operations_return_token ON operations (return_token) WHERE return_token <> '';
CREATE INDEX operations_payment ON operations (payment_id, id);
CREATE INDEX operations_due ON operations (gateway_id, next_at, id) WHERE next_at IS NOT NULL;
CREATE INDEX operations_external ON operations (external_id, gateway_id, id) WHERE external_id <> '';

-- Money that a payment's own course does not account for.
CREATE TABLE discrepancies (
    id            text        COLLATE "C" PRIMARY KEY,
    version       bigint      NOT NULL CHECK (version > 0),
    payment_id    text        COLLATE "C" NOT NULL,
    tracking_code text        NOT NULL,
    operation_id  text        NOT NULL,
    gateway_id    bigint      NOT NULL,
    dealer_id     bigint      NOT NULL,
    kind          text        NOT NULL,
    state         text        COLLATE "C" NOT NULL CHECK (state IN
                  ('open', 'accepted', 'refunding', 'refunded', 'written_off', 'settled')),
    created_at    timestamptz NOT NULL,
    body          text        NOT NULL, -- JSON
    provider_id   bigint      NOT NULL DEFAULT 0
);
-- Lists are put together from parts as those of payments are.
CREATE INDEX discrepancies_state ON discrepancies (state, id);
CREATE INDEX discrepancies_payment ON discrepancies (payment_id, id);
CREATE INDEX discrepancies_dealer ON discrepancies (dealer_id, state, id);
CREATE INDEX discrepancies_provider ON discrepancies (provider_id, state, id);

CREATE TABLE gateway_calls (
    id           text        COLLATE "C" PRIMARY KEY,
    gateway_id   bigint      NOT NULL,
    operation_id text        NOT NULL, -- empty: not about a payment
    payment_id   text        COLLATE "C" NOT NULL, -- empty: as above
    name         text        NOT NULL,
    at           timestamptz NOT NULL,
    duration_ns  bigint      NOT NULL,
    outcome      text        NOT NULL,
    effect       text        NOT NULL,
    detail       text        NOT NULL
);
CREATE INDEX gateway_calls_payment ON gateway_calls (payment_id, id);
CREATE INDEX gateway_calls_gateway ON gateway_calls (gateway_id, id);

-- Gateways' messages as they came, each once. The body is a sealed JSON object.
CREATE TABLE notifications (
    id          text        COLLATE "C" PRIMARY KEY,
    version     bigint      NOT NULL CHECK (version > 0),
    gateway_id  bigint      NOT NULL,
    key         text        COLLATE "C" NOT NULL,
    type        text        NOT NULL,
    state       text        COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'done', 'unknown', 'rejected')),
    received_at timestamptz NOT NULL,
    lease_until timestamptz,
    body        text        NOT NULL
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
CREATE UNIQUE INDEX notifications_key ON notifications (gateway_id, key) WHERE key <> '';
CREATE INDEX notifications_state ON notifications (state, id); -- workers read its end of those that wait
CREATE INDEX notifications_gateway ON notifications (gateway_id, state, id);
