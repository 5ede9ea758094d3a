-- Judges a batch of guesses, sorted by id, and says why others were refused. Judging commits, so both must reach us together
-- or not at all. No row means that the guess must come again: only the first guess for a destination is judged, because the
-- next one depends on it.
--
-- Of each guess `macs` lists, with commas between, the MAC of its code and those it may have been written under before. A
-- destination is known by its hash and by those in `previous_destination_hash`, a list of the same kind: it counts under all.
--
-- `numbers` is null, or null for each guess whose confirmation ends no other code; for the others it lists, with commas between,
-- under what else their number may be known.
CREATE FUNCTION confirm(
  ids uuid[], account_ids text[], tests boolean[], macs text[], nows bigint[], numbers text[], retention bigint,
  maxes integer[], windows bigint[])
RETURNS TABLE (
  call_number integer, outcome text, remaining integer,
  channel text, country text, destination_sealed text, carrier text, created_at bigint, client_network text,
  brought boolean, signals text, sent_by text, test boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  lowest CONSTANT uuid := ids[1];
  highest CONSTANT uuid := ids[cardinality(ids)];
  smallest CONSTANT integer := (SELECT min(each) FROM unnest(maxes) AS each);
  judged_numbers integer[] := '{}';
  confirmed_ids uuid[] := '{}';
  -- The codes of the numbers of these guesses, what was confirmed of them, what its numbers may be known under, and what that ended.
  every uuid[];
  approved uuid[] := '{}';
  approved_hashes text[] := '{}';
  ended uuid[] := '{}';
  telling CONSTANT boolean := EXISTS (SELECT FROM webhook);
  -- The numbers of the guesses that somebody may want to hear of, what happened, the carriers and their channels.
  told_numbers integer[] := '{}';
  told_events text[] := '{}';
  told_carriers text[] := '{}';
  told_channels text[] := '{}';
BEGIN
  -- Right guesses lock too: judged beside the last wrong ones, they would be one guess too many.
  IF smallest IS NOT NULL THEN
    INSERT INTO destination AS held (hash, sends, last_day)
    SELECT own.hash, '{}', max(guess.now) / 86400000
    FROM unnest(ids, account_ids, tests, nows, numbers) AS guess (id, account_id, test, now, number)
    JOIN verification ON verification.id = guess.id AND verification.account_id = guess.account_id
      AND verification.test = guess.test
    CROSS JOIN LATERAL unnest(destination_hash || string_to_array(previous_destination_hash, ',')
      || string_to_array(guess.number, ',')) AS own (hash)
    WHERE verification.id BETWEEN lowest AND highest AND NOT guess.test
    GROUP BY own.hash ORDER BY own.hash COLLATE "C"
    ON CONFLICT (hash) DO UPDATE SET last_day = held.last_day WHERE false;
  END IF;
  IF numbers IS NULL THEN
    PERFORM FROM delivery WHERE verification_id = ANY (ids) ORDER BY verification_id FOR UPDATE;
  ELSE
    every := lock_codes(ids, array(
      SELECT own.hash FROM unnest(ids, account_ids, tests, numbers) AS guess (id, account_id, test, number)
      JOIN verification ON verification.id = guess.id AND verification.account_id = guess.account_id
        AND verification.test = guess.test
      CROSS JOIN LATERAL unnest(destination_hash || string_to_array(previous_destination_hash, ',')
        || string_to_array(number, ',')) AS own (hash)
      WHERE verification.id BETWEEN lowest AND highest AND number IS NOT NULL));
  END IF;

  FOR call_number, outcome, remaining, channel, country, destination_sealed, carrier, created_at,
    client_network, brought, signals, sent_by, test IN
  WITH guess AS MATERIALIZED (
    SELECT given.*, destination_hash || string_to_array(previous_destination_hash, ',') AS hashes,
      given.test OR smallest IS NULL AS exempt
    FROM unnest(ids, account_ids, tests, macs, nows) WITH ORDINALITY AS given (id, account_id, test, mac, now, number)
    JOIN verification ON verification.id = given.id AND verification.account_id = given.account_id
      AND verification.test = given.test AND verification.created_at > given.now - retention
    WHERE verification.id BETWEEN lowest AND highest
  ), queued AS (
    SELECT number, row_number() OVER (PARTITION BY own.hash ORDER BY number) AS place
    FROM guess CROSS JOIN LATERAL unnest(hashes) AS own (hash)
  ), first_guess AS MATERIALIZED (
    SELECT guess.*, CASE WHEN NOT exempt THEN (
      SELECT min(CASE WHEN failures = '{}' THEN smallest ELSE free_places(failures, guess.now, maxes, windows) END)
      FROM destination WHERE hash = ANY (guess.hashes)) END AS free
    FROM guess
    WHERE number IN (SELECT number FROM queued GROUP BY number HAVING max(place) = 1)
  ), judged AS (
    -- Compares hashes of the MACs, so that the time it takes says nothing about the MACs.
    UPDATE verification SET
      guesses_left = guesses_left - 1,
      confirmed_at = CASE
        WHEN sha256(convert_to(code_mac, 'UTF8'))
          IN (SELECT sha256(convert_to(each, 'UTF8')) FROM unnest(string_to_array(first_guess.mac, ',')) AS each)
        THEN first_guess.now END
    FROM first_guess
    WHERE verification.id = first_guess.id AND verification.id BETWEEN lowest AND highest
      AND ended_at IS NULL AND confirmed_at IS NULL AND expires_at > first_guess.now AND guesses_left > 0
      AND coalesce(first_guess.free, 1) > 0
    RETURNING first_guess.number, first_guess.id, first_guess.hashes, first_guess.exempt,
      first_guess.free, first_guess.now, guesses_left, confirmed_at IS NOT NULL AS confirmed,
      verification.account_id, key_id, verification.test, channel, country, destination_sealed, created_at, client_network,
      brought, signals
  ), noted AS (
    UPDATE destination SET
      failures = CASE WHEN judged.confirmed THEN '{}' ELSE judged.now || still_counting(failures, judged.now, windows) END,
      last_day = greatest(last_day, judged.now / 86400000)
    -- A success also clears what its row does not know: under what else the number may be known.
    FROM judged CROSS JOIN LATERAL unnest(
      judged.hashes || CASE WHEN judged.confirmed THEN string_to_array(numbers[judged.number], ',') END) AS own (hash)
    WHERE destination.hash = own.hash AND NOT judged.exempt AND (NOT judged.confirmed OR failures <> '{}')
  ), dropped AS (
    DELETE FROM delivery USING judged WHERE verification_id = judged.id AND judged.confirmed
  ), told AS MATERIALIZED (
    -- The carrier that delivered it, or else the last that took it and did not report it undelivered, and the channel if it is not
    -- the one that was asked for. The list of verifications has the same order.
    SELECT judged.*, last.carrier, last.channel AS sent_by
    FROM judged LEFT JOIN LATERAL (
      SELECT attempt.carrier, attempt.channel FROM attempt
      WHERE judged.confirmed AND verification_id = judged.id AND outcome IN ('accepted', 'delivered')
      ORDER BY (outcome = 'delivered' OR receipt IS NOT DISTINCT FROM 'delivered') DESC,
        receipt IS DISTINCT FROM 'undelivered' DESC, fence DESC, position DESC LIMIT 1) AS last ON true
  ), counted AS (
    INSERT INTO tally_event (at, account_id, test, channel, country, carrier, key_id, event, bin, amount)
    SELECT created_at - created_at % 10000, account_id, test, coalesce(sent_by, channel), country, coalesce(carrier, ''), key_id,
      CASE WHEN confirmed THEN 'confirmed' ELSE 'mismatched' END,
      CASE WHEN confirmed THEN latency_bin(now - created_at) END, count(*)
    FROM told GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    UNION ALL
    -- A code that the client brought: that it is confirmed here makes it one that was requested, and sent.
    SELECT created_at - created_at % 10000, account_id, test, counted.channel, country, counted.carrier, key_id, counted.event,
      NULL, count(*)
    FROM told CROSS JOIN LATERAL (VALUES ('requested', '', told.channel), ('submitted', told.carrier, coalesce(told.sent_by, told.channel)))
      AS counted (event, carrier, channel)
    WHERE confirmed AND brought AND counted.carrier IS NOT NULL GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
  )
  SELECT number::integer, CASE WHEN confirmed THEN 'confirmed' ELSE 'mismatch' END,
    greatest(least(guesses_left, free - 1), 0), channel, country, destination_sealed, carrier::text, created_at, client_network,
    brought, signals, sent_by, test
  FROM told
  LOOP
    judged_numbers := judged_numbers || call_number;
    IF outcome = 'confirmed' THEN
      confirmed_ids := confirmed_ids || ids[call_number];
      IF numbers[call_number] IS NOT NULL THEN
        approved := approved || ids[call_number];
        approved_hashes := approved_hashes || string_to_array(numbers[call_number], ',');
      END IF;
    END IF;
    IF telling AND (outcome = 'confirmed' OR remaining = 0) THEN
      told_numbers := told_numbers || call_number;
      told_events := told_events || CASE outcome WHEN 'confirmed' THEN 'verification.confirmed' ELSE 'verification.exhausted' END;
      told_carriers := told_carriers || carrier;
      told_channels := told_channels || sent_by;
    END IF;
    RETURN NEXT;
  END LOOP;

  IF cardinality(judged_numbers) < cardinality(ids) THEN
    RETURN QUERY
    SELECT refused.number::integer, refused.reason, NULL::integer, NULL, NULL, NULL, NULL, NULL::bigint, NULL,
      NULL::boolean, NULL, NULL, NULL::boolean
    FROM explain_refusals(ids, account_ids, tests, nows, retention, maxes, windows) AS refused
    WHERE refused.number <> ALL (judged_numbers) AND refused.reason IS NOT NULL;
  END IF;
  IF approved <> '{}' THEN
    ended := end_others(approved, approved_hashes, every, (SELECT max(each) FROM unnest(nows) AS each));
  END IF;
  IF confirmed_ids <> '{}' AND EXISTS (SELECT FROM reservation) THEN
    PERFORM end_reservations(confirmed_ids || ended);
  END IF;
  IF told_numbers <> '{}' THEN
    PERFORM tell(told_events, array_agg(ids[each] ORDER BY number), told_carriers, NULL, array_agg(nows[each] ORDER BY number),
      told_channels)
    FROM unnest(told_numbers) WITH ORDINALITY AS told (each, number);
  END IF;
END
$$;

-- Why guesses were not judged; null for one that would be judged now.
CREATE FUNCTION explain_refusals(
  ids uuid[], account_ids text[], tests boolean[], nows bigint[], retention bigint, maxes integer[], windows bigint[])
RETURNS TABLE (number bigint, reason text)
LANGUAGE sql AS $$
  SELECT guess.number, CASE
    WHEN verification.id IS NULL THEN 'unknown'
    WHEN confirmed_at IS NOT NULL THEN 'already-confirmed'
    WHEN ended_at IS NOT NULL OR expires_at <= guess.now THEN 'expired'
    WHEN guesses_left <= 0 THEN 'attempts-exhausted'
    WHEN NOT verification.test AND EXISTS (
      SELECT FROM destination
      WHERE hash = ANY (destination_hash || string_to_array(previous_destination_hash, ','))
        AND free_places(failures, guess.now, maxes, windows) <= 0
    ) THEN 'attempts-exhausted'
    END
  FROM unnest(ids, account_ids, tests, nows) WITH ORDINALITY AS guess (id, account_id, test, now, number)
  LEFT JOIN verification ON verification.id = guess.id AND verification.account_id = guess.account_id
    AND verification.test = guess.test AND verification.created_at > guess.now - retention
$$;
