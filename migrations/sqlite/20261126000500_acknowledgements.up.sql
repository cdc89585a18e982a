-- Whether any 2xx of a receiver acknowledges a callback; otherwise HTTP 200 alone does.
ALTER TABLE providers ADD COLUMN acknowledges_any_2xx INTEGER NOT NULL DEFAULT 0;
ALTER TABLE dealers ADD COLUMN acknowledges_any_2xx INTEGER NOT NULL DEFAULT 0;
