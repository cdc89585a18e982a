ALTER TABLE moves DROP CONSTRAINT moves_before;
