DO $$
BEGIN
    ALTER TABLE moves DETACH PARTITION moves_before;
    ALTER TABLE moves_before DROP CONSTRAINT moves_before;
    INSERT INTO moves_before SELECT * FROM moves;
    DROP TABLE moves;
    ALTER TABLE moves_before RENAME TO moves;
    EXECUTE format('ALTER TABLE moves ADD CONSTRAINT moves_before CHECK (payment_id < %L)',
        vezne_first_bound(greatest((SELECT max(payment_id) FROM moves), vezne_first_id(now()))));
END
$$;
ALTER INDEX moves_before_pkey RENAME TO moves_pkey;
