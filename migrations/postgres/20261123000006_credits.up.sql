-- Every credit names the money behind it: one row for each completed deposit or card payment, further ones for corrections.

-- Whoever owns the tables can take these away; then the hourly check shows what was done.
CREATE FUNCTION vezne_credit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    most bigint;
    sum  bigint;
BEGIN
    IF TG_OP = 'UPDATE' AND (OLD.version <> 1 OR NEW.version <> 2 OR
        (NEW.payment_id, NEW.number, NEW.id, NEW.tracking_code, NEW.dealer_id, NEW.provider_id, NEW.currency, NEW.amount_minor,
            NEW.source, NEW.by_kind, NEW.by_id, NEW.by_name, NEW.by_addr, NEW.reason, NEW.at, NEW.awaits_money) IS DISTINCT FROM
        (OLD.payment_id, OLD.number, OLD.id, OLD.tracking_code, OLD.dealer_id, OLD.provider_id, OLD.currency, OLD.amount_minor,
            OLD.source, OLD.by_kind, OLD.by_id, OLD.by_name, OLD.by_addr, OLD.reason, OLD.at, OLD.awaits_money)) THEN
        RAISE EXCEPTION 'uncredited: a credit is never changed' USING ERRCODE = 'VZ005';
    END IF;
    IF NEW.line_id <> '' THEN
        SELECT amount_minor INTO most FROM bank_lines
        WHERE wallet_id = NEW.wallet_id AND line_id = NEW.line_id AND direction = 'incoming';
    ELSIF NEW.operation_id <> '' THEN
        SELECT brought_minor INTO most FROM operations WHERE id = NEW.operation_id AND payment_id = NEW.payment_id;
    END IF;
    IF (NEW.line_id <> '' OR NEW.operation_id <> '') AND COALESCE(most, 0) < NEW.brought_minor THEN
        RAISE EXCEPTION 'uncredited: its source brought less' USING ERRCODE = 'VZ005';
    END IF;
    IF NEW.number > 1 THEN
        SELECT CASE source WHEN 'bank_line' THEN k.brought_minor
            WHEN 'operation' THEN (SELECT o.brought_minor FROM operations AS o WHERE o.id = k.operation_id) END INTO most
        FROM credits AS k WHERE k.payment_id = NEW.payment_id AND k.number = 1;
        SELECT sum(amount_minor) + NEW.amount_minor INTO sum FROM credits
        WHERE payment_id = NEW.payment_id AND number < NEW.number;
        IF sum IS NULL OR sum < 0 OR sum > most THEN
            RAISE EXCEPTION 'uncredited: a correction beyond what its source brought' USING ERRCODE = 'VZ005';
        END IF;
    END IF;
    RETURN NEW;
END
$$;

-- A payment is completed, and its amount changed afterwards, by what its credits add up to.
CREATE FUNCTION vezne_credited() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF (SELECT sum(amount_minor) FROM credits WHERE payment_id = NEW.id) IS DISTINCT FROM NEW.amount_minor THEN
        RAISE EXCEPTION 'uncredited: % is completed without its credit', NEW.tracking_code USING ERRCODE = 'VZ005';
    END IF;
    RETURN NEW;
END
$$;

CREATE TABLE credits (
    payment_id    text        COLLATE "C" NOT NULL,
    number        bigint      NOT NULL CHECK (number > 0), -- 1: the credit; from 2: its corrections
    id            text        COLLATE "C" NOT NULL,
    version       bigint      NOT NULL CHECK (version IN (1, 2)), -- 2: the money for a word has come
    tracking_code text        NOT NULL,
    dealer_id     bigint      NOT NULL,
    provider_id   bigint      NOT NULL,
    currency      text        NOT NULL,
    amount_minor  bigint      NOT NULL,
    source        text        NOT NULL CHECK (source IN ('bank_line', 'operation', 'staff', 'before_credits')),
    wallet_id     bigint      NOT NULL, -- of the bank line; 0: none
    line_id       text        COLLATE "C" NOT NULL, -- empty: none
    operation_id  text        COLLATE "C" NOT NULL, -- empty: none
    brought_minor bigint      NOT NULL, -- by the line or the operation
    by_kind       text        NOT NULL,
    by_id         text        NOT NULL,
    by_name       text        NOT NULL,
    by_addr       text        NOT NULL,
    reason        text        NOT NULL,
    at            timestamptz NOT NULL,
    awaits_money  boolean     NOT NULL,
    PRIMARY KEY (payment_id, number),
    CONSTRAINT credit_something CHECK (number > 1 OR amount_minor > 0),
    CONSTRAINT credit_of_line CHECK (source <> 'bank_line' OR line_id <> '' AND operation_id = ''),
    CONSTRAINT credit_of_operation CHECK (source <> 'operation' OR operation_id <> '' AND line_id = ''),
    CONSTRAINT credit_of_none CHECK (source IN ('bank_line', 'operation') OR version = 2 OR line_id = '' AND operation_id = ''),
    CONSTRAINT credit_brought CHECK (source NOT IN ('bank_line', 'operation') OR amount_minor <= brought_minor),
    CONSTRAINT credit_word CHECK (version = 1 OR awaits_money AND source = 'staff' AND (line_id <> '' OR operation_id <> ''))
);
-- Each line and each operation is behind one credit at most, ever.
CREATE UNIQUE INDEX credits_line ON credits (wallet_id, line_id) WHERE line_id <> '';
CREATE UNIQUE INDEX credits_operation ON credits (operation_id) WHERE operation_id <> '';
CREATE INDEX credits_awaiting ON credits (payment_id) WHERE awaits_money AND version = 1;
CREATE TRIGGER credits_covered BEFORE INSERT OR UPDATE ON credits FOR EACH ROW EXECUTE FUNCTION vezne_credit();
CREATE TRIGGER credits_append_only BEFORE DELETE OR TRUNCATE ON credits
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_append_only();

CREATE TRIGGER payments_credited BEFORE UPDATE ON payments FOR EACH ROW
    WHEN (NEW.status IN ('completed', 'success')
        AND (OLD.status <> NEW.status OR OLD.amount_minor IS DISTINCT FROM NEW.amount_minor)
        AND NEW.method IN ('manual_deposit', 'eiban_deposit', 'credit_card', 'third_party_bank_deposit',
            'third_party_crypto_deposit', 'third_party_wallet_deposit'))
    EXECUTE FUNCTION vezne_credited();
