DROP TRIGGER payments_credited ON payments;
DROP TABLE credits;
DROP FUNCTION vezne_credited;
DROP FUNCTION vezne_credit;
