-- Adds up to `wanted` sends at `at` to each destination, within the limits. Answers how many each was granted.
CREATE FUNCTION add_sends(hashes text[], wanted integer[], ats bigint[], maxes integer[], windows bigint[])
RETURNS integer[]
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  smallest CONSTANT integer := (SELECT min(each) FROM unnest(maxes) AS each);
  written_hashes text[];
  written_grants integer[];
BEGIN
  -- Guard and write are one step on the newest version of the row; a refusal leaves it locked and unchanged.
  WITH written AS (
    INSERT INTO destination AS held (hash, sends, granted, last_day)
    SELECT asked.hash, array_fill(asked.at, ARRAY[asked.places]), asked.places, asked.at / 86400000
    FROM (
      SELECT hash, at, least(wanted, smallest) AS places
      FROM unnest(hashes, wanted, ats) AS asked (hash, wanted, at)
      WHERE hash IS NOT NULL AND wanted > 0
    ) AS asked
    ORDER BY asked.hash COLLATE "C"
    ON CONFLICT (hash) DO UPDATE SET
      granted = least(excluded.granted, free_places(held.sends, excluded.sends[1], maxes, windows)),
      sends = excluded.sends[1:free_places(held.sends, excluded.sends[1], maxes, windows)]
        || still_counting(held.sends, excluded.sends[1], windows),
      last_day = greatest(held.last_day, excluded.last_day)
    WHERE free_places(held.sends, excluded.sends[1], maxes, windows) > 0
    RETURNING hash, granted
  )
  SELECT array_agg(hash), array_agg(granted) INTO written_hashes, written_grants FROM written;

  IF (SELECT sum(each) FROM unnest(written_grants) AS each) = (SELECT sum(each) FROM unnest(wanted) AS each) THEN
    RETURN wanted;
  END IF;
  RETURN (
    SELECT array_agg(
      CASE WHEN hash IS NULL THEN wanted ELSE coalesce(written_grants[array_position(written_hashes, hash)], 0) END
      ORDER BY number)
    FROM unnest(hashes, wanted) WITH ORDINALITY AS asked (hash, wanted, number)
  );
END
$$;

-- Counts the calls as sends to their destinations, and answers those that got no place, each with the limit that frees
-- one last. All calls for a destination in one batch count as made at the moment of the latest.
--
-- Of each call `earlier_hashes` lists, with commas between, the hashes of before. While there are some, as when a secret is
-- rotated, a send is written under all hashes and needs a place under each. A node that knows only the previous secret, or
-- only the new one, thus sees every send of the others.
CREATE FUNCTION take_sends(
  hashes text[], earlier_hashes text[], counted boolean[], created bigint[], maxes integer[], windows bigint[])
RETURNS TABLE (call_number integer, limit_number integer, retry_after bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  currents text[];
  lists text[];
  wanted integer[];
  ats bigint[];
  grants integer[];
  -- Of one rank: the first earlier hash of each list, or the second, ...
  ranked text[];
  -- Earlier hashes of all ranks, and what each was granted; whose they are, as places in `currents`.
  written text[] := '{}';
  places integer[] := '{}';
  owners integer[] := '{}';
BEGIN
  SELECT array_agg(hash), array_agg(list), array_agg(calls), array_agg(at)
  INTO currents, lists, wanted, ats
  FROM (
    SELECT hash, max(list) AS list, count(*)::integer AS calls, max(created) AS at
    FROM unnest(hashes, earlier_hashes, counted, created) AS call (hash, list, counted, created)
    WHERE counted GROUP BY hash ORDER BY hash COLLATE "C"
  ) AS asked;
  IF currents IS NULL THEN
    RETURN;
  END IF;

  grants := wanted;
  IF earlier_hashes IS NOT NULL THEN
    PERFORM lock_destinations(array_agg(own.hash), array_agg(call.at))
    FROM unnest(currents, lists, ats) AS call (hash, list, at)
    CROSS JOIN LATERAL unnest(call.hash || string_to_array(list, ',')) AS own (hash);
    FOR rank IN 1..(SELECT coalesce(max(cardinality(string_to_array(list, ','))), 0) FROM unnest(lists) AS list) LOOP
      ranked := array(
        SELECT (string_to_array(list, ','))[rank] FROM unnest(lists) WITH ORDINALITY AS call (list, number)
        ORDER BY number);
      grants := add_sends(ranked, grants, ats, maxes, windows);
      written := written || ranked;
      places := places || grants;
      owners := owners || array(SELECT generate_subscripts(currents, 1));
    END LOOP;
  END IF;
  grants := add_sends(currents, grants, ats, maxes, windows);
  IF grants = wanted THEN
    RETURN;
  END IF;
  -- The newest are the first of the list: those just written that did not find a place under every other hash.
  UPDATE destination SET sends = sends[asked.places - grants[asked.owner] + 1:]
  FROM unnest(written, places, owners) AS asked (hash, places, owner)
  WHERE destination.hash = asked.hash AND asked.places > grants[asked.owner];

  RETURN QUERY
  SELECT call.number::integer, full_limit.number::integer, full_limit.freed_at - call.created
  FROM (
    SELECT *, row_number() OVER (PARTITION BY hash ORDER BY number) AS place
    FROM unnest(hashes, earlier_hashes, counted, created) WITH ORDINALITY
      AS call (hash, list, counted, created, number)
    WHERE counted
  ) AS call
  LEFT JOIN LATERAL (
    SELECT allowed.number, allowed.span + (
      SELECT time FROM unnest(held.sends) AS time ORDER BY time DESC OFFSET allowed.max - 1 LIMIT 1) AS freed_at
    FROM unnest(call.hash || string_to_array(call.list, ',')) AS own (hash)
    JOIN destination AS held ON held.hash = own.hash
    CROSS JOIN unnest(maxes, windows) WITH ORDINALITY AS allowed (max, span, number)
    ORDER BY freed_at DESC NULLS LAST, allowed.number LIMIT 1
  ) AS full_limit ON true
  WHERE call.place > grants[array_position(currents, call.hash)];
END
$$;

-- Locks the rows of destinations in one order, and makes missing ones.
CREATE FUNCTION lock_destinations(hashes text[], ats bigint[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO destination AS held (hash, sends, last_day)
  SELECT hash, '{}', max(at) / 86400000 FROM unnest(hashes, ats) AS wanted (hash, at)
  WHERE hash IS NOT NULL GROUP BY hash ORDER BY hash COLLATE "C"
  ON CONFLICT (hash) DO UPDATE SET last_day = held.last_day WHERE false
$$;
