-- When a number was last confirmed: day by day, so that confirmations wait for no more than the index of theirs.
CREATE INDEX verification_confirmed ON ONLY verification (destination_hash) WHERE confirmed_at IS NOT NULL;

-- Of one day that lacks it; false if none does. Who detaches a day meanwhile is about to drop it.
CREATE FUNCTION index_confirmed_of_day() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  day name;
BEGIN
  SELECT relname INTO day FROM pg_inherits AS part JOIN pg_class ON pg_class.oid = part.inhrelid
  WHERE part.inhparent = 'verification'::regclass AND NOT part.inhdetachpending AND NOT EXISTS (
    SELECT FROM pg_index JOIN pg_inherits AS own ON own.inhrelid = indexrelid
    WHERE indrelid = part.inhrelid AND own.inhparent = 'verification_confirmed'::regclass)
  ORDER BY relname DESC LIMIT 1;
  IF day IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format(
    'CREATE INDEX %I ON %I (destination_hash) WHERE confirmed_at IS NOT NULL', day || '_confirmed', day);
  EXECUTE format('ALTER INDEX verification_confirmed ATTACH PARTITION %I', day || '_confirmed');
  RETURN true;
END
$$;

-- next transaction, again while it answers true
SELECT index_confirmed_of_day() AS more;

-- next transaction
DROP FUNCTION index_confirmed_of_day();
