-- Personal data of customers is sealed under a key of each customer's own, and found by keyed hashes.

-- Texts that are plain cannot be sealed here: the keys are not in the database. This stops where there are payments.
CREATE TABLE start_with_an_empty_database (payments INTEGER NOT NULL CHECK (payments = 0)) STRICT;
INSERT INTO start_with_an_empty_database SELECT count(*) FROM (SELECT 1 FROM payments LIMIT 1);
DROP TABLE start_with_an_empty_database;

-- Data keys, sealed under the master key. A customer's has the id of their first payment; index is the key of the hashes.
-- An empty sealed_key: it was destroyed, and what it sealed is gone.
CREATE TABLE personal_keys (
    id           TEXT PRIMARY KEY,
    fingerprint  TEXT NOT NULL, -- keyed hash of whose it is; empty: nobody's any more
    sealed_key   TEXT NOT NULL,
    destroyed_at INTEGER -- null: it is in use
) STRICT;
CREATE UNIQUE INDEX personal_keys_fingerprint ON personal_keys (fingerprint) WHERE fingerprint <> '';

ALTER TABLE payments DROP COLUMN username;
ALTER TABLE payments DROP COLUMN fullname;
ALTER TABLE payments DROP COLUMN iban;
ALTER TABLE payments ADD COLUMN key_id TEXT NOT NULL DEFAULT '';
ALTER TABLE payments ADD COLUMN personal TEXT NOT NULL DEFAULT ''; -- sealed JSON; empty: the customer was forgotten

ALTER TABLE callbacks ADD COLUMN key_id TEXT NOT NULL DEFAULT '';
ALTER TABLE callbacks ADD COLUMN personal TEXT NOT NULL DEFAULT ''; -- sealed JSON: what the payload says of the customer

-- The words that names begin with, folded. Nothing leads from a word to a payment but its keyed hash, which is in
-- payment_terms. There, words are beginnings of the hashes of all words of the name, behind a space each.
CREATE TABLE name_words (
    word TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
