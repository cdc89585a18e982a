-- SQLite has no partitions. Entries that are kept no longer are deleted one by one, and nothing before the log itself says so.
DROP TRIGGER audit_entries_no_delete;
CREATE TRIGGER audit_entries_no_delete BEFORE DELETE ON audit_entries
WHEN NOT EXISTS (SELECT 1 FROM audit_entries WHERE action = 'dropOldEntries' AND target = 'audit/log' AND json_extract(after_state, '$.until') > OLD.id)
BEGIN SELECT RAISE(ABORT, 'DELETE of audit_entries: it only grows'); END;
