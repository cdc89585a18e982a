DROP TABLE reconciliations;
DROP TABLE feeds;
DROP TABLE bank_line_counts;
DROP TABLE bank_lines;
DROP TABLE ledger_entries;
DROP TABLE wallet_balances;
DROP TABLE wallets;
