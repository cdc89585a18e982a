-- The indexes that most lists are read by also have what the lists are narrowed and sorted by, so that thousands of payments
-- can be judged without reading their rows, which are all over the table.
DROP INDEX payments_provider;
CREATE INDEX payments_provider ON payments (provider_id, status, id)
    INCLUDE (method, dealer_id, amount_minor, created_at, updated_at);
DROP INDEX payments_dealer;
CREATE INDEX payments_dealer ON payments (dealer_id, status, id)
    INCLUDE (method, provider_id, amount_minor, created_at, updated_at);
DROP INDEX payments_user;
CREATE INDEX payments_user ON payments (user_id, id)
    INCLUDE (status, method, amount_minor, created_at, updated_at);
DROP INDEX payments_amount;
CREATE INDEX payments_amount ON payments ((COALESCE(amount_minor, 0)), id)
    INCLUDE (amount_minor, status, method, provider_id, dealer_id);
-- An index says which of its rows are surely there only where the table was vacuumed since: also when rows are only added.
ALTER TABLE payments SET (autovacuum_vacuum_insert_scale_factor = 0.02);
