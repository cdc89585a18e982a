-- Four eyes before money moves: a request holds the withdrawal that it is about, ends with the payment that it is about,
-- and rules have a bound per person and day.

ALTER TABLE payments ADD COLUMN claim_request_id TEXT NOT NULL DEFAULT ''; -- of approvals; empty: the claim waits for nobody

CREATE TABLE approvals_new (
    id           TEXT    PRIMARY KEY,
    version      INTEGER NOT NULL CHECK (version > 0),
    state        TEXT    NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'lapsed', 'obsolete')),
    subject      TEXT    NOT NULL,
    dealer_id    INTEGER NOT NULL, -- 0: no dealer's
    requester_id INTEGER NOT NULL,
    decided_by   INTEGER NOT NULL, -- 0: nobody
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER NOT NULL,
    decided_at   INTEGER,
    input        TEXT    NOT NULL,
    result       TEXT    NOT NULL,
    body         TEXT    NOT NULL,
    payment_id   TEXT    NOT NULL, -- that had not ended when it was made; empty: none
    CONSTRAINT four_eyes_second CHECK (state NOT IN ('approved', 'refused') OR decided_by <> 0 AND decided_by <> requester_id),
    CONSTRAINT four_eyes_own CHECK (state <> 'withdrawn' OR decided_by = requester_id),
    CONSTRAINT four_eyes_none CHECK (state NOT IN ('waiting', 'lapsed', 'obsolete') OR decided_by = 0)
) STRICT;
INSERT INTO approvals_new SELECT id, version, state, subject, dealer_id, requester_id, decided_by, created_at, expires_at, decided_at, input, result, body, '' FROM approvals;
DROP TABLE approvals;
ALTER TABLE approvals_new RENAME TO approvals;
CREATE INDEX approvals_state ON approvals (state, id);
CREATE INDEX approvals_dealer ON approvals (dealer_id, state, id);
CREATE INDEX approvals_subject ON approvals (subject, state, id);
CREATE INDEX approvals_due ON approvals (expires_at, id) WHERE state = 'waiting';
CREATE INDEX approvals_requester ON approvals (requester_id, state, id);

ALTER TABLE approval_rules ADD COLUMN per_day_minor INTEGER; -- null: not set
ALTER TABLE approval_rules ADD COLUMN differs_by_minor INTEGER; -- null: not set

-- What decisions count on: what somebody did alone in a day, what a second person approved.
CREATE TABLE running_totals (
    key          TEXT    PRIMARY KEY,
    version      INTEGER NOT NULL CHECK (version > 0),
    currency     TEXT    NOT NULL,
    amount_minor INTEGER,
    updated_at   INTEGER NOT NULL
) STRICT;
