DROP TRIGGER payments_credited;
DROP TABLE credits;
