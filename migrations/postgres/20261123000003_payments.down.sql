DROP TABLE attempts;
DROP TABLE callbacks;
DROP TABLE payment_terms;
DROP TABLE moves;
DROP TABLE payments;
