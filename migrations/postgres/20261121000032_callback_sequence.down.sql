DROP INDEX callbacks_ended;
DROP INDEX callbacks_payment;
ALTER TABLE callbacks DROP CONSTRAINT callbacks_superseded;
ALTER TABLE callbacks DROP CONSTRAINT callbacks_state_check;
UPDATE callbacks SET state = 'skipped' WHERE state = 'superseded'; -- the older schema has no word for it
ALTER TABLE callbacks ADD CONSTRAINT callbacks_state_check CHECK (state IN ('waiting', 'delivered', 'failed', 'skipped'));
ALTER TABLE callbacks DROP COLUMN superseded_at;
ALTER TABLE callbacks DROP COLUMN sequence;
CREATE INDEX callbacks_payment ON callbacks (payment_id, id);
CREATE INDEX callbacks_ended ON callbacks (state) WHERE state IN ('failed', 'skipped');
