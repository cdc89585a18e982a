DROP TABLE name_words;
ALTER TABLE callbacks DROP COLUMN personal, DROP COLUMN key_id;
ALTER TABLE payments DROP COLUMN personal, DROP COLUMN key_id,
    ADD COLUMN username text NOT NULL DEFAULT '', ADD COLUMN fullname text NOT NULL DEFAULT '', ADD COLUMN iban text NOT NULL DEFAULT '';
DROP TABLE personal_keys;
