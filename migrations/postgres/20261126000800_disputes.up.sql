-- Disputes (chargebacks) of deposits: what a gateway says of each, and what it has done to the payment's credit.
CREATE TABLE disputes (
    id               text        COLLATE "C" PRIMARY KEY,
    version          bigint      NOT NULL CHECK (version > 0),
    gateway_id       bigint      NOT NULL,
    external_id      text        COLLATE "C" NOT NULL, -- the gateway's own
    payment_id       text        COLLATE "C" NOT NULL, -- empty: not known, or none of ours
    tracking_code    text        NOT NULL,
    operation_id     text        COLLATE "C" NOT NULL,
    dealer_id        bigint      NOT NULL,
    provider_id      bigint      NOT NULL,
    state            text        COLLATE "C" NOT NULL CHECK (state IN
                     ('inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed', 'unknown')),
    reason           text        COLLATE "C" NOT NULL,
    currency         text        NOT NULL, -- of what it has done to the payment's credit
    taken_minor      bigint      CHECK (taken_minor >= 0), -- null: nothing
    returned_minor   bigint      CHECK (returned_minor >= 0),
    evidence_due_at  timestamptz,
    created_at       timestamptz NOT NULL,
    next_at          timestamptz,
    lease_until      timestamptz,
    body             text        NOT NULL -- JSON
);
CREATE UNIQUE INDEX disputes_external ON disputes (gateway_id, external_id);
CREATE INDEX disputes_payment ON disputes (payment_id, id) WHERE payment_id <> '';
CREATE INDEX disputes_due ON disputes (gateway_id, next_at, id) WHERE next_at IS NOT NULL;
-- Lists are put together from parts as those of discrepancies are.
CREATE INDEX disputes_state ON disputes (state, id);
CREATE INDEX disputes_dealer ON disputes (dealer_id, state, id);
CREATE INDEX disputes_provider ON disputes (provider_id, state, id);

-- How far the disputes of each gateway account are listed.
CREATE TABLE dispute_listings (
    gateway_id   bigint      PRIMARY KEY,
    version      bigint      NOT NULL CHECK (version > 0),
    listed_until timestamptz,
    next_at      timestamptz,
    lease_until  timestamptz,
    failures     bigint      NOT NULL,
    trouble      text        NOT NULL
);

-- What a dispute takes from a credit, and gives back to it, names the dispute.
ALTER TABLE credits ADD COLUMN dispute_id text COLLATE "C" NOT NULL DEFAULT ''; -- empty: none
ALTER TABLE credits DROP CONSTRAINT credits_source_check;
ALTER TABLE credits ADD CONSTRAINT credits_source_check
    CHECK (source IN ('bank_line', 'operation', 'staff', 'dispute', 'before_credits'));
ALTER TABLE credits ADD CONSTRAINT credit_of_dispute
    CHECK ((source = 'dispute') = (dispute_id <> '') AND (source <> 'dispute' OR number > 1));
CREATE INDEX credits_dispute ON credits (dispute_id) WHERE dispute_id <> '';

CREATE FUNCTION vezne_credit_disputed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM disputes WHERE id = NEW.dispute_id AND payment_id = NEW.payment_id) THEN
        RAISE EXCEPTION 'uncredited: there is no such dispute of the payment' USING ERRCODE = 'VZ005';
    END IF;
    IF (SELECT COALESCE(sum(amount_minor), 0) FROM credits WHERE dispute_id = NEW.dispute_id) + NEW.amount_minor > 0 THEN
        RAISE EXCEPTION 'uncredited: a dispute gives back more than it has taken' USING ERRCODE = 'VZ005';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER credits_disputed BEFORE INSERT ON credits FOR EACH ROW
    WHEN (NEW.dispute_id <> '') EXECUTE FUNCTION vezne_credit_disputed();
