-- Each of the two tables becomes a partition of one that takes its name: by months of their IDs, which have the time in them. Nothing is
-- copied, and nothing is proven again. There is no default partition: another could not be made beside it without reading it. Months are
-- made ahead by the worker.
-- contract: the version before writes to the same names
ALTER TABLE attempts RENAME TO attempts_before;
ALTER INDEX attempts_pkey RENAME TO attempts_before_pkey;
CREATE TABLE attempts (LIKE attempts_before INCLUDING DEFAULTS) PARTITION BY RANGE (id);
ALTER TABLE attempts ADD CONSTRAINT attempts_number_check CHECK (number > 0), ADD PRIMARY KEY (callback_id, id);

-- contract: as above
ALTER TABLE gateway_calls RENAME TO gateway_calls_before;
ALTER INDEX gateway_calls_pkey RENAME TO gateway_calls_before_pkey;
ALTER INDEX gateway_calls_payment RENAME TO gateway_calls_before_payment;
ALTER INDEX gateway_calls_gateway RENAME TO gateway_calls_before_gateway;
CREATE TABLE gateway_calls (LIKE gateway_calls_before INCLUDING DEFAULTS) PARTITION BY RANGE (id);
ALTER TABLE gateway_calls ADD PRIMARY KEY (id);
CREATE INDEX gateway_calls_payment ON gateway_calls (payment_id, id);
CREATE INDEX gateway_calls_gateway ON gateway_calls (gateway_id, id);

-- locks: what is attached is proven to fit by its check, and nothing of it is read
DO $$
DECLARE
    parent text;
    bound  text;
BEGIN
    FOREACH parent IN ARRAY ARRAY['attempts', 'gateway_calls'] LOOP
        SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9A-Z]{26})''') INTO STRICT bound FROM pg_constraint
        WHERE conrelid = (parent || '_before')::regclass AND conname = parent || '_before';
        EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%L)', parent, parent || '_before', bound);
    END LOOP;
END
$$;
