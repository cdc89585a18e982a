DROP TABLE job_chunks;
DROP TABLE jobs;
