-- The list of all callbacks: an owner's, newest first, and those that wait. The primary key has the house's.
CREATE INDEX callbacks_provider ON callbacks (provider_id, id);
CREATE INDEX callbacks_dealer ON callbacks (dealer_id, id) WHERE dealer_id <> 0;
CREATE INDEX callbacks_waiting ON callbacks (id) WHERE state = 'waiting';
UPDATE saved_views SET list = 'callbacks' WHERE list = 'failed_callbacks';
