DROP TABLE statistics_state;
DROP TABLE statistics;
DROP TABLE job_chunks;
DROP TABLE jobs;
