-- What jobs were ordered with, and what finds a customer's open deposits.

-- The scope of whoever ordered the job, as it was then; 0: all.
ALTER TABLE jobs ADD COLUMN dealer_id bigint NOT NULL DEFAULT 0, ADD COLUMN provider_id bigint NOT NULL DEFAULT 0;
UPDATE jobs SET
    dealer_id = COALESCE((body::jsonb #>> '{filter,scope,DealerID}')::bigint, 0),
    provider_id = COALESCE((body::jsonb #>> '{filter,scope,ProviderID}')::bigint, 0);

-- Deposits of which no money was seen yet, by customer: a bound on them is checked with each new one.
CREATE INDEX payments_open ON payments (provider_id, user_id)
    WHERE status IN ('showing', 'processing')
        AND method IN ('manual_deposit', 'eiban_deposit', 'third_party_bank_deposit', 'third_party_crypto_deposit', 'third_party_wallet_deposit');
