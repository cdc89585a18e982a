-- Four eyes: what a second person has to approve, and the rules that say so. Texts that may hold secrets are sealed.

-- Who asked and who approved or refused are never one and the same, whatever a program says. What was asked for, and
-- what it issued, are sealed; so is the body: a JSON object of what nothing asks for.
CREATE TABLE approvals (
    id           text        COLLATE "C" PRIMARY KEY,
    version      bigint      NOT NULL CHECK (version > 0),
    state        text        COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'approved', 'refused', 'withdrawn', 'lapsed')),
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
    CONSTRAINT four_eyes_second CHECK (state NOT IN ('approved', 'refused') OR decided_by <> 0 AND decided_by <> requester_id),
    CONSTRAINT four_eyes_own CHECK (state <> 'withdrawn' OR decided_by = requester_id),
    CONSTRAINT four_eyes_none CHECK (state NOT IN ('waiting', 'lapsed') OR decided_by = 0)
);
CREATE INDEX approvals_state ON approvals (state, id);
CREATE INDEX approvals_dealer ON approvals (dealer_id, state, id);
CREATE INDEX approvals_subject ON approvals (subject, state, id);
CREATE INDEX approvals_due ON approvals (expires_at, id) WHERE state = 'waiting';

CREATE TABLE approval_rules (
    action         text        COLLATE "C" PRIMARY KEY,
    version        bigint      NOT NULL CHECK (version > 0),
    is_on          boolean     NOT NULL,
    currency       text        NOT NULL,
    above_minor    bigint,
    lapse_after_ns bigint      NOT NULL,
    updated_at     timestamptz NOT NULL
);
