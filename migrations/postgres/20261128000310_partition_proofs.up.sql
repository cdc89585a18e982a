-- Proves the checks, which reads both tables and keeps nobody out.
ALTER TABLE attempts VALIDATE CONSTRAINT attempts_before;
ALTER TABLE gateway_calls VALIDATE CONSTRAINT gateway_calls_before;
