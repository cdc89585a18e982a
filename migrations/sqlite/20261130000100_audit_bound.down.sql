SELECT 1; -- SQLite has no partitions
