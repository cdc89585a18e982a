DROP TABLE audit_entries;
DROP TABLE sequences;
DROP TABLE idempotency_records;
DROP FUNCTION vezne_expect(bigint, bigint, text);
