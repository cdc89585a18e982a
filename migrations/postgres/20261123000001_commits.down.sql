DROP TABLE audit_chain;
DROP TABLE audit_entries;
DROP TABLE sequences;
DROP TABLE idempotency_records;
DROP FUNCTION vezne_append_only;
DROP FUNCTION vezne_expect;
