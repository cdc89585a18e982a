-- Which of the databases of one past this is. There is one row. A restored database begins the next epoch, and is frozen until two
-- people let money move again.
CREATE TABLE epochs (
    id           TEXT        PRIMARY KEY CHECK (id = '1'),
    version      INTEGER     NOT NULL,
    installation TEXT        NOT NULL,
    name         TEXT        NOT NULL,
    number       INTEGER     NOT NULL CHECK (number > 0),
    state        TEXT        NOT NULL CHECK (state IN ('live', 'frozen')),
    cause        TEXT        NOT NULL CHECK (cause IN ('', 'restored', 'behind', 'copied')),
    restored_to  INTEGER,
    frozen_at    INTEGER,
    asked_at     INTEGER,
    thawed_at    INTEGER
) STRICT;
INSERT INTO epochs (id, version, installation, name, number, state, cause)
VALUES ('1', 1, lower(hex(randomblob(16))), lower(hex(randomblob(16))), 1, 'live', '');

-- How far the database is: it grows while anything is committed, and is recorded outside of the database, too. It has a table of its
-- own, since it changes beside the epoch. The home is the server and database on which it was recorded first.
CREATE TABLE epoch_marks (
    id     TEXT        PRIMARY KEY CHECK (id = '1'),
    number INTEGER     NOT NULL,
    at     INTEGER,
    home   TEXT        NOT NULL
) STRICT;
INSERT INTO epoch_marks (id, number, home) VALUES ('1', 0, '');

-- What a person has to look at before money moves again.
CREATE TABLE remains (
    id              TEXT        PRIMARY KEY,
    version         INTEGER     NOT NULL,
    epoch           TEXT        NOT NULL,
    kind            TEXT        NOT NULL,
    subject         TEXT        NOT NULL,
    detail          TEXT        NOT NULL,
    found_at        INTEGER,
    by_kind         TEXT        NOT NULL,
    by_id           TEXT        NOT NULL,
    by_name         TEXT        NOT NULL,
    by_addr         TEXT        NOT NULL,
    acknowledged_at INTEGER,
    reason          TEXT        NOT NULL
) STRICT;
CREATE UNIQUE INDEX remains_subject ON remains (epoch, kind, subject);
CREATE INDEX remains_epoch ON remains (epoch, id);
