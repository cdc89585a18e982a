-- The house has switched the account off: its dealer's staff need the house to switch it on.
ALTER TABLE accounts ADD COLUMN is_held integer NOT NULL DEFAULT 0;
