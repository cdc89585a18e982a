-- Disputes (chargebacks) of deposits: what a gateway says of each, and what it has done to the payment's credit.
CREATE TABLE disputes (
    id               TEXT    PRIMARY KEY,
    version          INTEGER NOT NULL CHECK (version > 0),
    gateway_id       INTEGER NOT NULL,
    external_id      TEXT    NOT NULL, -- the gateway's own
    payment_id       TEXT    NOT NULL, -- empty: not known, or none of ours
    tracking_code    TEXT    NOT NULL,
    operation_id     TEXT    NOT NULL,
    dealer_id        INTEGER NOT NULL,
    provider_id      INTEGER NOT NULL,
    state            TEXT    NOT NULL CHECK (state IN
                     ('inquiry', 'needs_response', 'under_review', 'won', 'lost', 'closed', 'unknown')),
    reason           TEXT    NOT NULL,
    currency         TEXT    NOT NULL, -- of what it has done to the payment's credit
    taken_minor      INTEGER CHECK (taken_minor >= 0), -- null: nothing
    returned_minor   INTEGER CHECK (returned_minor >= 0),
    evidence_due_at  INTEGER,
    created_at       INTEGER NOT NULL,
    next_at          INTEGER,
    lease_until      INTEGER,
    body             TEXT    NOT NULL -- JSON
) STRICT;
CREATE UNIQUE INDEX disputes_external ON disputes (gateway_id, external_id);
CREATE INDEX disputes_payment ON disputes (payment_id, id) WHERE payment_id <> '';
CREATE INDEX disputes_due ON disputes (gateway_id, next_at, id) WHERE next_at IS NOT NULL;
-- Lists are put together from parts as those of discrepancies are.
CREATE INDEX disputes_state ON disputes (state, id);
CREATE INDEX disputes_dealer ON disputes (dealer_id, state, id);
CREATE INDEX disputes_provider ON disputes (provider_id, state, id);

-- How far the disputes of each gateway account are listed.
CREATE TABLE dispute_listings (
    gateway_id   INTEGER PRIMARY KEY,
    version      INTEGER NOT NULL CHECK (version > 0),
    listed_until INTEGER,
    next_at      INTEGER,
    lease_until  INTEGER,
    failures     INTEGER NOT NULL,
    trouble      TEXT    NOT NULL
) STRICT;

-- What a dispute takes from a credit, and gives back to it, names the dispute.
CREATE TABLE credits_new (
    payment_id    TEXT    NOT NULL,
    number        INTEGER NOT NULL CHECK (number > 0), -- 1: the credit; from 2: its corrections
    id            TEXT    NOT NULL,
    version       INTEGER NOT NULL CHECK (version IN (1, 2)), -- 2: the money for a word has come
    tracking_code TEXT    NOT NULL,
    dealer_id     INTEGER NOT NULL,
    provider_id   INTEGER NOT NULL,
    currency      TEXT    NOT NULL,
    amount_minor  INTEGER NOT NULL,
    source        TEXT    NOT NULL CHECK (source IN ('bank_line', 'operation', 'staff', 'dispute', 'before_credits')),
    wallet_id     INTEGER NOT NULL, -- of the bank line; 0: none
    line_id       TEXT    NOT NULL, -- empty: none
    operation_id  TEXT    NOT NULL, -- empty: none
    brought_minor INTEGER NOT NULL, -- by the line or the operation
    by_kind       TEXT    NOT NULL,
    by_id         TEXT    NOT NULL,
    by_name       TEXT    NOT NULL,
    by_addr       TEXT    NOT NULL,
    reason        TEXT    NOT NULL,
    at            INTEGER NOT NULL,
    awaits_money  INTEGER NOT NULL,
    dispute_id    TEXT    NOT NULL DEFAULT '', -- empty: none
    PRIMARY KEY (payment_id, number),
    CONSTRAINT credit_something CHECK (number > 1 OR amount_minor > 0),
    CONSTRAINT credit_of_line CHECK (source <> 'bank_line' OR line_id <> '' AND operation_id = ''),
    CONSTRAINT credit_of_operation CHECK (source <> 'operation' OR operation_id <> '' AND line_id = ''),
    CONSTRAINT credit_of_none CHECK (source IN ('bank_line', 'operation') OR version = 2 OR line_id = '' AND operation_id = ''),
    CONSTRAINT credit_brought CHECK (source NOT IN ('bank_line', 'operation') OR amount_minor <= brought_minor),
    CONSTRAINT credit_of_dispute CHECK ((source = 'dispute') = (dispute_id <> '') AND (source <> 'dispute' OR number > 1)),
    CONSTRAINT credit_word CHECK (version = 1 OR awaits_money AND source = 'staff' AND (line_id <> '' OR operation_id <> ''))
) STRICT;
INSERT INTO credits_new (payment_id, number, id, version, tracking_code, dealer_id, provider_id, currency, amount_minor, source, wallet_id, line_id, operation_id, brought_minor, by_kind, by_id, by_name, by_addr, reason, at, awaits_money)
SELECT payment_id, number, id, version, tracking_code, dealer_id, provider_id, currency, amount_minor, source, wallet_id, line_id, operation_id, brought_minor, by_kind, by_id, by_name, by_addr, reason, at, awaits_money FROM credits;
-- A trigger that names the table is taken away while there is none of the name.
DROP TRIGGER payments_credited;
DROP TRIGGER credits_no_delete;
DROP TABLE credits;
ALTER TABLE credits_new RENAME TO credits;
-- Each line and each operation is behind one credit at most, ever.
CREATE UNIQUE INDEX credits_line ON credits (wallet_id, line_id) WHERE line_id <> '';
CREATE UNIQUE INDEX credits_operation ON credits (operation_id) WHERE operation_id <> '';
CREATE INDEX credits_awaiting ON credits (payment_id) WHERE awaits_money AND version = 1;
-- Whoever may write to the file can take these away; then the hourly check shows what was done. INSERT OR REPLACE deletes
-- without telling a trigger on deletions, so that inserting what is there is refused before it.
CREATE TRIGGER credits_no_replace BEFORE INSERT ON credits
WHEN EXISTS (SELECT 1 FROM credits WHERE payment_id = NEW.payment_id AND number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'taken: credits'); END;
CREATE TRIGGER credits_no_delete BEFORE DELETE ON credits
BEGIN SELECT RAISE(ABORT, 'uncredited: a credit is never changed'); END;
CREATE TRIGGER credits_covered BEFORE INSERT ON credits
WHEN NEW.line_id <> '' AND NEW.brought_minor > COALESCE((SELECT amount_minor FROM bank_lines
        WHERE wallet_id = NEW.wallet_id AND line_id = NEW.line_id AND direction = 'incoming'), 0)
    OR NEW.operation_id <> '' AND NEW.brought_minor > COALESCE((SELECT brought_minor FROM operations
        WHERE id = NEW.operation_id AND payment_id = NEW.payment_id), 0)
BEGIN SELECT RAISE(ABORT, 'uncredited: its source brought less'); END;
CREATE TRIGGER credits_bound BEFORE UPDATE ON credits
WHEN NEW.line_id <> '' AND NEW.brought_minor > COALESCE((SELECT amount_minor FROM bank_lines
        WHERE wallet_id = NEW.wallet_id AND line_id = NEW.line_id AND direction = 'incoming'), 0)
    OR NEW.operation_id <> '' AND NEW.brought_minor > COALESCE((SELECT brought_minor FROM operations
        WHERE id = NEW.operation_id AND payment_id = NEW.payment_id), 0)
BEGIN SELECT RAISE(ABORT, 'uncredited: its source brought less'); END;
CREATE TRIGGER credits_corrected BEFORE INSERT ON credits
WHEN NEW.number > 1 AND (
    COALESCE((SELECT sum(amount_minor) FROM credits WHERE payment_id = NEW.payment_id AND number < NEW.number)
        + NEW.amount_minor, -1) < 0
    OR (SELECT sum(amount_minor) FROM credits WHERE payment_id = NEW.payment_id AND number < NEW.number) + NEW.amount_minor
        > (SELECT CASE k.source WHEN 'bank_line' THEN k.brought_minor
                ELSE (SELECT o.brought_minor FROM operations AS o WHERE o.id = k.operation_id) END
            FROM credits AS k WHERE k.payment_id = NEW.payment_id AND k.number = 1 AND k.source IN ('bank_line', 'operation')))
BEGIN SELECT RAISE(ABORT, 'uncredited: a correction beyond what its source brought'); END;
CREATE TRIGGER credits_no_update BEFORE UPDATE ON credits
WHEN OLD.version <> 1 OR NEW.version <> 2
    OR (NEW.payment_id, NEW.number, NEW.id, NEW.tracking_code, NEW.dealer_id, NEW.provider_id, NEW.currency, NEW.amount_minor,
        NEW.source, NEW.by_kind, NEW.by_id, NEW.by_name, NEW.by_addr, NEW.reason, NEW.at, NEW.awaits_money) <>
       (OLD.payment_id, OLD.number, OLD.id, OLD.tracking_code, OLD.dealer_id, OLD.provider_id, OLD.currency, OLD.amount_minor,
        OLD.source, OLD.by_kind, OLD.by_id, OLD.by_name, OLD.by_addr, OLD.reason, OLD.at, OLD.awaits_money)
BEGIN SELECT RAISE(ABORT, 'uncredited: a credit is never changed'); END;

-- A payment is completed, and its amount changed afterwards, by what its credits add up to.
CREATE TRIGGER payments_credited BEFORE UPDATE ON payments
WHEN NEW.status IN ('completed', 'success')
    AND (OLD.status <> NEW.status OR OLD.amount_minor IS NOT NEW.amount_minor)
    AND NEW.method IN ('manual_deposit', 'eiban_deposit', 'credit_card', 'third_party_bank_deposit',
        'third_party_crypto_deposit', 'third_party_wallet_deposit')
    AND (SELECT sum(amount_minor) FROM credits WHERE payment_id = NEW.id) IS NOT NEW.amount_minor
BEGIN SELECT RAISE(ABORT, 'uncredited: a payment is completed without its credit'); END;
CREATE INDEX credits_dispute ON credits (dispute_id) WHERE dispute_id <> '';
CREATE TRIGGER credits_disputed BEFORE INSERT ON credits
WHEN NEW.dispute_id <> '' AND (
    NOT EXISTS (SELECT 1 FROM disputes WHERE id = NEW.dispute_id AND payment_id = NEW.payment_id)
    OR (SELECT COALESCE(sum(amount_minor), 0) FROM credits WHERE dispute_id = NEW.dispute_id) + NEW.amount_minor > 0)
BEGIN SELECT RAISE(ABORT, 'uncredited: a dispute gives back more than it has taken'); END;
