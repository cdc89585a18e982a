ALTER TABLE dealers DROP COLUMN home_url;
ALTER TABLE dealers DROP COLUMN return_origins;
ALTER TABLE sites DROP COLUMN home_url;
ALTER TABLE sites DROP COLUMN return_origins;
