-- What staff say about themselves, and the filters of lists that they keep under names.

-- Nothing in it gives a right.
CREATE TABLE staff_profiles (
    staff_id   bigint      PRIMARY KEY,
    version    bigint      NOT NULL CHECK (version > 0),
    name       text        NOT NULL, -- empty: the email stands for it
    language   text        NOT NULL, -- empty: what the browser asks for
    theme      text        NOT NULL,
    updated_at timestamptz NOT NULL
);

-- A view is of the scope that its owner had when it was made: dealer_id and provider_id, both 0 for the house.
CREATE TABLE saved_views (
    id          text        COLLATE "C" PRIMARY KEY,
    version     bigint      NOT NULL CHECK (version > 0),
    staff_id    bigint      NOT NULL, -- the owner
    owner_email text        NOT NULL,
    dealer_id   bigint      NOT NULL,
    provider_id bigint      NOT NULL,
    role        text        NOT NULL, -- the owner's: who shares it with a role means this one
    list        text        NOT NULL,
    name        text        NOT NULL,
    filter      text        NOT NULL, -- sealed JSON
    sharing     text        NOT NULL CHECK (sharing IN ('private', 'role', 'tenant')),
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    removed_at  timestamptz -- null: it is there
);
CREATE INDEX saved_views_scope ON saved_views (dealer_id, provider_id, id) WHERE removed_at IS NULL;
CREATE INDEX saved_views_removed ON saved_views (removed_at) WHERE removed_at IS NOT NULL;
