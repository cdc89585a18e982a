ALTER TABLE gateway_calls DROP CONSTRAINT gateway_calls_before;
ALTER TABLE attempts DROP CONSTRAINT attempts_before;
DROP FUNCTION vezne_first_bound(text);
DROP FUNCTION vezne_time_of(text);
DROP FUNCTION vezne_first_id(timestamptz);
