-- Four eyes: what waits for a second person, by which rules, and what somebody did alone in a day. Texts that may hold
-- secrets are sealed.

-- Who asked and who approved or refused are never one and the same, whatever a program says. What was asked for, and
-- what it issued, are sealed; so is the body: a JSON object of what nothing asks for.
CREATE TABLE approvals (
    id           text        COLLATE "C" PRIMARY KEY,
    version      bigint      NOT NULL CHECK (version > 0),
    state        text        COLLATE "C" NOT NULL CHECK (state IN (
        'waiting', 'approved', 'refused', 'withdrawn', 'lapsed', 'obsolete'
    )),
    subject      text        COLLATE "C" NOT NULL,
    dealer_id    bigint      NOT NULL, -- 0: no dealer's
    requester_id bigint      NOT NULL,
    decided_by   bigint      NOT NULL, -- 0: nobody
    created_at   timestamptz NOT NULL,
    expires_at   timestamptz NOT NULL,
    decided_at   timestamptz,
    input        text        NOT NULL,
    result       text        NOT NULL,
    body         text        NOT NULL,
    payment_id   text        COLLATE "C" NOT NULL DEFAULT '', -- that had not ended when it was made; empty: none
    CONSTRAINT four_eyes_second CHECK (state NOT IN ('approved', 'refused') OR decided_by <> 0 AND decided_by <> requester_id),
    CONSTRAINT four_eyes_own CHECK (state <> 'withdrawn' OR decided_by = requester_id),
    CONSTRAINT four_eyes_none CHECK (state NOT IN ('waiting', 'lapsed', 'obsolete') OR decided_by = 0)
);
CREATE INDEX approvals_state ON approvals (state, id);
CREATE INDEX approvals_dealer ON approvals (dealer_id, state, id);
CREATE INDEX approvals_subject ON approvals (subject, state, id);
CREATE INDEX approvals_due ON approvals (expires_at, id) WHERE state = 'waiting';
-- What a staff member has asked for: whoever asks is told that the same waits already.
CREATE INDEX approvals_requester ON approvals (requester_id, state, id);

CREATE TABLE approval_rules (
    action           text        COLLATE "C" PRIMARY KEY,
    version          bigint      NOT NULL CHECK (version > 0),
    is_on            boolean     NOT NULL,
    currency         text        NOT NULL,
    above_minor      bigint,
    lapse_after_ns   bigint      NOT NULL,
    updated_at       timestamptz NOT NULL,
    per_day_minor    bigint, -- null: not set
    differs_by_minor bigint -- null: not set
);

-- What decisions count on: what somebody did alone in a day, what a second person approved.
CREATE TABLE running_totals (
    key          text        COLLATE "C" PRIMARY KEY,
    version      bigint      NOT NULL CHECK (version > 0),
    currency     text        NOT NULL,
    amount_minor bigint,
    updated_at   timestamptz NOT NULL
);
