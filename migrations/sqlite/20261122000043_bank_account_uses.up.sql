-- Who tells what came in to a dealer's bank account: its statement or staff, never both. A CHECK can't be altered, so that
-- the table is made anew. One that was both before is its statement's: no further account for manual deposits is made of it.

ALTER TABLE bank_accounts RENAME TO bank_accounts_before;
CREATE TABLE bank_accounts (
    iban    TEXT    PRIMARY KEY, -- normalized
    use     TEXT    NOT NULL CHECK (use IN ('statement', 'manual', 'gateway')),
    holders INTEGER NOT NULL CHECK (holders >= 0)
) STRICT;
INSERT INTO bank_accounts (iban, use, holders)
SELECT b.iban, CASE
    WHEN b.use = 'gateway' THEN 'gateway'
    WHEN b.iban IN (
        SELECT upper(replace(iban, ' ', '')) FROM wallets
        UNION SELECT upper(replace(iban, ' ', '')) FROM accounts WHERE kind = 'eiban'
    ) THEN 'statement'
    ELSE 'manual'
END, b.holders
FROM bank_accounts_before AS b;
DROP TABLE bank_accounts_before;
