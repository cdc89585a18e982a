-- Callbacks that were given up, for those who list and count them: nearly all are delivered.
DROP INDEX callbacks_ended;
CREATE INDEX callbacks_ended ON callbacks (state, id) WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL;
CREATE INDEX callbacks_ended_provider ON callbacks (provider_id, state, id) WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL;
CREATE INDEX callbacks_ended_dealer ON callbacks (dealer_id, state, id) WHERE state IN ('failed', 'skipped') AND superseded_at IS NULL;
