DROP TABLE audit_chain;
DROP TABLE audit_entries;
DROP TABLE sequences;
DROP TABLE idempotency_records;
