-- The table becomes the first partition of one that takes its name: nothing is copied, and nothing is proven again.
-- contract: the version before writes to the same names
ALTER TABLE moves RENAME TO moves_before;
ALTER INDEX moves_pkey RENAME TO moves_before_pkey;
CREATE TABLE moves (LIKE moves_before INCLUDING DEFAULTS) PARTITION BY RANGE (payment_id);
ALTER TABLE moves ADD CONSTRAINT moves_amount_minor_check CHECK (amount_minor >= 0), ADD PRIMARY KEY (payment_id, at, id);

-- locks: what is attached is proven to fit by its check, and nothing of it is read
DO $$
DECLARE
    bound text;
BEGIN
    SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9A-Z]{26})''') INTO STRICT bound FROM pg_constraint
    WHERE conrelid = 'moves_before'::regclass AND conname = 'moves_before';
    EXECUTE format('ALTER TABLE moves ATTACH PARTITION moves_before FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END
$$;
