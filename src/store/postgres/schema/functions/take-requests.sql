-- Counts the admitted calls against the limits of their keys, and answers those that were refused, with the limit. All calls
-- of a key in one batch count as made at the time of the latest.
CREATE FUNCTION take_requests(key_ids text[], admitted boolean[], created bigint[], maxes integer[], windows bigint[])
RETURNS TABLE (call_number integer, limit_number integer, retry_after bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  largest CONSTANT bigint := (SELECT max(each) FROM unnest(maxes) AS each);
  longest CONSTANT bigint := (SELECT max(each) FROM unnest(windows) AS each);
  key record;
  allowed record;
  occupied record;
  taken bigint;
  granted integer;
  refusing integer;
  freed_at bigint;
BEGIN
  -- Locks the rows of the keys, and makes missing ones. Later statements see what the last holder wrote.
  INSERT INTO key_usage AS held (key_id, requests)
  SELECT DISTINCT call.key_id, 0 FROM unnest(key_ids, admitted) AS call (key_id, admitted) WHERE call.admitted ORDER BY 1
  ON CONFLICT (key_id) DO UPDATE SET requests = held.requests WHERE false;

  FOR key IN
    SELECT call.key_id AS id, count(*)::integer AS wanted, max(call.created) AS at
    FROM unnest(key_ids, admitted, created) AS call (key_id, admitted, created)
    WHERE call.admitted GROUP BY call.key_id
  LOOP
    SELECT requests INTO STRICT taken FROM key_usage WHERE key_id = key.id;
    granted := key.wanted;
    FOR allowed IN
      SELECT * FROM unnest(maxes, windows) WITH ORDINALITY AS allowed (max, span, number)
    LOOP
      -- The requests whose places ours would take follow number taken - max; a row covers one of them or more.
      SELECT greatest(earlier.first_number - (taken - allowed.max + 1), 0) AS free, earlier.requested_at
      INTO occupied
      FROM (
        SELECT * FROM request_log
        WHERE key_id = key.id AND last_number > taken - allowed.max
        ORDER BY last_number LIMIT key.wanted
      ) AS earlier
      WHERE earlier.requested_at > key.at - allowed.span
      ORDER BY earlier.last_number LIMIT 1;
      -- If none of them is in the window, the first of this batch is the one to wait for.
      IF coalesce(occupied.free, allowed.max) < granted THEN
        granted := coalesce(occupied.free, allowed.max);
        refusing := allowed.number;
        freed_at := coalesce(occupied.requested_at, key.at) + allowed.span;
      END IF;
    END LOOP;

    IF granted > 0 THEN
      UPDATE key_usage SET requests = taken + granted WHERE key_id = key.id;
      INSERT INTO request_log (key_id, first_number, last_number, requested_at)
      VALUES (key.id, taken + 1, taken + granted, key.at);
      -- Deletes two rows for each new one, so that the log of a key stays as short as its limits allow.
      DELETE FROM request_log
      WHERE key_id = key.id
        AND last_number IN (SELECT last_number FROM request_log WHERE key_id = key.id ORDER BY last_number LIMIT 2)
        AND (requested_at <= key.at - longest OR last_number <= taken + granted - largest);
    END IF;

    IF granted < key.wanted THEN
      RETURN QUERY
      SELECT call.number::integer, refusing, freed_at - call.created
      FROM (
        SELECT number, created, row_number() OVER (ORDER BY number) AS place
        FROM unnest(key_ids, admitted, created) WITH ORDINALITY AS call (key_id, admitted, created, number)
        WHERE admitted AND key_id = key.id
      ) AS call
      WHERE call.place > granted;
    END IF;
  END LOOP;
END
$$;
