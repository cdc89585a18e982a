ALTER TABLE moves DROP CONSTRAINT moves_pkey, ADD PRIMARY KEY (payment_id, id);
