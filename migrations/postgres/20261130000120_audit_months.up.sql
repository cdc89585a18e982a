-- The table becomes the first partition of one that takes its name: nothing is copied, and nothing is proven again. Its trigger goes on
-- refusing whoever names the partition; each later one gets the same when it is made.
-- contract: the version before writes to the same names
ALTER TABLE audit_entries RENAME TO audit_entries_before;
ALTER INDEX audit_entries_pkey RENAME TO audit_entries_before_pkey;
ALTER INDEX audit_entries_target RENAME TO audit_entries_before_target;
ALTER INDEX audit_entries_actor RENAME TO audit_entries_before_actor;
ALTER INDEX audit_entries_others RENAME TO audit_entries_before_others;
ALTER INDEX audit_entries_action RENAME TO audit_entries_before_action;
CREATE TABLE audit_entries (LIKE audit_entries_before INCLUDING DEFAULTS) PARTITION BY RANGE (id);
ALTER TABLE audit_entries ADD PRIMARY KEY (id);
CREATE INDEX audit_entries_target ON audit_entries (target, id);
CREATE INDEX audit_entries_actor ON audit_entries (by_kind, by_id, id);
CREATE INDEX audit_entries_others ON audit_entries (by_kind, id) WHERE by_kind <> 'staff'; -- nearly all are by staff
CREATE INDEX audit_entries_action ON audit_entries (action, id);
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries
    FOR EACH STATEMENT EXECUTE FUNCTION vezne_append_only();

-- Entries that are kept no longer are deleted one by one from the first partition; later ones are dropped as a whole. Nothing else is
-- deleted, and nothing before the log itself says so. Whether what it says is signed is seen by whoever verifies the chain.
CREATE FUNCTION vezne_kept_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM audit_entries WHERE action = 'dropOldEntries' AND target = 'audit/log'
        AND (after_state::jsonb ->> 'until') COLLATE "C" > OLD.id) THEN
        RAISE EXCEPTION '% of %: it only grows', TG_OP, TG_TABLE_NAME USING ERRCODE = 'VZ004';
    END IF;
    RETURN OLD;
END
$$;
CREATE TRIGGER audit_entries_no_delete BEFORE DELETE ON audit_entries FOR EACH ROW EXECUTE FUNCTION vezne_kept_entry();

-- locks: what is attached is proven to fit by its check, and nothing of it is read
DO $$
DECLARE
    bound text;
BEGIN
    SELECT substring(pg_get_constraintdef(oid) FROM '''([0-9A-Z]{26})''') INTO STRICT bound FROM pg_constraint
    WHERE conrelid = 'audit_entries_before'::regclass AND conname = 'audit_entries_before';
    EXECUTE format('ALTER TABLE audit_entries ATTACH PARTITION audit_entries_before FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END
$$;
