-- Days on which banks book nothing.
CREATE TABLE holidays (
    day        TEXT    PRIMARY KEY,
    version    INTEGER NOT NULL CHECK (version > 0),
    name       TEXT    NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
