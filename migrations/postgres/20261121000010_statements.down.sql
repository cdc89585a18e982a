DROP INDEX payments_desk;
DROP INDEX payments_account;
ALTER TABLE payments
    DROP COLUMN claimed_until,
    DROP COLUMN claim_name,
    DROP COLUMN claim_staff_id;
DROP TABLE reconciliations;
DROP TABLE feeds;
