ALTER TABLE bank_accounts RENAME TO bank_accounts_after;
CREATE TABLE bank_accounts (
    iban    TEXT    PRIMARY KEY, -- normalized
    use     TEXT    NOT NULL CHECK (use IN ('own', 'gateway')),
    holders INTEGER NOT NULL CHECK (holders >= 0)
) STRICT;
INSERT INTO bank_accounts (iban, use, holders)
SELECT iban, CASE use WHEN 'gateway' THEN 'gateway' ELSE 'own' END, holders FROM bank_accounts_after;
DROP TABLE bank_accounts_after;
