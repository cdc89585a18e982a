DO $$
DECLARE
    parent text;
    bound  text;
BEGIN
    SELECT vezne_first_bound(greatest((SELECT max(id) FROM attempts), (SELECT max(id) FROM gateway_calls), vezne_first_id(now()))) INTO bound;
    FOREACH parent IN ARRAY ARRAY['attempts', 'gateway_calls'] LOOP
        EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, parent || '_before');
        EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', parent || '_before', parent || '_before');
        EXECUTE format('INSERT INTO %I SELECT * FROM %I', parent || '_before', parent);
        EXECUTE format('DROP TABLE %I', parent);
        EXECUTE format('ALTER TABLE %I RENAME TO %I', parent || '_before', parent);
        EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (id < %L)', parent, parent || '_before', bound);
    END LOOP;
END
$$;
ALTER INDEX attempts_before_pkey RENAME TO attempts_pkey;
ALTER INDEX gateway_calls_before_pkey RENAME TO gateway_calls_pkey;
ALTER INDEX gateway_calls_before_payment RENAME TO gateway_calls_payment;
ALTER INDEX gateway_calls_before_gateway RENAME TO gateway_calls_gateway;
