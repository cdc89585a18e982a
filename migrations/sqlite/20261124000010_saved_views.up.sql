-- What staff say about themselves, and the filters of lists that they keep under names.

-- Nothing in it gives a right.
CREATE TABLE staff_profiles (
    staff_id   INTEGER PRIMARY KEY,
    version    INTEGER NOT NULL CHECK (version > 0),
    name       TEXT    NOT NULL, -- empty: the email stands for it
    language   TEXT    NOT NULL, -- empty: what the browser asks for
    theme      TEXT    NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

-- A view is of the scope that its owner had when it was made: dealer_id and provider_id, both 0 for the house.
CREATE TABLE saved_views (
    id          TEXT    PRIMARY KEY,
    version     INTEGER NOT NULL CHECK (version > 0),
    staff_id    INTEGER NOT NULL, -- the owner
    owner_email TEXT    NOT NULL,
    dealer_id   INTEGER NOT NULL,
    provider_id INTEGER NOT NULL,
    role        TEXT    NOT NULL, -- the owner's: who shares it with a role means this one
    list        TEXT    NOT NULL,
    name        TEXT    NOT NULL,
    filter      TEXT    NOT NULL, -- sealed JSON
    sharing     TEXT    NOT NULL CHECK (sharing IN ('private', 'role', 'tenant')),
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    removed_at  INTEGER -- null: it is there
) STRICT;
CREATE INDEX saved_views_scope ON saved_views (dealer_id, provider_id, id) WHERE removed_at IS NULL;
CREATE INDEX saved_views_removed ON saved_views (removed_at) WHERE removed_at IS NOT NULL;
