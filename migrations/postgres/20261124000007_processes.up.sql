-- The processes that work on this database, a row each, which each writes anew to prove that it can commit.
CREATE TABLE processes (
    id      text        COLLATE "C" PRIMARY KEY,
    seen_at timestamptz NOT NULL
) WITH (fillfactor = 50); -- a new version of a row finds room beside the old one
