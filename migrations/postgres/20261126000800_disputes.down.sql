DROP TRIGGER credits_disputed ON credits;
DROP FUNCTION vezne_credit_disputed();
DROP INDEX credits_dispute;
ALTER TABLE credits DROP CONSTRAINT credit_of_dispute;
ALTER TABLE credits DROP CONSTRAINT credits_source_check;
ALTER TABLE credits ADD CONSTRAINT credits_source_check CHECK (source IN ('bank_line', 'operation', 'staff', 'before_credits'));
ALTER TABLE credits DROP COLUMN dispute_id;
DROP TABLE dispute_listings;
DROP TABLE disputes;
