-- A deposit that staff approved by hand while an operation of it was at a gateway rests on their word, and not on that
-- operation, which brought nothing: of what was completed before credits were kept, those name their operation no more.

DROP TRIGGER credits_no_update;
CREATE TEMPORARY TABLE words AS
SELECT k.payment_id, k.operation_id, k.amount_minor FROM credits AS k
WHERE k.id = k.payment_id AND k.number = 1 AND k.source = 'operation' AND NOT EXISTS (
    SELECT 1 FROM moves AS v WHERE v.payment_id = k.payment_id AND v.to_status IN ('completed', 'success')
        AND v.command IN ('succeed', 'accept'));
UPDATE operations SET brought_minor = NULL FROM words AS w
WHERE operations.id = w.operation_id AND operations.brought_minor = w.amount_minor;
UPDATE credits
SET source = CASE WHEN by_kind = 'staff' THEN 'staff' ELSE 'before_credits' END, operation_id = '', brought_minor = 0
FROM words AS w WHERE credits.payment_id = w.payment_id AND credits.number = 1;
DROP TABLE words;
CREATE TRIGGER credits_no_update BEFORE UPDATE ON credits
WHEN OLD.version <> 1 OR NEW.version <> 2
    OR (NEW.payment_id, NEW.number, NEW.id, NEW.tracking_code, NEW.dealer_id, NEW.provider_id, NEW.currency, NEW.amount_minor,
        NEW.source, NEW.by_kind, NEW.by_id, NEW.by_name, NEW.by_addr, NEW.reason, NEW.at, NEW.awaits_money) <>
       (OLD.payment_id, OLD.number, OLD.id, OLD.tracking_code, OLD.dealer_id, OLD.provider_id, OLD.currency, OLD.amount_minor,
        OLD.source, OLD.by_kind, OLD.by_id, OLD.by_name, OLD.by_addr, OLD.reason, OLD.at, OLD.awaits_money)
BEGIN SELECT RAISE(ABORT, 'uncredited: a credit is never changed'); END;
