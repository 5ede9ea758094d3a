-- Writes a batch of verifications with their deliveries. Answers a row for each call that was not issued.
--
-- Each step locks its rows before it reads them: in READ COMMITTED, a later statement of a function sees what the holder
-- before committed. All functions lock tables in the same order (idempotency, key_usage, destination, delivery,
-- verification, attempt, reservation, budget_use, code_by_number), and rows of a table in the order of their keys.
--
-- Of each call `earlier_hashes` lists, with commas between, what its destination was hashed to before; `idempotency_keys` and
-- `body_hashes` begin with the hash of now, and go on with those of before.
-- `ending`: calls whose being issued ends the other codes of their number; null if there are none.
-- `idempotency_windows` is null, or says of each call how long it repeats another; null for 24 hours.
CREATE FUNCTION issue(
  ids uuid[], account_ids text[], key_ids text[], tests boolean[], channels text[], countries text[],
  hashes text[], earlier_hashes text[], destinations_sealed text[], code_macs text[], codes_sealed text[],
  guesses integer[], created bigint[], expires bigint[], leased bigint[],
  idempotency_keys text[], body_hashes text[], idempotency_windows bigint[],
  request_maxes integer[], request_windows bigint[], send_maxes integer[], send_windows bigint[],
  client_networks text[], details text[], brought_codes boolean[], all_signals text[], reservations jsonb[],
  by_number boolean[], ending boolean[], nearly_used double precision)
RETURNS TABLE (
  call_number integer, outcome text, limit_number integer, retry_after bigint,
  first_id uuid, first_destination text, first_channel text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  admitted boolean[] := array_fill(true, ARRAY[cardinality(ids)]);
  counted boolean[];
  -- Calls that a budget refused, after they were counted as sends.
  refused boolean[];
  -- The codes of the numbers of calls that end them, what was issued in their place, and what that ended.
  every uuid[] := '{}';
  newer uuid[];
  ended uuid[] := '{}';
  -- The event that each call counts as; null if none.
  events text[] := array_fill('requested'::text, ARRAY[cardinality(ids)]);
  other record;
BEGIN
  IF idempotency_keys IS NOT NULL THEN
    INSERT INTO idempotency AS held (account_id, key_hash, body_hash, verification_id, created_at)
    SELECT account_id, split_part(keys, ',', 1), split_part(bodies, ',', 1), id, created
    FROM unnest(ids, account_ids, idempotency_keys, body_hashes, created)
      AS call (id, account_id, keys, bodies, created)
    WHERE keys IS NOT NULL ORDER BY account_id COLLATE "C", split_part(keys, ',', 1) COLLATE "C"
    ON CONFLICT (account_id, key_hash) DO UPDATE SET
      body_hash = excluded.body_hash, verification_id = excluded.verification_id, created_at = excluded.created_at
    WHERE held.created_at <= excluded.created_at
      - coalesce(idempotency_windows[array_position(ids, excluded.verification_id)], 86400000);

    FOR other IN
      SELECT DISTINCT ON (call.number)
        call.number, held.body_hash = own.body_hash AND coalesce(first.test, call.test) = call.test AS same,
        first.id, first.destination_sealed, first.channel
      FROM unnest(ids, account_ids, tests, idempotency_keys, body_hashes, created) WITH ORDINALITY
        AS call (id, account_id, test, keys, bodies, created, number)
      CROSS JOIN LATERAL unnest(string_to_array(keys, ','), string_to_array(bodies, ',')) WITH ORDINALITY
        AS own (key_hash, body_hash, rank)
      JOIN idempotency AS held ON held.account_id = call.account_id AND held.key_hash = own.key_hash
        AND held.created_at > call.created - coalesce(idempotency_windows[call.number], 86400000)
      LEFT JOIN verification AS first ON first.id = held.verification_id
      -- What a key of the other kind asked for is another request under the hash of now, and none under one of before.
      WHERE held.verification_id <> call.id AND (own.rank = 1 OR coalesce(first.test, call.test) = call.test)
      ORDER BY call.number, own.rank
    LOOP
      admitted[other.number] := false;
      events[other.number] := NULL;
      RETURN QUERY
      SELECT other.number::integer, CASE WHEN other.same THEN 'replayed' ELSE 'idempotency-mismatch' END,
        NULL::integer, NULL::bigint, other.id, other.destination_sealed, other.channel;
    END LOOP;
  END IF;

  -- What an account sends nothing to. A request that began after the number was committed finds it, whichever node wrote it.
  -- Asked first whether there is any such number, which costs nothing.
  IF EXISTS (SELECT FROM blocked_number) THEN
    FOR other IN
      SELECT call.number
      FROM unnest(admitted, tests, hashes, earlier_hashes) WITH ORDINALITY
        AS call (admitted, test, hash, earlier, number)
      WHERE admitted AND NOT test AND EXISTS (
        SELECT FROM blocked_number
        WHERE blocked_number.hash = ANY (array_prepend(call.hash, string_to_array(call.earlier, ','))))
    LOOP
      admitted[other.number] := false;
      events[other.number] := NULL;
      RETURN QUERY
      SELECT other.number::integer, 'blocked', NULL::integer, NULL::bigint, NULL::uuid, NULL, NULL;
    END LOOP;
  END IF;

  IF cardinality(request_maxes) > 0 THEN
    -- `none` is no key (NO_KEY): what no key asked for has bounds of its own.
    counted := array(SELECT admitted AND key <> 'none' FROM unnest(admitted, key_ids) AS call (admitted, key));
    FOR other IN SELECT * FROM take_requests(key_ids, counted, created, request_maxes, request_windows) LOOP
      admitted[other.call_number] := false;
      events[other.call_number] := 'limited_by_key';
      RETURN QUERY SELECT other.call_number, 'key', other.limit_number, other.retry_after, NULL::uuid, NULL, NULL;
    END LOOP;
  END IF;

  -- All of them at once, and before sends are counted: of two that end each other's codes, one waits for the other.
  IF ending IS NOT NULL THEN
    PERFORM lock_destinations(array_agg(own.hash), array_agg(call.created))
    FROM unnest(hashes, earlier_hashes, created) AS call (hash, earlier, created)
    CROSS JOIN LATERAL unnest(call.hash || string_to_array(call.earlier, ',')) AS own (hash);
  END IF;

  IF cardinality(send_maxes) > 0 THEN
    counted := array(SELECT admitted AND NOT test FROM unnest(admitted, tests) AS call (admitted, test));
    FOR other IN
      SELECT * FROM take_sends(hashes, earlier_hashes, counted, created, send_maxes, send_windows)
    LOOP
      admitted[other.call_number] := false;
      events[other.call_number] := 'limited_by_destination';
      RETURN QUERY
      SELECT other.call_number, 'destination', other.limit_number, other.retry_after, NULL::uuid, NULL, NULL;
    END LOOP;
  END IF;

  IF ending IS NOT NULL THEN
    every := lock_codes('{}', array(
      SELECT own.hash FROM unnest(hashes, earlier_hashes, ending) AS call (hash, earlier, wanted)
      CROSS JOIN LATERAL unnest(call.hash || string_to_array(call.earlier, ',')) AS own (hash) WHERE wanted));
    -- What these give back, and what is reserved below, in one order.
    IF every <> '{}' AND EXISTS (SELECT FROM reservation) THEN
      PERFORM FROM reservation WHERE verification_id = ANY (every) ORDER BY verification_id FOR UPDATE;
      PERFORM lock_budgets(array(
        SELECT charges FROM reservation WHERE verification_id = ANY (every)
        UNION ALL SELECT given -> 'charges' FROM unnest(reservations) AS given WHERE given IS NOT NULL));
    END IF;
  END IF;

  -- Last, because until the commit everybody waits for the rows of budgets.
  IF reservations IS NOT NULL THEN
    refused := array_fill(false, ARRAY[cardinality(ids)]);
    FOR other IN SELECT * FROM reserve(reservations, admitted, created, nearly_used) LOOP
      IF other.outcome = 'exhausted' THEN
        admitted[other.call_number] := false;
        events[other.call_number] := NULL;
        refused[other.call_number] := NOT tests[other.call_number];
      END IF;
      RETURN QUERY SELECT other.call_number, other.outcome, other.charge_number, other.retry_after, NULL::uuid, NULL, NULL;
    END LOOP;
    IF cardinality(send_maxes) > 0 AND true = ANY (refused) THEN
      PERFORM return_sends(hashes, earlier_hashes, refused);
    END IF;
  END IF;

  -- A refused request frees its key: a later try must not be answered with the refusal.
  IF idempotency_keys IS NOT NULL THEN
    DELETE FROM idempotency
    USING unnest(ids, account_ids, idempotency_keys, admitted) AS call (id, account_id, keys, admitted)
    WHERE idempotency.account_id = call.account_id AND idempotency.key_hash = split_part(call.keys, ',', 1)
      AND verification_id = call.id AND NOT call.admitted;
  END IF;

  INSERT INTO verification (id, account_id, key_id, test, channel, country, destination_hash,
    previous_destination_hash, destination_sealed, code_mac, guesses_left, created_at, expires_at, client_network,
    details_sealed, brought, signals)
  SELECT id, account_id, key_id, test, channel, country, hash, earlier, destination_sealed, code_mac,
    guesses, created, expires, client_network, details_sealed, coalesce(brought, false), signals
  FROM unnest(ids, account_ids, key_ids, tests, channels, countries, hashes, earlier_hashes,
    destinations_sealed, code_macs, guesses, created, expires, client_networks, details, brought_codes, all_signals,
    admitted)
    AS call (id, account_id, key_id, test, channel, country, hash, earlier, destination_sealed, code_mac,
      guesses, created, expires, client_network, details_sealed, brought, signals, admitted)
  WHERE admitted;

  INSERT INTO delivery (verification_id, code_sealed, due_at, expires_at)
  SELECT id, code_sealed, least(leased, expires - 1), expires
  FROM unnest(ids, codes_sealed, leased, expires, admitted) AS call (id, code_sealed, leased, expires, admitted)
  WHERE admitted AND leased IS NOT NULL;

  IF every <> '{}' THEN
    -- Those that were refused were not written, and end nothing.
    newer := array(SELECT id FROM unnest(ids, ending) AS call (id, wanted) WHERE wanted);
    ended := end_others(newer, '{}', every, (SELECT max(each) FROM unnest(created) AS each));
    IF ended <> '{}' AND EXISTS (SELECT FROM reservation) THEN
      PERFORM end_reservations(ended);
    END IF;
  END IF;

  IF by_number IS NOT NULL THEN
    INSERT INTO code_by_number (destination_hash, verification_id, channel, expires_at)
    SELECT hash, id, channel, expires
    FROM unnest(ids, hashes, channels, expires, admitted, by_number) AS call (id, hash, channel, expires, admitted, wanted)
    WHERE admitted AND wanted;
  END IF;

  IF reservations IS NOT NULL THEN
    INSERT INTO reservation (verification_id, charges, prices, held, fence, under_way, expires_at)
    SELECT id, given -> 'charges', given -> 'prices', price_of(given -> 'prices', NULL), 0, true, expires
    FROM unnest(ids, reservations, expires, admitted) AS call (id, given, expires, admitted)
    WHERE admitted AND given IS NOT NULL;
  END IF;

  IF EXISTS (SELECT FROM webhook) THEN
    PERFORM tell_issued(ids, account_ids, created, expires, admitted);
  END IF;

  -- Of a code that the client brought only what is confirmed here counts (confirm.sql). What no key asked for is no traffic.
  INSERT INTO tally_event (at, account_id, test, channel, country, carrier, key_id, event, amount)
  SELECT created - created % 10000, account_id, test, channel, country, '', key_id, event, count(*)
  FROM unnest(created, account_ids, tests, channels, countries, key_ids, events, brought_codes)
    AS call (created, account_id, test, channel, country, key_id, event, brought)
  WHERE event IS NOT NULL AND NOT (coalesce(brought, false) AND event = 'requested') AND key_id <> 'none'
  GROUP BY 1, 2, 3, 4, 5, 7, 8;
END
$$;
