-- What staff have written about payments, and the files that they attached. What is said is sealed with the customer's key.

-- Notes only grow. 1 is a payment's first.
CREATE TABLE payment_notes (
    payment_id text COLLATE "C" NOT NULL,
    number     bigint NOT NULL CHECK (number BETWEEN 1 AND 200),
    id         text COLLATE "C" NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('text', 'receipt', 'bank_reference')),
    audience   text NOT NULL CHECK (audience IN ('house', 'dealer', 'all')),
    file_type  text NOT NULL CHECK (file_type IN ('', 'application/pdf', 'image/png', 'image/jpeg')),
    file_size  bigint NOT NULL,
    by_kind    text NOT NULL,
    by_id      text NOT NULL,
    by_name    text NOT NULL,
    by_addr    text NOT NULL,
    at         timestamptz NOT NULL,
    key_id     text NOT NULL,
    personal   text NOT NULL, -- sealed; empty: the customer was forgotten
    PRIMARY KEY (payment_id, number)
);

-- Apart, so that a list of notes reads none of it.
CREATE TABLE payment_note_files (
    note_id    text COLLATE "C" PRIMARY KEY,
    payment_id text COLLATE "C" NOT NULL,
    key_id     text NOT NULL,
    content    text NOT NULL -- sealed
);
