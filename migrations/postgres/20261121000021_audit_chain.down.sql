DROP INDEX callbacks_ended;
DROP INDEX audit_entries_action;
DROP INDEX audit_entries_others;
DROP INDEX audit_entries_actor;
DROP TRIGGER audit_entries_append_only ON audit_entries;
ALTER TABLE audit_entries
    ALTER COLUMN by_kind TYPE text COLLATE "default",
    ALTER COLUMN by_id TYPE text COLLATE "default",
    ALTER COLUMN action TYPE text COLLATE "default";
DROP TABLE audit_chain;
DROP FUNCTION vezne_append_only();
