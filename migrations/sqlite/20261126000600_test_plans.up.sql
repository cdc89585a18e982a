-- What callers ask to happen to payments of a sandbox. An ordinary payment has no row.
CREATE TABLE test_plans (
    payment_id   TEXT PRIMARY KEY,
    version      INTEGER NOT NULL,
    outcome      TEXT NOT NULL, -- empty: the payment goes its own way
    currency     TEXT NOT NULL,
    amount_minor INTEGER,          -- of the completed deposit; null: its own
    error_code   TEXT NOT NULL,
    delivery     TEXT NOT NULL, -- of its callbacks; empty: once
    delay        INTEGER NOT NULL, -- of its callbacks, in milliseconds
    step         INTEGER NOT NULL, -- how many commands have been given
    due_at       INTEGER         -- of the next one; null: there is none
) STRICT;
CREATE INDEX test_plans_due ON test_plans (due_at, payment_id) WHERE due_at IS NOT NULL;
