-- The audit log becomes partitions, too: one for each month of its entries' IDs. The steps are those of calls and attempts (20261128000300).

-- locks: the check is not proven here, so that its lock is one of a moment; what is read before it is the end of an index
DO $$
BEGIN
    EXECUTE format('ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_before CHECK (id < %L) NOT VALID',
        vezne_first_bound(greatest((SELECT max(id) FROM audit_entries), vezne_first_id(now()))));
END
$$;
