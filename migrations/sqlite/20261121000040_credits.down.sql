DROP TRIGGER payments_credited;
DROP TABLE credits;
ALTER TABLE dealers DROP COLUMN hand_credit_max_minor;
ALTER TABLE bank_lines DROP COLUMN was_doubtful;
ALTER TABLE operations DROP COLUMN brought_minor;
