DROP INDEX payments_amount;
CREATE INDEX payments_amount ON payments (COALESCE(amount_minor, 0), id);
DROP INDEX payments_user;
CREATE INDEX payments_user ON payments (user_id, id);
DROP INDEX payments_dealer;
CREATE INDEX payments_dealer ON payments (dealer_id, status, id);
DROP INDEX payments_provider;
CREATE INDEX payments_provider ON payments (provider_id, status, id);
