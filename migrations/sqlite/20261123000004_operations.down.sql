DROP TABLE notifications;
DROP TABLE gateway_calls;
DROP TABLE discrepancies;
DROP TABLE operations;
DROP TABLE route_rules;
DROP TABLE gateway_accounts;
