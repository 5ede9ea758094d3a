-- Judges a batch of guesses, each against all live codes of a number, and answers as confirm does, with the id that a guess was
-- judged as. No row means that the guess must come again. Calls of one number never meet in a batch.
--
-- `ids` are the candidates of all calls, sorted; `calls` says whose they are. `macs` and `hashes` list, with commas between, what
-- the code and the number of the call may have been written under.
CREATE FUNCTION confirm_by_number(
  calls integer[], ids uuid[], account_ids text[], tests boolean[], macs text[], hashes text[], nows bigint[], retention bigint,
  maxes integer[], windows bigint[])
RETURNS TABLE (
  call_number integer, id uuid, outcome text, remaining integer,
  channel text, country text, destination_sealed text, carrier text, created_at bigint, client_network text,
  brought boolean, signals text, sent_by text, test boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- The candidates, and what was issued for their numbers since they were found.
  every uuid[];
  lowest uuid;
  highest uuid;
  chosen record;
BEGIN
  -- As confirm does, and before anything is looked up: a code that is being issued for the number is waited for.
  PERFORM lock_destinations(array_agg(own.hash), array_agg(guess.now))
  FROM unnest(ids, account_ids, tests, nows, hashes) AS guess (id, account_id, test, now, hashes)
  JOIN verification ON verification.id = guess.id AND verification.account_id = guess.account_id
    AND verification.test = guess.test
  CROSS JOIN LATERAL unnest(destination_hash || string_to_array(previous_destination_hash, ',')
    || string_to_array(guess.hashes, ',')) AS own (hash)
  WHERE verification.id BETWEEN ids[1] AND ids[cardinality(ids)] AND NOT guess.test;
  every := lock_codes(ids, string_to_array(array_to_string(hashes, ','), ','));
  lowest := every[1];
  highest := every[cardinality(every)];

  -- Of each call the one that the code is of, or else the newest.
  WITH live AS (
    SELECT given.*, sha256(convert_to(code_mac, 'UTF8'))
      IN (SELECT sha256(convert_to(each, 'UTF8')) FROM unnest(string_to_array(given.mac, ',')) AS each) AS matches
    FROM unnest(calls, ids, account_ids, tests, macs, hashes, nows) AS given (call, id, account_id, test, mac, hashes, now)
    JOIN verification ON verification.id = given.id AND verification.account_id = given.account_id
      AND verification.test = given.test AND verification.created_at > given.now - retention
    WHERE verification.id BETWEEN lowest AND highest
      AND confirmed_at IS NULL AND ended_at IS NULL AND expires_at > given.now AND guesses_left > 0
  ), one AS (
    SELECT DISTINCT ON (call) * FROM live ORDER BY call, matches DESC, id DESC
  )
  SELECT coalesce(array_agg(call ORDER BY one.id), '{}') AS calls, array_agg(one.id ORDER BY one.id) AS ids,
    array_agg(account_id ORDER BY one.id) AS account_ids, array_agg(one.test ORDER BY one.id) AS tests,
    array_agg(mac ORDER BY one.id) AS macs, array_agg(one.hashes ORDER BY one.id) AS hashes,
    array_agg(now ORDER BY one.id) AS nows
  INTO chosen FROM one;

  IF chosen.calls <> '{}' THEN
    RETURN QUERY
    SELECT chosen.calls[verdict.call_number], chosen.ids[verdict.call_number], verdict.outcome, verdict.remaining,
      verdict.channel, verdict.country, verdict.destination_sealed, verdict.carrier, verdict.created_at,
      verdict.client_network, verdict.brought, verdict.signals, verdict.sent_by, verdict.test
    FROM confirm(
      chosen.ids, chosen.account_ids, chosen.tests, chosen.macs, chosen.nows, chosen.hashes, retention, maxes, windows) AS verdict;
  END IF;

  -- Nothing that has guesses left is live.
  RETURN QUERY
  SELECT given.call, NULL::uuid,
    CASE WHEN bool_or(confirmed_at IS NULL AND ended_at IS NULL AND expires_at > given.now) THEN 'attempts-exhausted' ELSE 'unknown' END,
    NULL::integer, NULL, NULL, NULL, NULL, NULL::bigint, NULL, NULL::boolean, NULL, NULL, NULL::boolean
  FROM unnest(calls, ids, account_ids, tests, nows) AS given (call, id, account_id, test, now)
  LEFT JOIN verification ON verification.id = given.id AND verification.account_id = given.account_id
    AND verification.test = given.test AND verification.created_at > given.now - retention AND verification.id BETWEEN lowest AND highest
  WHERE given.call <> ALL (chosen.calls) GROUP BY given.call;
END
$$;

-- Confirms a live code that the client brought, on its word: as a guess that is right. No row if there is no such code.
-- `number_hashes` lists, with commas between, under what else its number may be known.
CREATE FUNCTION approve(
  wanted uuid, account text, is_test boolean, now bigint, retention bigint, number_hashes text, maxes integer[], windows bigint[])
RETURNS TABLE (
  call_number integer, id uuid, outcome text, remaining integer,
  channel text, country text, destination_sealed text, carrier text, created_at bigint, client_network text,
  brought boolean, signals text, sent_by text, test boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  known record;
BEGIN
  -- None of these ever changes, so they need no lock.
  SELECT verification.brought, code_mac, concat_ws(',', destination_hash, previous_destination_hash, number_hashes) AS hashes INTO known
  FROM verification
  WHERE verification.id = wanted AND account_id = account AND test = is_test AND created_at > now - retention;
  IF known.brought THEN
    RETURN QUERY SELECT * FROM confirm_by_number(
      ARRAY[1], ARRAY[wanted], ARRAY[account], ARRAY[is_test], ARRAY[known.code_mac], ARRAY[known.hashes], ARRAY[now], retention,
      maxes, windows);
  ELSIF FOUND THEN
    RETURN QUERY
    SELECT 1, NULL::uuid, 'not-brought', NULL::integer, NULL, NULL, NULL, NULL, NULL::bigint, NULL, NULL::boolean, NULL, NULL,
      NULL::boolean;
  END IF;
END
$$;
