-- How the payment page of a dealer's own payments looks, whom it names and where it leads.
ALTER TABLE dealers ADD COLUMN display_name TEXT NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN logo TEXT NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN color TEXT NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN support_email TEXT NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN support_phone TEXT NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN support_url TEXT NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN terms_url TEXT NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN privacy_url TEXT NOT NULL DEFAULT '';
ALTER TABLE dealers ADD COLUMN return_label TEXT NOT NULL DEFAULT '';
