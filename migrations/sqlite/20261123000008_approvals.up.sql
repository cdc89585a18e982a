-- Four eyes: what waits for a second person, by which rules, and what somebody did alone in a day. Texts that may hold
-- secrets are sealed.

-- Who asked and who approved or refused are never one and the same, whatever a program says. What was asked for, and
-- what it issued, are sealed; so is the body: a JSON object of what nothing asks for.
CREATE TABLE approvals (
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
CREATE INDEX approvals_state ON approvals (state, id);
CREATE INDEX approvals_dealer ON approvals (dealer_id, state, id);
CREATE INDEX approvals_subject ON approvals (subject, state, id);
CREATE INDEX approvals_due ON approvals (expires_at, id) WHERE state = 'waiting';
CREATE INDEX approvals_requester ON approvals (requester_id, state, id);

CREATE TABLE approval_rules (
    action           TEXT    PRIMARY KEY,
    version          INTEGER NOT NULL CHECK (version > 0),
    is_on            INTEGER NOT NULL,
    currency         TEXT    NOT NULL,
    above_minor      INTEGER,
    lapse_after_ns   INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    per_day_minor    INTEGER, -- null: not set
    differs_by_minor INTEGER -- null: not set
) STRICT;

-- What decisions count on: what somebody did alone in a day, what a second person approved.
CREATE TABLE running_totals (
    key          TEXT    PRIMARY KEY,
    version      INTEGER NOT NULL CHECK (version > 0),
    currency     TEXT    NOT NULL,
    amount_minor INTEGER,
    updated_at   INTEGER NOT NULL
) STRICT;
