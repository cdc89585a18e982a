DROP TABLE audit_checks;
DROP TABLE audit_checkpoints;
ALTER TABLE audit_chain DROP COLUMN key_id;
