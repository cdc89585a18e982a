SELECT 1; -- SQLite has no partitions: rows are deleted one by one
