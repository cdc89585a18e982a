-- An account at the bank is one wallet, whichever gateway reads it: a statement that is read twice would count its money twice.

CREATE UNIQUE INDEX wallets_iban ON wallets (iban) WHERE iban <> '';
