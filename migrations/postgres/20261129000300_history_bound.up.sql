-- Histories become partitions, too: one for each month of their payments' IDs, which have the time of creation in them, so that a payment's
-- history lies in one of them and is found there by the payment alone. The steps are those of calls and attempts (20261128000300).

-- locks: the check is not proven here, so that its lock is one of a moment; what is read before it is the end of an index
DO $$
BEGIN
    EXECUTE format('ALTER TABLE moves ADD CONSTRAINT moves_before CHECK (payment_id < %L) NOT VALID',
        vezne_first_bound(greatest((SELECT max(payment_id) FROM moves), vezne_first_id(now()))));
END
$$;
