CREATE TABLE moves_before (
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
INSERT INTO moves_before SELECT * FROM moves;
DROP TABLE moves;
ALTER TABLE moves_before RENAME TO moves;
