-- Up to when the database is known to have been at work whose place this one takes; null: nothing outside knew it.
ALTER TABLE epochs ADD COLUMN lost_until integer;
