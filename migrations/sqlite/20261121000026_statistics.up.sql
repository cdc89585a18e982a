-- When callbacks were delivered or given up: by this statistics find what has changed.
CREATE INDEX callbacks_finished ON callbacks (finished_at) WHERE finished_at IS NOT NULL;

-- Statistics of payments by when they were created: a row for each interval that has any (span: hour, day, month, in the
-- service's time zone), for each choice of dimensions that is kept (dims, bits: 1 method, 2 provider, 4 dealer, 8 gateway),
-- and in it for each of their values, status and currency. A dimension that is not chosen is empty or 0. The sums of all
-- choices are the same. decisions and delays are histograms.
CREATE TABLE statistics (
    span        TEXT    NOT NULL,
    dims        INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    method      TEXT    NOT NULL,
    provider_id INTEGER NOT NULL,
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
    PRIMARY KEY (span, dims, at, method, provider_id, dealer_id, gateway_id, status, currency)
) STRICT, WITHOUT ROWID;

-- How far statistics are: one row. Until built_until every day was counted once; what has changed before read_until has
-- been counted again. Hours are kept from hours_from on. Every step raises the version by one, and fails where another
-- process has done so meanwhile.
CREATE TABLE statistics_state (
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    version     INTEGER NOT NULL,
    zone        TEXT    NOT NULL,
    built_until INTEGER,
    read_until  INTEGER,
    hours_from  INTEGER
) STRICT;
INSERT INTO statistics_state (id, version, zone) VALUES (1, 0, '');
