ALTER TABLE callbacks DROP COLUMN trace_context;
