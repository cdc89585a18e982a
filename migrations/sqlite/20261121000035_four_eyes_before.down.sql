DROP TABLE running_totals;

ALTER TABLE approval_rules DROP COLUMN differs_by_minor;
ALTER TABLE approval_rules DROP COLUMN per_day_minor;

-- What held a withdrawal lapses with its claim, as before.
ALTER TABLE payments DROP COLUMN claim_request_id;

UPDATE approvals SET state = 'lapsed' WHERE state = 'obsolete';
CREATE TABLE approvals_new (
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
INSERT INTO approvals_new SELECT id, version, state, subject, dealer_id, requester_id, decided_by, created_at, expires_at, decided_at, input, result, body FROM approvals;
DROP TABLE approvals;
ALTER TABLE approvals_new RENAME TO approvals;
CREATE INDEX approvals_state ON approvals (state, id);
CREATE INDEX approvals_dealer ON approvals (dealer_id, state, id);
CREATE INDEX approvals_subject ON approvals (subject, state, id);
CREATE INDEX approvals_due ON approvals (expires_at, id) WHERE state = 'waiting';
CREATE INDEX approvals_requester ON approvals (requester_id, state, id);
