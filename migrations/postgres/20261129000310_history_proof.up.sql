-- Proves the check, which reads the table and keeps nobody out.
ALTER TABLE moves VALIDATE CONSTRAINT moves_before;
