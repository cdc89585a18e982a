-- What staff have written about payments, and the files that they attached. What is said is sealed with the customer's key.

-- Notes only grow. 1 is a payment's first.
CREATE TABLE payment_notes (
    payment_id TEXT NOT NULL,
    number     INTEGER NOT NULL CHECK (number BETWEEN 1 AND 200),
    id         TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('text', 'receipt', 'bank_reference')),
    audience   TEXT NOT NULL CHECK (audience IN ('house', 'dealer', 'all')),
    file_type  TEXT NOT NULL CHECK (file_type IN ('', 'application/pdf', 'image/png', 'image/jpeg')),
    file_size  INTEGER NOT NULL,
    by_kind    TEXT NOT NULL,
    by_id      TEXT NOT NULL,
    by_name    TEXT NOT NULL,
    by_addr    TEXT NOT NULL,
    at         INTEGER NOT NULL,
    key_id     TEXT NOT NULL,
    personal   TEXT NOT NULL, -- sealed; empty: the customer was forgotten
    PRIMARY KEY (payment_id, number)
) STRICT;

-- Apart, so that a list of notes reads none of it.
CREATE TABLE payment_note_files (
    note_id    TEXT PRIMARY KEY,
    payment_id TEXT NOT NULL,
    key_id     TEXT NOT NULL,
    content    TEXT NOT NULL -- sealed
) STRICT;
