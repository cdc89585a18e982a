-- Keys from before a rotation, taken until their grace ends (owners): sealed, but for those by which rows are found. And
-- the lists of the back office: the block list newest first.

ALTER TABLE providers
    ADD COLUMN previous_api_key text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN previous_api_until timestamptz,
    ADD COLUMN previous_api_used_at timestamptz,
    ADD COLUMN previous_secret_used_at timestamptz,
    ADD COLUMN previous_verification_key text NOT NULL DEFAULT '',
    ADD COLUMN previous_verification_until timestamptz,
    ADD COLUMN previous_verification_used_at timestamptz,
    ADD COLUMN previous_webhook_key text NOT NULL DEFAULT '',
    ADD COLUMN previous_webhook_until timestamptz,
    ADD COLUMN previous_webhook_used_at timestamptz;
CREATE UNIQUE INDEX providers_previous_api ON providers (previous_api_key) WHERE previous_api_key <> '';

ALTER TABLE dealers
    ADD COLUMN previous_api_key text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN previous_api_until timestamptz,
    ADD COLUMN previous_api_used_at timestamptz,
    ADD COLUMN previous_secret_key text NOT NULL DEFAULT '',
    ADD COLUMN previous_secret_until timestamptz,
    ADD COLUMN previous_secret_used_at timestamptz;
CREATE UNIQUE INDEX dealers_previous_api ON dealers (previous_api_key) WHERE previous_api_key <> '';

ALTER TABLE sites
    ADD COLUMN previous_credential_key text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN previous_credential_until timestamptz,
    ADD COLUMN previous_credential_used_at timestamptz;
CREATE UNIQUE INDEX sites_previous_credential ON sites (previous_credential_key) WHERE previous_credential_key <> '';

ALTER TABLE site_tokens
    ADD COLUMN previous_token_key text COLLATE "C" NOT NULL DEFAULT '',
    ADD COLUMN previous_token_until timestamptz,
    ADD COLUMN previous_token_used_at timestamptz,
    ADD COLUMN previous_secret_key text NOT NULL DEFAULT '',
    ADD COLUMN previous_secret_until timestamptz,
    ADD COLUMN previous_secret_used_at timestamptz;
CREATE UNIQUE INDEX site_tokens_previous_token ON site_tokens (previous_token_key) WHERE previous_token_key <> '';

CREATE INDEX site_tokens_dealer ON site_tokens (dealer_id, id);
CREATE INDEX blocks_created ON blocks (created_at, provider_id, user_id);
CREATE INDEX blocks_provider ON blocks (provider_id, created_at, user_id);
