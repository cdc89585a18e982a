-- Adjustments: entries that settle a wallet's day whose balance differs from the bank's for good. Whatever a program does, one
-- of a number exists for a day: of two that settle the same difference at once one is refused.

ALTER TABLE ledger_entries ADD COLUMN day     TEXT    NOT NULL DEFAULT ''; -- that an adjustment settles; empty: it is none
ALTER TABLE ledger_entries ADD COLUMN number  INTEGER NOT NULL DEFAULT 0;  -- which one of its day's, from 1
ALTER TABLE ledger_entries ADD COLUMN made_by TEXT    NOT NULL DEFAULT ''; -- JSON: who booked an adjustment
CREATE UNIQUE INDEX ledger_entries_day ON ledger_entries (wallet_id, day, number) WHERE day <> '';

ALTER TABLE reconciliations ADD COLUMN adjusted_minor INTEGER DEFAULT 0; -- what adjustments of the day come to; null: no amount
