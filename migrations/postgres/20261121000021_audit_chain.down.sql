DROP INDEX callbacks_ended;
DROP INDEX audit_entries_action;
DROP INDEX audit_entries_kind;
DROP INDEX audit_entries_actor;
DROP TRIGGER audit_entries_append_only ON audit_entries;
DROP TABLE audit_chain;
DROP FUNCTION vezne_append_only();
