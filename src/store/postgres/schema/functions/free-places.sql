-- How many more events the strictest limit allows at `at`, after those at `times`; null when there is no limit.
CREATE FUNCTION free_places(times bigint[], at bigint, maxes integer[], windows bigint[]) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
  SELECT min(allowed.max - (SELECT count(*) FROM unnest(times) AS time WHERE time > at - allowed.span))::integer
  FROM unnest(maxes, windows) AS allowed (max, span)
$$;

-- Of `times`, the newest first, those that still count at `at`: against these limits, or against others that a node with a newer
-- configuration may have for them. Those look back a day at most, the longest window of an account. Of a number that gets
-- thousands of events a day, a row holds the newest thousand for them.
CREATE FUNCTION still_counting(times bigint[], at bigint, windows bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE AS $$
  SELECT array(
    SELECT time FROM unnest(times) WITH ORDINALITY AS held (time, place)
    WHERE time > at - (SELECT max(span) FROM unnest(windows) AS span) OR (time > at - 86400000 AND place <= 1000)
    ORDER BY place)
$$;
