DROP TABLE statistics;

-- Statistics of payments by when they were created: a row for each interval that has any (span: hour, day, month, in the
-- service's time zone), for each choice of dimensions that is kept (dims, bits: 1 method, 2 provider, 4 dealer, 8 gateway),
-- and in it for each of their values, status and currency. A dimension that is not chosen is empty or 0. The sums of all
-- choices are the same. decisions and delays are histograms.
CREATE TABLE statistics (
    span        text        COLLATE "C" NOT NULL,
    dims        bigint      NOT NULL,
    at          timestamptz NOT NULL,
    method      text        COLLATE "C" NOT NULL,
    provider_id bigint      NOT NULL,
    dealer_id   bigint      NOT NULL,
    gateway_id  bigint      NOT NULL,
    status      text        COLLATE "C" NOT NULL,
    currency    text        COLLATE "C" NOT NULL,
    count       bigint      NOT NULL,
    ended       bigint      NOT NULL,
    approved    bigint      NOT NULL,
    requested   bigint      NOT NULL,
    final       bigint      NOT NULL,
    decisions   text        NOT NULL,
    delivered   bigint      NOT NULL,
    failed      bigint      NOT NULL,
    delays      text        NOT NULL,
    corrected   bigint      NOT NULL DEFAULT 0,
    PRIMARY KEY (span, dims, at, method, provider_id, dealer_id, gateway_id, status, currency)
) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);

UPDATE statistics_state SET version = version + 1, zone = '', built_until = NULL, read_until = NULL, hours_from = NULL;
