ALTER TABLE bank_accounts DROP CONSTRAINT bank_accounts_use_check;
UPDATE bank_accounts SET use = 'own' WHERE use <> 'gateway';
ALTER TABLE bank_accounts ADD CONSTRAINT bank_accounts_use_check CHECK (use IN ('own', 'gateway'));
