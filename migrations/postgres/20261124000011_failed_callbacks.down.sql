DROP INDEX callbacks_ended_dealer;
DROP INDEX callbacks_ended_provider;
DROP INDEX callbacks_ended;
CREATE INDEX callbacks_ended ON callbacks (state) WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL;
