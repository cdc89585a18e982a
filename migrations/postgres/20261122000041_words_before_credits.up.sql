-- A deposit that staff approved by hand while an operation of it was at a gateway rests on their word, and not on that
-- operation, which brought nothing: of what was completed before credits were kept, those name their operation no more.

ALTER TABLE credits DISABLE TRIGGER credits_covered;
CREATE TEMPORARY TABLE words ON COMMIT DROP AS
SELECT k.payment_id, k.operation_id, k.amount_minor FROM credits AS k
WHERE k.id = k.payment_id AND k.number = 1 AND k.source = 'operation' AND NOT EXISTS (
    SELECT 1 FROM moves AS v WHERE v.payment_id = k.payment_id AND v.to_status IN ('completed', 'success')
        AND v.command IN ('succeed', 'accept'));
UPDATE operations AS o SET brought_minor = NULL FROM words AS w WHERE o.id = w.operation_id AND o.brought_minor = w.amount_minor;
UPDATE credits AS k
SET source = CASE WHEN k.by_kind = 'staff' THEN 'staff' ELSE 'before_credits' END, operation_id = '', brought_minor = 0
FROM words AS w WHERE k.payment_id = w.payment_id AND k.number = 1;
ALTER TABLE credits ENABLE TRIGGER credits_covered;
