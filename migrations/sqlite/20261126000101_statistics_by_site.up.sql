-- Statistics are told apart by the site as well: they are counted anew from the payments, which are all there.
DROP TABLE statistics;

-- Statistics of payments by when they were created: a row for each interval that has any (span: hour, day, month, in the
-- service's time zone), for each choice of dimensions that is kept (dims, bits: 1 method, 2 provider, 4 dealer, 8 gateway,
-- 16 site),
-- and in it for each of their values, status and currency. A dimension that is not chosen is empty or 0. The sums of all
-- choices are the same. decisions and delays are histograms.
CREATE TABLE statistics (
    span        TEXT    NOT NULL,
    dims        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    method      TEXT    NOT NULL,
    provider_id INTEGER NOT NULL,
    site_id     INTEGER NOT NULL,
    dealer_id   INTEGER NOT NULL,
    gateway_id  INTEGER NOT NULL,
    status      TEXT    NOT NULL,
    currency    TEXT    NOT NULL,
    count       INTEGER NOT NULL,
    ended       INTEGER NOT NULL,
    approved    INTEGER NOT NULL,
    requested   INTEGER NOT NULL,
    final       INTEGER NOT NULL,
    decisions   TEXT    NOT NULL,
    delivered   INTEGER NOT NULL,
    failed      INTEGER NOT NULL,
    delays      TEXT    NOT NULL,
    corrected   INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (span, dims, at, method, provider_id, site_id, dealer_id, gateway_id, status, currency)
) STRICT, WITHOUT ROWID;

UPDATE statistics_state SET version = version + 1, zone = '', built_until = NULL, read_until = NULL, hours_from = NULL;
