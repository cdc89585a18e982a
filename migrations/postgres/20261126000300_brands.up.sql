-- How a site's payment page looks, whom it names and where it leads.
ALTER TABLE sites ADD COLUMN display_name text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN logo text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN color text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN support_email text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN support_phone text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN support_url text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN terms_url text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN privacy_url text NOT NULL DEFAULT '';
ALTER TABLE sites ADD COLUMN return_label text NOT NULL DEFAULT '';
