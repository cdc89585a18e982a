ALTER TABLE epochs DROP COLUMN lost_until;
