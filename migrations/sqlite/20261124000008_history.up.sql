-- A history is read in pages, in the order of its moments: those of one moment in the order of their IDs.
CREATE TABLE moves_in_order (
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
    PRIMARY KEY (payment_id, at, id)
) STRICT;
INSERT INTO moves_in_order SELECT * FROM moves;
DROP TABLE moves;
ALTER TABLE moves_in_order RENAME TO moves;
