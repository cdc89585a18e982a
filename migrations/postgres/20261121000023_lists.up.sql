-- What lists are read by, besides an owner and the status.

-- All payments of a status or a method, newest first: the parts of a list as those of owners.
DROP INDEX payments_status;
CREATE INDEX payments_status ON payments (status, method, id);
-- The other two orders of lists.
CREATE INDEX payments_updated ON payments (updated_at, id);
CREATE INDEX payments_amount ON payments ((COALESCE(amount_minor, 0)), id);

-- A gateway's own id, of whichever account.
DROP INDEX operations_external;
CREATE INDEX operations_external ON operations (external_id, gateway_id, id) WHERE external_id <> '';

-- What payments are found by and never changes: a row for each word of the full name, folded, behind n:, and one for the
-- IBAN behind i:. In a table of their own these are written once, where an index of payments is written anew with every
-- change of a status. words is the whole folded name behind a space, for what is searched with several words; else empty.
CREATE TABLE payment_terms (
    term  text COLLATE "C" NOT NULL,
    id    text COLLATE "C" NOT NULL,
    words text NOT NULL,
    PRIMARY KEY (term, id) INCLUDE (words) -- read alone: the rows of a term are all over the table
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
