DROP TABLE account_loads;
DROP TABLE accounts;
