UPDATE saved_views SET list = 'failed_callbacks' WHERE list = 'callbacks';
DROP INDEX callbacks_waiting;
DROP INDEX callbacks_dealer;
DROP INDEX callbacks_provider;
