-- A history is read in pages, in the order of its moments: those of one moment in the order of their IDs.
ALTER TABLE moves DROP CONSTRAINT moves_pkey, ADD PRIMARY KEY (payment_id, at, id);
