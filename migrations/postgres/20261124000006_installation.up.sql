-- What this database is there for: a row says that it is a demo's, which may be filled with what is made up. There is no row in
-- a database that somebody works with.
CREATE TABLE installation (
    id        bigint      PRIMARY KEY CHECK (id = 1),
    purpose   text        NOT NULL CHECK (purpose = 'demo'),
    marked_at timestamptz NOT NULL
);
