ALTER TABLE dealers DROP COLUMN acknowledges_any_2xx;
ALTER TABLE providers DROP COLUMN acknowledges_any_2xx;
