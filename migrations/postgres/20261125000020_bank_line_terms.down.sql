DROP INDEX bank_lines_amount;
DROP INDEX bank_lines_iban;
DROP INDEX bank_lines_id;
DROP TABLE bank_line_terms;
