-- Personal data of customers is sealed under a key of each customer's own, and found by keyed hashes.

-- Texts that are plain cannot be sealed here: the keys are not in the database.
DO $$
BEGIN
    IF EXISTS (SELECT 1 FROM payments) THEN
        RAISE EXCEPTION 'payments of before this migration are not sealed: start with an empty database';
    END IF;
END
$$;

-- Data keys, sealed under the master key. A customer's has the id of their first payment; index is the key of the hashes.
-- An empty sealed_key: it was destroyed, and what it sealed is gone.
CREATE TABLE personal_keys (
    id           text COLLATE "C" PRIMARY KEY,
    fingerprint  text COLLATE "C" NOT NULL, -- keyed hash of whose it is; empty: nobody's any more
    sealed_key   text NOT NULL,
    destroyed_at timestamptz -- null: it is in use
);
CREATE UNIQUE INDEX personal_keys_fingerprint ON personal_keys (fingerprint) WHERE fingerprint <> '';

ALTER TABLE payments DROP COLUMN username, DROP COLUMN fullname, DROP COLUMN iban,
    ADD COLUMN key_id text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN personal text NOT NULL DEFAULT ''; -- sealed JSON; empty: the customer was forgotten

ALTER TABLE callbacks ADD COLUMN key_id text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN personal text NOT NULL DEFAULT ''; -- sealed JSON: what the payload says of the customer

-- The words that names begin with, folded. Nothing leads from a word to a payment but its keyed hash, which is in
-- payment_terms. There, words are beginnings of the hashes of all words of the name, behind a space each.
CREATE TABLE name_words (
    word text COLLATE "C" PRIMARY KEY
);
