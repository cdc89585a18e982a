DROP TABLE bank_accounts;
ALTER TABLE gateway_accounts DROP COLUMN collects;

-- A line that was taken back must not credit with an earlier program either: it is set aside.
DROP INDEX bank_lines_reverses;
ALTER TABLE bank_lines DROP CONSTRAINT bank_lines_state_check;
UPDATE bank_lines SET state = CASE WHEN payment_id = '' THEN 'set_aside' ELSE 'matched' END WHERE state = 'reversed';
ALTER TABLE bank_lines ADD CONSTRAINT bank_lines_state_check CHECK (state IN
    ('matched', 'unmatched', 'doubtful', 'set_aside', 'unbooked'));
UPDATE bank_lines SET body = (body::jsonb || jsonb_build_object('reverses', reverses))::text WHERE reverses <> '';
ALTER TABLE bank_lines DROP COLUMN reverses, DROP COLUMN reversed_by;
