-- Four eyes: what a second person has to approve, and the rules that say so. Texts that may hold secrets are sealed.

-- Who asked and who approved or refused are never one and the same, whatever a program says. What was asked for, and
-- what it issued, are sealed; so is the body: a JSON object of what nothing asks for.
CREATE TABLE approvals (
    id           TEXT    PRIMARY KEY,
    version      INTEGER NOT NULL CHECK (version > 0),
    state        TEXT    NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'lapsed')),
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
    CONSTRAINT four_eyes_second CHECK (state NOT IN ('approved', 'refused') OR decided_by <> 0 AND decided_by <> requester_id),
    CONSTRAINT four_eyes_own CHECK (state <> 'withdrawn' OR decided_by = requester_id),
    CONSTRAINT four_eyes_none CHECK (state NOT IN ('waiting', 'lapsed') OR decided_by = 0)
) STRICT;
CREATE INDEX approvals_state ON approvals (state, id);
CREATE INDEX approvals_dealer ON approvals (dealer_id, state, id);
CREATE INDEX approvals_subject ON approvals (subject, state, id);
CREATE INDEX approvals_due ON approvals (expires_at, id) WHERE state = 'waiting';

CREATE TABLE approval_rules (
    action         TEXT    PRIMARY KEY,
    version        INTEGER NOT NULL CHECK (version > 0),
    is_on          INTEGER NOT NULL,
    currency       TEXT    NOT NULL,
    above_minor    INTEGER,
    lapse_after_ns INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL
) STRICT;
