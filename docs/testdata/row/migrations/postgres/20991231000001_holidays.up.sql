-- Days on which banks book nothing.
CREATE TABLE holidays (
    day        text        PRIMARY KEY,
    version    integer     NOT NULL CHECK (version > 0),
    name       text        NOT NULL,
    updated_at timestamptz NOT NULL
);
