DROP TABLE remains;
DROP TABLE epoch_marks;
DROP TABLE epochs;
