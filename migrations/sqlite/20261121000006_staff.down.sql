DROP TABLE sessions;
DROP TABLE staff;
