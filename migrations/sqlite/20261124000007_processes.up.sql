-- The processes that work on this database, a row each, which each writes anew to prove that it can commit.
CREATE TABLE processes (
    id      TEXT    PRIMARY KEY,
    seen_at INTEGER NOT NULL
) STRICT;
