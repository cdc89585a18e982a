-- What a commit needs beside the rows it writes. Times are microseconds since 1970 in UTC, here and in every table.

-- First answers of creating calls; a key belongs to its caller and endpoint.
CREATE TABLE idempotency_records (
    caller          TEXT    NOT NULL,
    endpoint        TEXT    NOT NULL,
    idempotency_key TEXT    NOT NULL,
    request_hash    TEXT    NOT NULL,
    status          INTEGER NOT NULL,
    body            BLOB    NOT NULL,
    created_at      INTEGER NOT NULL,
    replaces_before INTEGER,
    PRIMARY KEY (caller, endpoint, idempotency_key)
) STRICT;
CREATE INDEX idempotency_records_created_at ON idempotency_records (created_at);

-- Integer ids of owners, accounts and staff: a row each, so that both databases count alike.
CREATE TABLE sequences (
    name  TEXT    PRIMARY KEY,
    value INTEGER NOT NULL CHECK (value > 0)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_entries (
    id           TEXT    PRIMARY KEY,
    at           INTEGER NOT NULL,
    by_kind      TEXT    NOT NULL,
    by_id        TEXT    NOT NULL,
    by_name      TEXT    NOT NULL,
    by_addr      TEXT    NOT NULL,
    action       TEXT    NOT NULL,
    target       TEXT    NOT NULL,
    reason       TEXT    NOT NULL,
    before_state TEXT    NOT NULL,
    after_state  TEXT    NOT NULL
) STRICT;
CREATE INDEX audit_entries_target ON audit_entries (target, id);
