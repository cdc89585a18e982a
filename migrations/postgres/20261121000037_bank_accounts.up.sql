-- Bank lines that are taken back, and which bank accounts are whose.

ALTER TABLE bank_lines
    ADD COLUMN reverses    text COLLATE "C" NOT NULL DEFAULT '', -- the line that it takes back; empty: none
    ADD COLUMN reversed_by text COLLATE "C" NOT NULL DEFAULT ''; -- the first line that takes it back; empty: none
ALTER TABLE bank_lines DROP CONSTRAINT bank_lines_state_check;
ALTER TABLE bank_lines ADD CONSTRAINT bank_lines_state_check CHECK (state IN
    ('matched', 'unmatched', 'doubtful', 'set_aside', 'unbooked', 'reversed'));
UPDATE bank_lines SET reverses = coalesce(body::jsonb ->> 'reverses', '') WHERE body LIKE '%"reverses"%';
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
    iban    text   COLLATE "C" PRIMARY KEY, -- normalized
    use     text   NOT NULL CHECK (use IN ('own', 'gateway')),
    holders bigint NOT NULL CHECK (holders >= 0)
);
INSERT INTO bank_accounts (iban, use, holders)
SELECT iban, 'own', count(*) FROM (
    SELECT upper(replace(iban, ' ', '')) AS iban FROM accounts UNION ALL SELECT upper(replace(iban, ' ', '')) FROM wallets
) AS known WHERE iban <> '' GROUP BY iban;
ALTER TABLE gateway_accounts ADD COLUMN collects text NOT NULL DEFAULT ''; -- normalized IBANs, separated by commas
