-- Adjustments stay in the ledger: it would not add up without them. What they settle is forgotten.
ALTER TABLE reconciliations DROP COLUMN adjusted_minor;
DROP INDEX ledger_entries_day;
ALTER TABLE ledger_entries DROP COLUMN made_by;
ALTER TABLE ledger_entries DROP COLUMN number;
ALTER TABLE ledger_entries DROP COLUMN day;
