-- The span that a callback comes from (W3C Trace Context); NULL while nothing is traced.
ALTER TABLE callbacks ADD COLUMN trace_context text;
