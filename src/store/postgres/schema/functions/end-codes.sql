-- Ends codes before their time. An end is a state, so that it holds whatever a clock says later, and whoever comes with an earlier
-- time. `expires_at` goes back to the beginning, for nodes of the version before, which know no such state.

-- Locks these codes and those that may be confirmed by a number under these hashes, and answers all of them in order. Also those that
-- have expired: a clock that was ahead may have said so. The caller has locked the destinations, so a code that is being issued
-- was waited for.
CREATE FUNCTION lock_codes(ids uuid[], hashes text[]) RETURNS uuid[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  every CONSTANT uuid[] := array(
    SELECT unnest(ids) UNION SELECT verification_id FROM code_by_number WHERE destination_hash = ANY (hashes) ORDER BY 1);
  lowest CONSTANT uuid := every[1];
  highest CONSTANT uuid := every[cardinality(every)];
BEGIN
  PERFORM FROM delivery WHERE verification_id = ANY (every) ORDER BY verification_id FOR UPDATE;
  PERFORM FROM verification
  WHERE verification.id = ANY (every) AND verification.id BETWEEN lowest AND highest ORDER BY verification.id FOR UPDATE;
  RETURN every;
END
$$;

-- Of `every` (lock_codes), ends what is open of the numbers of these codes, which were confirmed or issued in their place, and finds
-- none of it by its number any more. `hashes`: under what else these numbers may be known. Answers what it ended; the caller ends
-- the reservations.
CREATE FUNCTION end_others(codes uuid[], hashes text[], every uuid[], now bigint) RETURNS uuid[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  bounds CONSTANT uuid[] := array(SELECT each FROM unnest(every || codes) AS each ORDER BY each);
  lowest CONSTANT uuid := bounds[1];
  highest CONSTANT uuid := bounds[cardinality(bounds)];
  own_hashes text[];
  ended uuid[];
BEGIN
  SELECT array_agg(own.hash) || hashes INTO own_hashes
  FROM verification CROSS JOIN LATERAL unnest(destination_hash || string_to_array(previous_destination_hash, ',')) AS own (hash)
  WHERE verification.id = ANY (codes) AND verification.id BETWEEN lowest AND highest;
  WITH others AS (
    UPDATE verification AS other SET ended_at = least(end_others.now, expires_at), expires_at = created_at
    WHERE other.id = ANY (every) AND other.id BETWEEN lowest AND highest AND destination_hash = ANY (own_hashes)
      AND confirmed_at IS NULL AND ended_at IS NULL AND EXISTS (
        SELECT FROM verification AS one
        WHERE one.id = ANY (codes) AND one.id BETWEEN lowest AND highest
          AND one.account_id = other.account_id AND one.test = other.test)
    RETURNING other.id
  )
  SELECT coalesce(array_agg(others.id), '{}') INTO ended FROM others;
  DELETE FROM delivery WHERE verification_id = ANY (ended);
  DELETE FROM code_by_number WHERE destination_hash = ANY (own_hashes) AND verification_id = ANY (every);
  RETURN ended;
END
$$;

-- Ends a code that is still valid. True if it did.
CREATE FUNCTION cancel(wanted uuid, account text, is_test boolean, now bigint, retention bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  hash text;
BEGIN
  PERFORM FROM delivery WHERE verification_id = wanted FOR UPDATE;
  UPDATE verification SET ended_at = least(cancel.now, expires_at), expires_at = created_at
  WHERE id = wanted AND account_id = account AND test = is_test AND created_at > now - retention
    AND confirmed_at IS NULL AND ended_at IS NULL AND expires_at > now
  RETURNING destination_hash INTO hash;
  IF hash IS NULL THEN
    RETURN false;
  END IF;
  DELETE FROM delivery WHERE verification_id = wanted;
  IF EXISTS (SELECT FROM reservation) THEN
    PERFORM end_reservations(ARRAY[wanted]);
  END IF;
  DELETE FROM code_by_number WHERE destination_hash = hash AND verification_id = wanted;
  RETURN true;
END
$$;
