-- Which of the databases of one past this is. There is one row. A restored database begins the next epoch, and is frozen until two
-- people let money move again.
CREATE TABLE epochs (
    id           text        PRIMARY KEY CHECK (id = '1'),
    version      bigint      NOT NULL,
    installation text        NOT NULL,
    name         text        NOT NULL,
    number       bigint      NOT NULL CHECK (number > 0),
    state        text        NOT NULL CHECK (state IN ('live', 'frozen')),
    cause        text        NOT NULL CHECK (cause IN ('', 'restored', 'behind', 'copied')),
    restored_to  timestamptz,
    frozen_at    timestamptz,
    asked_at     timestamptz,
    thawed_at    timestamptz
);
INSERT INTO epochs (id, version, installation, name, number, state, cause)
VALUES ('1', 1, replace(gen_random_uuid()::text, '-', ''), replace(gen_random_uuid()::text, '-', ''), 1, 'live', '');

-- How far the database is: it grows while anything is committed, and is recorded outside of the database, too. It has a table of its
-- own, since it changes beside the epoch. The home is the server and database on which it was recorded first.
CREATE TABLE epoch_marks (
    id     text        PRIMARY KEY CHECK (id = '1'),
    number bigint      NOT NULL,
    at     timestamptz,
    home   text        NOT NULL
);
INSERT INTO epoch_marks (id, number, home) VALUES ('1', 0, '');

-- What a person has to look at before money moves again.
CREATE TABLE remains (
    id              text        PRIMARY KEY,
    version         bigint      NOT NULL,
    epoch           text        NOT NULL,
    kind            text        NOT NULL,
    subject         text        NOT NULL,
    detail          text        NOT NULL,
    found_at        timestamptz,
    by_kind         text        NOT NULL,
    by_id           text        NOT NULL,
    by_name         text        NOT NULL,
    by_addr         text        NOT NULL,
    acknowledged_at timestamptz,
    reason          text        NOT NULL
);
CREATE UNIQUE INDEX remains_subject ON remains (epoch, kind, subject);
CREATE INDEX remains_epoch ON remains (epoch, id);
