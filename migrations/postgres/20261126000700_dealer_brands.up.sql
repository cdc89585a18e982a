-- How the payment page of a dealer's own payments looks, whom it names and where it leads.
ALTER TABLE dealers ADD COLUMN display_name text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN logo text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN color text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN support_email text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN support_phone text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN support_url text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN terms_url text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN privacy_url text NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN return_label text NOT NULL DEFAULT '';
