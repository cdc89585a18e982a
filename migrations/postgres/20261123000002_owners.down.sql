DROP TABLE bank_accounts;
DROP TABLE account_loads;
DROP TABLE accounts;
DROP TABLE blocks;
DROP TABLE site_tokens;
DROP TABLE sites;
DROP TABLE dealers;
DROP TABLE providers;
