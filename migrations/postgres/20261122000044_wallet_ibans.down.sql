DROP INDEX wallets_iban;
