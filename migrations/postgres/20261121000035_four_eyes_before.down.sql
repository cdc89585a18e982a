DROP TABLE running_totals;

ALTER TABLE approval_rules
    DROP COLUMN differs_by_minor,
    DROP COLUMN per_day_minor;

-- What held a withdrawal lapses with its claim, as before.
ALTER TABLE payments DROP COLUMN claim_request_id;

UPDATE approvals SET state = 'lapsed' WHERE state = 'obsolete';
ALTER TABLE approvals
    DROP COLUMN payment_id,
    DROP CONSTRAINT approvals_state_check,
    DROP CONSTRAINT four_eyes_none,
    ADD CONSTRAINT approvals_state_check CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'lapsed')),
    ADD CONSTRAINT four_eyes_none CHECK (state NOT IN ('waiting', 'lapsed') OR decided_by = 0);
