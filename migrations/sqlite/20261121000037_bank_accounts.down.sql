DROP TABLE bank_accounts;
ALTER TABLE gateway_accounts DROP COLUMN collects;

-- A line that was taken back must not credit with an earlier program either: it is set aside.
ALTER TABLE bank_lines RENAME TO bank_lines_before;
CREATE TABLE bank_lines (
    wallet_id    INTEGER NOT NULL,
    line_id      TEXT    NOT NULL,
    id           TEXT    NOT NULL,
    version      INTEGER NOT NULL CHECK (version > 0),
    mark         INTEGER NOT NULL,
    direction    TEXT    NOT NULL,
    amount_minor INTEGER NOT NULL,
    booked_at    INTEGER NOT NULL,
    party_iban   TEXT    NOT NULL, -- normalized; empty: no IBAN
    state        TEXT    NOT NULL CHECK (state IN
                 ('matched', 'unmatched', 'doubtful', 'set_aside', 'unbooked')),
    payment_id   TEXT    NOT NULL, -- empty: matched with none
    note         TEXT    NOT NULL,
    imported_at  INTEGER NOT NULL,
    body         TEXT    NOT NULL, -- JSON
    PRIMARY KEY (wallet_id, line_id)
) STRICT;
INSERT INTO bank_lines
SELECT wallet_id, line_id, id, version, mark, direction, amount_minor, booked_at, party_iban,
    CASE WHEN state <> 'reversed' THEN state WHEN payment_id = '' THEN 'set_aside' ELSE 'matched' END, payment_id, note,
    imported_at, CASE WHEN reverses = '' THEN body ELSE json_set(body, '$.reverses', reverses) END
FROM bank_lines_before;
DROP TABLE bank_lines_before;
CREATE INDEX bank_lines_booked ON bank_lines (wallet_id, booked_at, line_id);
-- Lists are read state by state and put together, newest first, as those of payments are.
CREATE INDEX bank_lines_state ON bank_lines (state, id);
CREATE INDEX bank_lines_wallet ON bank_lines (wallet_id, state, id);
CREATE INDEX bank_lines_waiting ON bank_lines (imported_at) WHERE state IN ('unmatched', 'doubtful', 'unbooked');
CREATE INDEX bank_lines_payment ON bank_lines (payment_id, id) WHERE payment_id <> '';
CREATE INDEX bank_lines_party ON bank_lines (party_iban, id)
    WHERE party_iban <> '' AND payment_id <> '' AND direction = 'incoming';
