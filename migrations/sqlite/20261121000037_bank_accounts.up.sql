-- Bank lines that are taken back, and which bank accounts are whose. A CHECK can't be altered, so that the table of lines
-- is made anew.

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
                 ('matched', 'unmatched', 'doubtful', 'set_aside', 'unbooked', 'reversed')),
    payment_id   TEXT    NOT NULL, -- empty: matched with none
    note         TEXT    NOT NULL,
    imported_at  INTEGER NOT NULL,
    body         TEXT    NOT NULL, -- JSON
    reverses     TEXT    NOT NULL, -- the line that it takes back; empty: none
    reversed_by  TEXT    NOT NULL, -- the first line that takes it back; empty: none
    PRIMARY KEY (wallet_id, line_id)
) STRICT;
INSERT INTO bank_lines
SELECT wallet_id, line_id, id, version, mark, direction, amount_minor, booked_at, party_iban, state, payment_id, note,
    imported_at, body, coalesce(body ->> 'reverses', ''), ''
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
CREATE INDEX bank_lines_reverses ON bank_lines (wallet_id, reverses) WHERE reverses <> '';

-- What was taken back before is marked now: it never credits. What has credited stays with staff.
UPDATE bank_lines SET version = version + 1, state = 'reversed', note = 'taken back by ' || r.reversing,
    reversed_by = r.reversing
FROM (
    SELECT b.wallet_id, b.reverses, b.direction, min(b.line_id) AS reversing FROM bank_lines AS b WHERE b.reverses <> ''
    GROUP BY b.wallet_id, b.reverses, b.direction
) AS r
WHERE bank_lines.wallet_id = r.wallet_id AND bank_lines.line_id = r.reverses AND bank_lines.direction <> r.direction
    AND bank_lines.line_id <> r.reversing AND bank_lines.state IN ('unmatched', 'doubtful', 'set_aside');
UPDATE bank_lines SET version = version + 1, state = 'reversed', note = 'takes back ' || reverses
WHERE reverses <> '' AND state IN ('unmatched', 'doubtful') AND direction = 'outgoing' AND EXISTS (
    SELECT 1 FROM bank_lines AS x
    WHERE x.wallet_id = bank_lines.wallet_id AND x.line_id = bank_lines.reverses AND x.reversed_by <> ''
);

-- One row for each bank account that is known: dealers' own (wallets and IBAN accounts), or one on which
-- gateways collect, never both. holders counts who has it; a row that nobody has is free. What gateways collect on is
-- declared by their configuration, which is sealed: they claim theirs when the service starts.
CREATE TABLE bank_accounts (
    iban    TEXT    PRIMARY KEY, -- normalized
    use     TEXT    NOT NULL CHECK (use IN ('own', 'gateway')),
    holders INTEGER NOT NULL CHECK (holders >= 0)
) STRICT;
INSERT INTO bank_accounts (iban, use, holders)
SELECT iban, 'own', count(*) FROM (
    SELECT upper(replace(iban, ' ', '')) AS iban FROM accounts UNION ALL SELECT upper(replace(iban, ' ', '')) FROM wallets
) AS known WHERE iban <> '' GROUP BY iban;
ALTER TABLE gateway_accounts ADD COLUMN collects TEXT NOT NULL DEFAULT ''; -- normalized IBANs, separated by commas
