-- Leases due deliveries, oldest first, and drops those whose code has expired. Nodes that claim at the same time get
-- different ones. The row of the verification comes whole: who reads a sealed message names its columns (sealed-message.ts).
CREATE FUNCTION claim(now bigint, lease_until bigint, wanted integer, expired_at_once integer)
RETURNS TABLE (
  id uuid, verification_row json, code_sealed text, fence integer, rounds integer, leg integer, spent_carriers text[], awaited json,
  settings text, reservation json, predecessors text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  expired uuid[];
  due uuid[];
  -- Those that wait for a receipt, and whose channel has had its time: they go on by the next.
  falling uuid[];
BEGIN
  SELECT array_agg(verification_id) INTO expired FROM (
    SELECT verification_id FROM delivery
    WHERE due_at <= now AND expires_at <= now ORDER BY due_at LIMIT expired_at_once FOR UPDATE SKIP LOCKED
  ) AS locked;
  IF expired IS NOT NULL THEN
    DELETE FROM delivery WHERE verification_id = ANY (expired);
    PERFORM count_failed(expired);
    IF EXISTS (SELECT FROM webhook) THEN
      PERFORM tell_failed(expired, 'the code expired', now);
    END IF;
  END IF;
  -- A lease ends a millisecond before its code at the latest. Whoever holds it may still be sending then, and nobody else takes it over.
  SELECT array_agg(verification_id) INTO due FROM (
    SELECT verification_id FROM delivery
    WHERE due_at <= now AND expires_at > now + 1 ORDER BY due_at LIMIT wanted FOR UPDATE SKIP LOCKED
  ) AS locked;
  IF EXISTS (SELECT FROM delivery WHERE fallback_at <= now) THEN
    SELECT array_agg(verification_id) INTO falling FROM (
      SELECT verification_id FROM delivery
      WHERE fallback_at <= now AND due_at = expires_at AND expires_at > now
      ORDER BY fallback_at LIMIT wanted - coalesce(cardinality(due), 0) FOR UPDATE SKIP LOCKED
    ) AS locked;
    UPDATE delivery SET leg = leg + 1, rounds = rounds + 1, fallback_at = NULL, due_at = now
    WHERE verification_id = ANY (falling);
    due := due || falling;
  END IF;
  IF EXISTS (SELECT FROM reservation) THEN
    PERFORM renew_reservations(due);
    PERFORM end_reservations(expired);
  END IF;

  RETURN QUERY
  WITH leased AS (
    UPDATE delivery SET fence = fence + 1, due_at = least(lease_until, expires_at - 1), fallback_at = NULL
    WHERE delivery.verification_id = ANY (due)
    RETURNING delivery.verification_id, code_sealed, fence, rounds, leg
  )
  SELECT verification.id, to_json(verification), code_sealed, fence, rounds, leg, array(
      SELECT DISTINCT attempt.carrier::text || coalesce(' ' || attempt.channel, '') FROM attempt
      WHERE attempt.verification_id = verification.id AND (outcome = 'permanent' OR receipt = 'undelivered')),
    (SELECT json_agg(
        json_build_object('carrier', attempt.carrier, 'channel', attempt.channel, 'reference', attempt.reference)
        ORDER BY attempt.fence, attempt.position)
      FROM attempt WHERE leg > 0 AND attempt.verification_id = verification.id
        AND outcome = 'accepted' AND receipt IS DISTINCT FROM 'undelivered'),
    (SELECT settings FROM account_setting WHERE account_setting.account_id = verification.account_id),
    (SELECT json_build_object('charges', charges, 'prices', prices) FROM reservation AS held
      WHERE held.verification_id = verification.id),
    (SELECT predecessors FROM api_key WHERE api_key.id = verification.key_id)
  FROM leased JOIN verification ON verification.id = leased.verification_id
  ORDER BY verification.id;
END
$$;

-- Writes the results of rounds of attempts, sorted by id. From a holder that lost its lease (another fence) only the attempts
-- count. Answers the early receipts of these attempts, which it applies.
CREATE FUNCTION settle(
  ids uuid[], fences integer[], steps text[], due_ats bigint[], fallback_ats bigint[], legs integer[], settled_ats bigint[],
  attempt_ids uuid[], attempt_fences integer[], positions integer[], attempt_carriers text[], attempt_channels text[],
  started bigint[],
  ended bigint[], outcomes text[], reference_texts text[], recipient_tags text[], reasons text[],
  choices text[], costs bigint[], taken_numbers integer[], charged text[], receipts_lock bigint)
RETURNS TABLE (
  call_number integer, outcome text, status text, carrier text, received_at bigint,
  channel text, country text, created_at bigint, requeued boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  early record;
  applied record;
  -- Messages whose lease was held, and those among them that were given up.
  held uuid[];
  given_up uuid[];
  -- Whether one of them may have earlier attempts. A message still under its first lease has none.
  may_have_attempts boolean;
  first_ids uuid[] := '{}';
  first_carriers text[] := '{}';
  first_statuses text[] := '{}';
  first_ats bigint[] := '{}';
  first_channels text[] := '{}';
  dearer_ids uuid[] := '{}';
  dearer_carriers text[] := '{}';
  dearer_channels text[] := '{}';
  differences bigint[] := '{}';
BEGIN
  -- Until this commits, no receipt is kept as early: it would not see our attempts, nor we the receipt.
  PERFORM pg_advisory_xact_lock_shared(receipts_lock) FROM unnest(reference_texts) AS text WHERE text IS NOT NULL LIMIT 1;

  WITH over AS (
    DELETE FROM delivery
    USING unnest(ids, fences, steps, settled_ats) AS settled (id, fence, step, at)
    WHERE verification_id = settled.id AND delivery.fence = settled.fence
      AND settled.step NOT IN ('awaiting-receipt', 'retry')
    RETURNING verification_id, code_sealed, settled.step, settled.at
  ), kept AS (
    INSERT INTO inbox_message (account_id, verification_id, destination_hash, code_sealed, received_at)
    SELECT account_id, verification_id, destination_hash, code_sealed, at
    FROM over JOIN verification ON verification.id = verification_id
    WHERE step = 'inbox'
  ), waiting AS (
    UPDATE delivery SET
      due_at = CASE settled.step WHEN 'retry' THEN least(settled.due_at, expires_at) ELSE expires_at END,
      rounds = rounds + (settled.step = 'retry')::integer,
      leg = coalesce(settled.leg, delivery.leg),
      fallback_at = settled.fallback_at
    FROM unnest(ids, fences, steps, due_ats, fallback_ats, legs)
      AS settled (id, fence, step, due_at, fallback_at, leg)
    WHERE verification_id = settled.id AND delivery.fence = settled.fence
      AND settled.step IN ('awaiting-receipt', 'retry')
    RETURNING verification_id, settled.step
  )
  SELECT coalesce(array_agg(verification_id), '{}'), array_agg(verification_id) FILTER (WHERE step = 'failed')
  INTO held, given_up
  FROM (SELECT verification_id, step FROM over UNION ALL SELECT verification_id, step FROM waiting) AS settled;

  -- After a lost lease, two nodes may settle one message at once and would not see each other's attempts. The holder of the
  -- lease has locked the delivery above; the others lock it here or, if it is gone, the verification.
  may_have_attempts := cardinality(held) < cardinality(ids) OR 0 < ANY (fences);
  IF cardinality(held) < cardinality(ids) THEN
    PERFORM FROM delivery
    WHERE verification_id = ANY (ids) AND verification_id <> ALL (held) ORDER BY verification_id FOR UPDATE;
    PERFORM FROM verification
    WHERE verification.id = ANY (ids) AND verification.id <> ALL (held) ORDER BY verification.id FOR UPDATE;
  END IF;

  WITH made AS (
    INSERT INTO attempt (verification_id, fence, position, carrier, channel, started_at, ended_at, outcome,
      reference, recipient_tag, reason, choice, cost)
    SELECT made.* FROM unnest(attempt_ids, attempt_fences, positions, attempt_carriers, attempt_channels, started, ended,
      outcomes, reference_texts, recipient_tags, reasons, choices, costs) AS made (id, fence, position, carrier, channel,
      started_at, ended_at, outcome, reference, recipient_tag, reason, choice, cost)
    WHERE EXISTS (SELECT FROM verification WHERE verification.id = made.id)
    ON CONFLICT DO NOTHING
    RETURNING verification_id, carrier, channel, ended_at, outcome, cost
  ), taken AS (
    -- This statement does not see its own rows. A settlement has only one such attempt, its last.
    SELECT created_at, account_id, test, coalesce(made.channel, verification.channel) AS channel, country, made.carrier, key_id,
      made.outcome, made.cost,
      latency_bin(made.ended_at - created_at) AS bin, before.taken, before.delivered, brought
    FROM made JOIN verification ON verification.id = made.verification_id
    CROSS JOIN LATERAL (
      SELECT count(*) > 0 AS taken,
        count(*) FILTER (WHERE outcome = 'delivered' OR receipt = 'delivered') > 0 AS delivered
      FROM attempt
      WHERE may_have_attempts
        AND verification_id = made.verification_id AND carrier = made.carrier
        AND attempt.channel IS NOT DISTINCT FROM made.channel AND outcome IN ('accepted', 'delivered')
    ) AS before
    WHERE made.outcome IN ('accepted', 'delivered')
  )
  INSERT INTO tally_event (at, account_id, test, channel, country, carrier, key_id, event, bin, amount)
  SELECT created_at - created_at % 10000, account_id, test, channel, country, carrier, key_id, counted.event, counted.bin,
    sum(counted.amount)
  FROM taken CROSS JOIN LATERAL (VALUES
    ('submitted', bin, (NOT taken AND NOT brought)::integer),
    ('delivered', bin, (outcome = 'delivered' AND NOT delivered AND NOT brought)::integer),
    ('cost', NULL, cost)
  ) AS counted (event, bin, amount)
  WHERE counted.amount > 0 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  UNION ALL
  SELECT created_at - created_at % 10000, account_id, test, coalesce(made.channel, verification.channel), country, made.carrier,
    key_id, 'failed_attempts', NULL, count(*)
  FROM made JOIN verification ON verification.id = made.verification_id
  WHERE made.outcome NOT IN ('accepted', 'delivered') AND key_id <> 'none' GROUP BY 1, 2, 3, 4, 5, 6, 7;

  IF EXISTS (SELECT FROM webhook) THEN
    PERFORM tell_taken(attempt_ids, attempt_fences, positions, attempt_carriers, outcomes, reasons, ended, attempt_channels);
    IF given_up IS NOT NULL THEN
      PERFORM tell_failed(given_up, NULL, (SELECT max(each) FROM unnest(settled_ats) AS each));
    END IF;
  END IF;
  IF given_up IS NOT NULL THEN
    PERFORM count_failed(given_up);
  END IF;

  FOR early IN
    SELECT taken.number, taken.id, taken.fence, taken.position, early_receipt.*
    FROM unnest(taken_numbers, attempt_ids, attempt_fences, positions, attempt_carriers, reference_texts, recipient_tags)
      AS taken (number, id, fence, position, carrier, reference, recipient_tag)
    JOIN early_receipt ON early_receipt.carrier = taken.carrier AND early_receipt.reference = taken.reference
      AND taken.recipient_tag IS NOT NULL AND (early_receipt.recipient_tags = '{}'
        OR taken.recipient_tag = ANY (early_receipt.recipient_tags))
    WHERE taken.number IS NOT NULL
    ORDER BY taken.number, early_receipt.received_at
  LOOP
    DELETE FROM early_receipt
    WHERE early_receipt.carrier = early.carrier AND reference = ANY (early.spellings)
      AND receipt_id = early.receipt_id;
    CONTINUE WHEN NOT FOUND;
    PERFORM FROM attempt WHERE verification_id = early.id ORDER BY fence, position FOR UPDATE;
    SELECT * INTO applied FROM apply_receipt(early.id, early.fence, early.position, early.carrier, early.status,
      early.reason, early.received_at, early.price, early.currency, early.network);
    IF applied.is_first THEN
      first_ids := first_ids || early.id;
      first_carriers := first_carriers || early.carrier;
      first_statuses := first_statuses || early.status;
      first_ats := first_ats || early.received_at;
      first_channels := first_channels || applied.channel;
    END IF;
    IF applied.dearer <> 0 THEN
      dearer_ids := dearer_ids || early.id;
      dearer_carriers := dearer_carriers || early.carrier;
      dearer_channels := dearer_channels || applied.channel;
      differences := differences || applied.dearer;
    END IF;
    RETURN QUERY
    SELECT early.number, applied.outcome, early.status, early.carrier, early.received_at,
      applied.channel, applied.country, applied.created_at, applied.requeued;
  END LOOP;
  IF first_ids <> '{}' THEN
    PERFORM count_receipts(first_ids, first_carriers, first_statuses, first_ats, first_channels);
  END IF;
  IF dearer_ids <> '{}' THEN
    PERFORM count_prices(dearer_ids, dearer_carriers, dearer_channels, differences);
  END IF;
  IF EXISTS (SELECT FROM reservation) THEN
    PERFORM settle_reservations(ids, fences, charged);
  END IF;
END
$$;
