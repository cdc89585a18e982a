DROP INDEX callbacks_ended;
DROP INDEX audit_entries_action;
DROP INDEX audit_entries_others;
DROP INDEX audit_entries_actor;
DROP TRIGGER audit_entries_no_update;
DROP TRIGGER audit_entries_no_delete;
DROP TRIGGER audit_entries_no_replace;
DROP TABLE audit_chain;
