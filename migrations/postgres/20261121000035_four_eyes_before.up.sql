-- Four eyes before money moves: a request holds the withdrawal that it is about, ends with the payment that it is about,
-- and rules have a bound per person and day.

ALTER TABLE payments ADD COLUMN claim_request_id text NOT NULL DEFAULT ''; -- of approvals; empty: the claim waits for nobody

ALTER TABLE approvals
    ADD COLUMN payment_id text COLLATE "C" NOT NULL DEFAULT '', -- that had not ended when it was made; empty: none
    DROP CONSTRAINT approvals_state_check,
    DROP CONSTRAINT four_eyes_none,
    ADD CONSTRAINT approvals_state_check
        CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'lapsed', 'obsolete')),
    ADD CONSTRAINT four_eyes_none CHECK (state NOT IN ('waiting', 'lapsed', 'obsolete') OR decided_by = 0);

ALTER TABLE approval_rules
    ADD COLUMN per_day_minor bigint,    -- null: not set
    ADD COLUMN differs_by_minor bigint; -- null: not set

-- What decisions count on: what somebody did alone in a day, what a second person approved.
CREATE TABLE running_totals (
    key          text        COLLATE "C" PRIMARY KEY,
    version      bigint      NOT NULL CHECK (version > 0),
    currency     text        NOT NULL,
    amount_minor bigint,
    updated_at   timestamptz NOT NULL
);
