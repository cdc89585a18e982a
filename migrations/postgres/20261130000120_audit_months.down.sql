DO $$
BEGIN
    ALTER TABLE audit_entries DETACH PARTITION audit_entries_before;
    ALTER TABLE audit_entries_before DROP CONSTRAINT audit_entries_before;
    INSERT INTO audit_entries_before SELECT * FROM audit_entries;
    DROP TABLE audit_entries;
    ALTER TABLE audit_entries_before RENAME TO audit_entries;
    EXECUTE format('ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_before CHECK (id < %L)',
        vezne_first_bound(greatest((SELECT max(id) FROM audit_entries), vezne_first_id(now()))));
END
$$;
DROP FUNCTION vezne_kept_entry();
ALTER INDEX audit_entries_before_pkey RENAME TO audit_entries_pkey;
ALTER INDEX audit_entries_before_target RENAME TO audit_entries_target;
ALTER INDEX audit_entries_before_actor RENAME TO audit_entries_actor;
ALTER INDEX audit_entries_before_others RENAME TO audit_entries_others;
ALTER INDEX audit_entries_before_action RENAME TO audit_entries_action;
