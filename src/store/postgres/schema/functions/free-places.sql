-- How many more events the strictest limit allows at `at`, after those at `times`; null when there is no limit.
CREATE FUNCTION free_places(times bigint[], at bigint, maxes integer[], windows bigint[]) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
  SELECT min(allowed.max - (SELECT count(*) FROM unnest(times) AS time WHERE time > at - allowed.span))::integer
  FROM unnest(maxes, windows) AS allowed (max, span)
$$;

-- The times that still count at `at`.
CREATE FUNCTION still_counting(times bigint[], at bigint, windows bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT array(SELECT time FROM unnest(times) AS time WHERE time > at - (SELECT max(span) FROM unnest(windows) AS span))
$$;
