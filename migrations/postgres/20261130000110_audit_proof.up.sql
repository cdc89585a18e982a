-- Proves the check, which reads the table and keeps nobody out.
ALTER TABLE audit_entries VALIDATE CONSTRAINT audit_entries_before;
