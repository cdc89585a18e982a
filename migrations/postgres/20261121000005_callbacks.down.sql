DROP TABLE attempts;
DROP TABLE callbacks;
