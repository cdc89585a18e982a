-- What callers ask to happen to payments of a sandbox. An ordinary payment has no row.
CREATE TABLE test_plans (
    payment_id   text COLLATE "C" PRIMARY KEY,
    version      bigint NOT NULL,
    outcome      text NOT NULL, -- empty: the payment goes its own way
    currency     text NOT NULL,
    amount_minor bigint,          -- of the completed deposit; null: its own
    error_code   text NOT NULL,
    delivery     text NOT NULL, -- of its callbacks; empty: once
    delay        bigint NOT NULL, -- of its callbacks, in milliseconds
    step         bigint NOT NULL, -- how many commands have been given
    due_at       timestamptz         -- of the next one; null: there is none
);
CREATE INDEX test_plans_due ON test_plans (due_at, payment_id) WHERE due_at IS NOT NULL;
