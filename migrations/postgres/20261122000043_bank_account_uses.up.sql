-- Who tells what came in to a dealer's bank account: its statement or staff, never both. One that was both before is its
-- statement's: no further account for manual deposits is made of it.

ALTER TABLE bank_accounts DROP CONSTRAINT bank_accounts_use_check;
UPDATE bank_accounts SET use = CASE
    WHEN iban IN (
        SELECT upper(replace(iban, ' ', '')) FROM wallets
        UNION SELECT upper(replace(iban, ' ', '')) FROM accounts WHERE kind = 'eiban'
    ) THEN 'statement'
    ELSE 'manual'
END WHERE use = 'own';
ALTER TABLE bank_accounts ADD CONSTRAINT bank_accounts_use_check CHECK (use IN ('statement', 'manual', 'gateway'));
