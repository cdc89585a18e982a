-- What corrections of credits come to, beside the payment and in statistics.
ALTER TABLE payments ADD COLUMN corrected_minor bigint; -- null: none
ALTER TABLE statistics ADD COLUMN corrected bigint NOT NULL DEFAULT 0;
UPDATE payments SET corrected_minor = (SELECT sum(amount_minor) FROM credits WHERE payment_id = payments.id AND number > 1)
WHERE id IN (SELECT payment_id FROM credits WHERE number > 1);
