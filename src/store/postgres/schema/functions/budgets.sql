-- What verifications take from budgets, and give back. The rows of budgets are shared by everybody, so they are locked last, after
-- everything that the functions in the other files lock: first the reservations, then the rows of `budget_use`, each in
-- the order of their keys.

-- Locks the rows of these charges, and makes missing ones.
CREATE FUNCTION lock_budgets(lists jsonb[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO budget_use AS held (kind, subject, per, starts_at, ends_at)
  SELECT kind, subject, per, "startsAt", max("endsAt")
  FROM unnest(lists) AS list CROSS JOIN LATERAL jsonb_to_recordset(list)
    AS charge (kind text, subject text, per text, "startsAt" bigint, "endsAt" bigint)
  GROUP BY kind, subject, per, "startsAt"
  ORDER BY kind COLLATE "C", subject COLLATE "C", per COLLATE "C", "startsAt"
  ON CONFLICT (kind, subject, per, starts_at) DO UPDATE SET ends_at = held.ends_at WHERE false
$$;

-- Adds to all rows of these charges, or to none if one has no room. The caller has locked them.
CREATE FUNCTION take_from_budgets(list jsonb, cost bigint, count integer) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  WITH charge AS MATERIALIZED (
    SELECT * FROM jsonb_to_recordset(list)
      AS charge (kind text, subject text, per text, "startsAt" bigint, money bigint, messages bigint)
  )
  UPDATE budget_use AS used SET money = used.money + cost, messages = used.messages + count
  FROM charge
  WHERE used.kind = charge.kind AND used.subject = charge.subject AND used.per = charge.per
    AND used.starts_at = charge."startsAt"
    AND NOT EXISTS (
      SELECT FROM charge AS other JOIN budget_use AS full_one
        ON full_one.kind = other.kind AND full_one.subject = other.subject AND full_one.per = other.per
        AND full_one.starts_at = other."startsAt"
      WHERE full_one.money + cost > other.money OR full_one.messages + count > other.messages);
  RETURN FOUND;
END
$$;

-- What these carriers may charge, of a reservation's prices; all of them if `carriers` is null.
CREATE FUNCTION price_of(prices jsonb, carriers text[]) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(sum(value::bigint), 0)::bigint FROM jsonb_each_text(prices)
  WHERE carriers IS NULL OR key = ANY (carriers)
$$;

-- The charges of the accepted calls that were filled so far for the first time that it should be told. The caller has locked their rows.
CREATE FUNCTION warn_of_budgets(reservations jsonb[], accepted integer[], nearly double precision)
RETURNS TABLE (call_number integer, outcome text, charge_number integer, retry_after bigint)
LANGUAGE sql AS $$
  WITH charge AS (
    SELECT DISTINCT ON (kind, subject, per, "startsAt") list.call_number, charge.*
    FROM unnest(accepted) AS list (call_number)
    CROSS JOIN LATERAL ROWS FROM (jsonb_to_recordset(reservations[list.call_number] -> 'charges') AS (
        kind text, subject text, per text, "startsAt" bigint, money bigint, messages bigint))
      WITH ORDINALITY AS charge (kind, subject, per, "startsAt", money, messages, number)
    ORDER BY kind, subject, per, "startsAt", list.call_number
  )
  UPDATE budget_use AS used SET
    warned_money = greatest(used.warned_money, charge.money),
    warned_messages = greatest(used.warned_messages, charge.messages)
  FROM charge
  WHERE used.kind = charge.kind AND used.subject = charge.subject AND used.per = charge.per
    AND used.starts_at = charge."startsAt"
    AND (used.money >= nearly * charge.money AND used.warned_money < charge.money
      OR used.messages >= nearly * charge.messages AND used.warned_messages < charge.messages)
  RETURNING charge.call_number, 'nearly-used'::text, charge.number::integer, NULL::bigint
$$;

-- Reserves what each admitted call may cost, in their order, from all of its budgets or from none. Answers the calls that were
-- refused, with the charge that frees up last, and the charges that were filled so far for the first time that it should be told.
CREATE FUNCTION reserve(reservations jsonb[], admitted boolean[], created bigint[], nearly double precision)
RETURNS TABLE (call_number integer, outcome text, charge_number integer, retry_after bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  call record;
  accepted integer[] := '{}';
BEGIN
  PERFORM lock_budgets(array_agg(given -> 'charges'))
  FROM unnest(reservations, admitted) AS call (given, admitted) WHERE admitted AND given IS NOT NULL;

  FOR call IN
    SELECT number::integer, given -> 'charges' AS charges, created, price_of(given -> 'prices', NULL) AS cost
    FROM unnest(reservations, admitted, created) WITH ORDINALITY AS call (given, admitted, created, number)
    WHERE admitted AND given IS NOT NULL ORDER BY number
  LOOP
    IF take_from_budgets(call.charges, call.cost, 1) THEN
      accepted := accepted || call.number;
    ELSE
      RETURN QUERY
      SELECT call.number, 'exhausted', charge.number::integer, charge."endsAt" - call.created
      FROM ROWS FROM (jsonb_to_recordset(call.charges) AS (
          kind text, subject text, per text, "startsAt" bigint, "endsAt" bigint, money bigint, messages bigint))
        WITH ORDINALITY AS charge (kind, subject, per, "startsAt", "endsAt", money, messages, number)
      JOIN budget_use AS used ON used.kind = charge.kind AND used.subject = charge.subject AND used.per = charge.per
        AND used.starts_at = charge."startsAt"
      WHERE used.money + call.cost > charge.money OR used.messages + 1 > charge.messages
      ORDER BY charge."endsAt" DESC, charge.number LIMIT 1;
    END IF;
  END LOOP;

  RETURN QUERY SELECT * FROM warn_of_budgets(reservations, accepted, nearly);
END
$$;

-- Notes what the rounds of these leases may have cost: of each call, `charged` lists the carriers with commas between.
CREATE FUNCTION settle_reservations(ids uuid[], fences integer[], charged text[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM FROM reservation WHERE verification_id = ANY (ids) ORDER BY verification_id FOR UPDATE;
  UPDATE reservation SET
    under_way = false,
    spent = CASE WHEN settled.charged = '' THEN spent
      ELSE coalesce(spent, 0) + price_of(prices, string_to_array(settled.charged, ',')) END
  FROM unnest(ids, fences, charged) AS settled (id, fence, charged)
  WHERE verification_id = settled.id AND reservation.fence = settled.fence AND under_way;
  PERFORM end_reservations(ids);
END
$$;

-- Gives back what was not spent, once nothing is left to send and no round is under way that may still cost something.
CREATE FUNCTION end_reservations(ids uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  over uuid[];
BEGIN
  SELECT array_agg(verification_id) INTO over FROM (
    SELECT verification_id FROM reservation
    WHERE verification_id = ANY (ids) AND NOT under_way
      AND NOT EXISTS (SELECT FROM delivery WHERE delivery.verification_id = reservation.verification_id)
    ORDER BY verification_id FOR UPDATE
  ) AS locked;
  IF over IS NULL THEN
    RETURN;
  END IF;
  PERFORM lock_budgets(array_agg(charges)) FROM reservation
  WHERE verification_id = ANY (over) AND held IS DISTINCT FROM spent;
  WITH ended AS (
    DELETE FROM reservation WHERE verification_id = ANY (over)
    RETURNING charges, held - coalesce(spent, 0) AS cost, (spent IS NULL)::integer AS count
  ), returned AS (
    SELECT kind, subject, per, "startsAt", sum(cost) AS cost, sum(count) AS count
    FROM ended CROSS JOIN LATERAL jsonb_to_recordset(charges)
      AS charge (kind text, subject text, per text, "startsAt" bigint)
    WHERE cost <> 0 OR count <> 0 GROUP BY kind, subject, per, "startsAt"
  )
  UPDATE budget_use AS used SET money = used.money - returned.cost, messages = used.messages - returned.count
  FROM returned
  WHERE used.kind = returned.kind AND used.subject = returned.subject AND used.per = returned.per
    AND used.starts_at = returned."startsAt";
END
$$;

-- Begins another round of these messages, under the lease after that of their deliveries. If the holder of the one before
-- fell silent, its round may have cost everything. Where what is left does not cover all carriers that may be asked, it covers none:
-- each is reserved before it is asked, under the limits of then, which only who sends knows.
CREATE FUNCTION renew_reservations(ids uuid[]) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  PERFORM FROM reservation WHERE verification_id = ANY (ids) ORDER BY verification_id FOR UPDATE;
  WITH open AS (
    SELECT verification_id, delivery.fence + 1 AS next_fence, coalesce((
      -- A message that goes by a later channel never goes back to the first, whose carriers are named without it.
      SELECT jsonb_object_agg(key, value) FROM jsonb_each(prices)
      WHERE (delivery.leg = 0 OR key LIKE '% %') AND NOT EXISTS (
        SELECT FROM attempt WHERE attempt.verification_id = reservation.verification_id
          AND attempt.carrier || coalesce(' ' || attempt.channel, '') = key
          AND (outcome = 'permanent' OR receipt = 'undelivered'))), '{}') AS left_over
    FROM reservation JOIN delivery USING (verification_id) WHERE verification_id = ANY (ids)
  ), paid AS (
    SELECT verification_id, next_fence, left_over, price_of(left_over, NULL) AS worst,
      CASE WHEN under_way THEN coalesce(spent, 0) + price_of(left_over, NULL) ELSE spent END AS paid
    FROM open JOIN reservation USING (verification_id)
  )
  UPDATE reservation SET
    spent = paid, prices = CASE WHEN coalesce(paid, 0) + worst <= held THEN left_over ELSE '{}' END,
    fence = next_fence, under_way = true
  FROM paid WHERE reservation.verification_id = paid.verification_id;
END
$$;

-- Adds to what the message of this lease holds, all of it or nothing: `more_prices` are carriers that cost less so far, or were not known;
-- `more_charges` are the budgets that apply to it now. What it holds beyond what was paid, and what this round may cost so far, is used
-- first. Without room it answers which of `more_charges` has none, of several the one that frees up last.
CREATE FUNCTION reserve_more(wanted_id uuid, held_fence integer, more_charges jsonb, more_prices jsonb)
RETURNS TABLE (outcome text, full_number integer)
LANGUAGE plpgsql AS $$
DECLARE
  expires bigint;
  kept reservation;
  known jsonb;
  joining jsonb;
  new_prices jsonb;
  cost bigint;
BEGIN
  SELECT expires_at INTO expires FROM delivery
  WHERE verification_id = wanted_id AND fence = held_fence AND due_at < expires_at FOR UPDATE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'not wanted'::text, NULL::integer;
    RETURN;
  END IF;
  SELECT * INTO kept FROM reservation WHERE verification_id = wanted_id FOR UPDATE;
  kept.charges := coalesce(kept.charges, '[]');
  kept.prices := coalesce(kept.prices, '{}');
  kept.held := coalesce(kept.held, 0);
  SELECT kept.prices || coalesce(jsonb_object_agg(key, greatest(value::bigint, (kept.prices ->> key)::bigint)), '{}')
  INTO new_prices FROM jsonb_each_text(more_prices);
  cost := greatest(coalesce(kept.spent, 0) + price_of(new_prices, NULL) - kept.held, 0);
  SELECT coalesce(jsonb_agg(more) FILTER (WHERE old IS NOT NULL), '[]'),
    coalesce(jsonb_agg(more) FILTER (WHERE old IS NULL), '[]')
  INTO known, joining
  FROM jsonb_array_elements(more_charges) AS more LEFT JOIN jsonb_array_elements(kept.charges) AS old ON is_same_book(more, old);
  -- What does not apply any more still counts it, so that each gets back what it gave, but limits nothing.
  SELECT known || coalesce(jsonb_agg(old || '{"money": null, "messages": null}'), '[]') INTO known FROM jsonb_array_elements(kept.charges) AS old
  WHERE NOT EXISTS (SELECT FROM jsonb_array_elements(more_charges) AS more WHERE is_same_book(more, old));
  PERFORM lock_budgets(ARRAY[known || joining]);
  BEGIN
    -- A budget that it joins takes all that the message holds: so much is given back to it in the end.
    IF (cost > 0 AND known <> '[]' AND NOT take_from_budgets(known, cost, 0))
      OR (joining <> '[]' AND NOT take_from_budgets(joining, kept.held + cost, 1)) THEN
      RAISE SQLSTATE 'CS001';
    END IF;
  EXCEPTION WHEN SQLSTATE 'CS001' THEN
    RETURN QUERY
    SELECT 'no-room'::text, asked.number::integer
    FROM jsonb_array_elements(more_charges) WITH ORDINALITY AS asked (charge, number)
    CROSS JOIN LATERAL (SELECT joining @> jsonb_build_array(asked.charge) AS joins) AS new
    JOIN budget_use AS used ON used.kind = charge ->> 'kind' AND used.subject = charge ->> 'subject' AND used.per = charge ->> 'per'
      AND used.starts_at = (charge ->> 'startsAt')::bigint
    WHERE used.money + cost + CASE WHEN joins THEN kept.held ELSE 0 END > (charge ->> 'money')::bigint
      OR used.messages + joins::integer > (charge ->> 'messages')::integer
    ORDER BY (charge ->> 'endsAt')::bigint DESC, asked.number LIMIT 1;
    RETURN;
  END;
  INSERT INTO reservation AS held (verification_id, charges, prices, held, fence, under_way, expires_at)
  VALUES (wanted_id, known || joining, new_prices, cost, held_fence, true, expires)
  ON CONFLICT (verification_id) DO UPDATE SET
    charges = excluded.charges, prices = excluded.prices, held = held.held + excluded.held;
  RETURN QUERY SELECT 'reserved'::text, NULL::integer;
END
$$;

CREATE FUNCTION is_same_book(one jsonb, other jsonb) RETURNS boolean
LANGUAGE sql IMMUTABLE AS $$
  SELECT one - '{endsAt,money,messages}'::text[] = other - '{endsAt,money,messages}'::text[]
$$;

-- Takes back sends that take_sends has counted in this transaction: those that a budget refused after it.
CREATE FUNCTION return_sends(hashes text[], earlier_hashes text[], returned boolean[]) RETURNS void
LANGUAGE sql AS $$
  UPDATE destination SET sends = sends[asked.places + 1:]
  FROM (
    SELECT own.hash, count(*)::integer AS places
    FROM unnest(hashes, earlier_hashes, returned) AS call (hash, list, returned)
    CROSS JOIN LATERAL unnest(call.hash || string_to_array(call.list, ',')) AS own (hash)
    WHERE returned GROUP BY own.hash
  ) AS asked
  WHERE destination.hash = asked.hash
$$;

-- The start of the hour, day or month (UTC) that is `after` periods after that of `at`.
CREATE FUNCTION period_start(per text, at bigint, after integer) RETURNS bigint
LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(epoch FROM
    date_trunc(per, to_timestamp(at / 1000.0) AT TIME ZONE 'UTC') + after * ('1 ' || per)::interval) * 1000)::bigint
$$;
