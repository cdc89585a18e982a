ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_before;
