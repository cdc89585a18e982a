-- What helps to find elsewhere what remains of a restore, field by field (JSON). detail says the same in one line of English, for the release before.
ALTER TABLE remains ADD COLUMN facts text NOT NULL DEFAULT '';
