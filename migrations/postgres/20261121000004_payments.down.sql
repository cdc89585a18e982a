DROP TABLE moves;
DROP TABLE payments;
