-- Where the customers of a site and of a dealer may be led back to, and where they are without a return_url.
ALTER TABLE sites ADD COLUMN return_origins text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN home_url text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN return_origins text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN home_url text NOT NULL DEFAULT '';
