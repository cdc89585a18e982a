ALTER TABLE statistics DROP COLUMN corrected;
ALTER TABLE payments DROP COLUMN corrected_minor;
