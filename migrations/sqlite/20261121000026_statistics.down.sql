DROP TABLE statistics_state;
DROP TABLE statistics;
DROP INDEX callbacks_finished;
