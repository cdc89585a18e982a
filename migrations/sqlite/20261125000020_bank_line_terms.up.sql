-- What bank lines are found by and never changes: keyed hashes of the words of a line, and of the end of the other side's IBAN. They
-- are deleted with what is personal of the line.
CREATE TABLE bank_line_terms (
    term TEXT NOT NULL,
    id   TEXT NOT NULL, -- of the line
    PRIMARY KEY (term, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX bank_line_terms_id ON bank_line_terms (id);
-- Lines are found by their id, by the other side's IBAN, and by what they brought.
CREATE INDEX bank_lines_id ON bank_lines (id);
CREATE INDEX bank_lines_iban ON bank_lines (party_iban, id) WHERE party_iban <> '';
CREATE INDEX bank_lines_amount ON bank_lines (amount_minor, id);
