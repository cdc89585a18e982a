-- Attempts of callbacks and calls of gateways are kept for some months and then deleted: each month of them becomes a partition, which is
-- dropped as a whole. What is there stays where it is, and becomes the first partition: a check, which is proven beside the writes of
-- others, says that all of it is older than the next one begins.

-- The first ID of a moment: 10 characters of Crockford's base32 for its milliseconds, and none of the random bits.
CREATE FUNCTION vezne_first_id(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + (((extract(epoch FROM at) * 1000)::bigint >> (5 * n)) & 31)::int, 1), ''
        ORDER BY n DESC) || repeat('0', 16)
    FROM generate_series(0, 9) AS n
$$;

-- The time of an ID.
CREATE FUNCTION vezne_time_of(id text) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
    SELECT to_timestamp(sum((strpos('0123456789ABCDEFGHJKMNPQRSTVWXYZ', substr(id, 10 - n, 1)) - 1)::numeric * (1::bigint << (5 * n))) / 1000)
    FROM generate_series(0, 9) AS n
$$;

-- Where the first partition ends: the next month but one begins later than anybody writes who does not know of partitions.
CREATE FUNCTION vezne_first_bound(newest text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT vezne_first_id((date_trunc('month', vezne_time_of(newest) AT TIME ZONE 'UTC') + interval '2 months') AT TIME ZONE 'UTC')
$$;

-- locks: the check is not proven here, so that its lock is one of a moment; what is read before it is read without any
DO $$
DECLARE
    bound text;
BEGIN
    SELECT vezne_first_bound(greatest((SELECT max(id) FROM attempts), (SELECT max(id) FROM gateway_calls), vezne_first_id(now()))) INTO bound;
    EXECUTE format('ALTER TABLE attempts ADD CONSTRAINT attempts_before CHECK (id < %L) NOT VALID', bound);
    EXECUTE format('ALTER TABLE gateway_calls ADD CONSTRAINT gateway_calls_before CHECK (id < %L) NOT VALID', bound);
END
$$;
