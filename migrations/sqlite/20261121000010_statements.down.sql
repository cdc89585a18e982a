DROP INDEX payments_desk;
DROP INDEX payments_account;
ALTER TABLE payments DROP COLUMN claimed_until;
ALTER TABLE payments DROP COLUMN claim_name;
ALTER TABLE payments DROP COLUMN claim_staff_id;
DROP TABLE reconciliations;
DROP TABLE feeds;
