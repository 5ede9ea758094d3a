-- Notes a carrier's receipt for an attempt, once. The caller has locked the delivery and all attempts of the message.
-- `is_first`: the receipt counts. A carrier that took a message twice, after a crash, reports it twice; it counts once.
-- `dearer`: by how much the price that it names, if it is in the configured currency, is above the one that was counted.
CREATE FUNCTION apply_receipt(
  of_id uuid, of_fence integer, of_position integer, by_carrier text, of_status text, because text, at bigint,
  of_price bigint, of_currency text, of_network text)
RETURNS TABLE (
  outcome text, channel text, country text, created_at bigint, requeued boolean, is_first boolean, dearer bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  back_in_queue boolean := false;
  own_cost bigint := CASE WHEN of_currency IS NULL THEN of_price END;
  difference bigint;
  -- Null: that of the verification.
  on_channel text;
BEGIN
  UPDATE attempt SET receipt = of_status, receipt_reason = because, receipt_at = at, price = of_price,
    currency = of_currency, network = of_network, cost = coalesce(own_cost, attempt.cost)
  FROM attempt AS before
  WHERE (attempt.verification_id, attempt.fence, attempt.position) = (of_id, of_fence, of_position)
    AND (before.verification_id, before.fence, before.position) = (of_id, of_fence, of_position)
    AND attempt.receipt IS NULL
  RETURNING attempt.cost - before.cost, attempt.channel INTO difference, on_channel;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'duplicate', NULL, NULL, NULL::bigint, NULL::boolean, false, 0::bigint;
    RETURN;
  END IF;
  IF EXISTS (SELECT FROM webhook) THEN
    PERFORM tell(ARRAY['delivery.' || of_status], ARRAY[of_id], ARRAY[by_carrier], ARRAY[because], ARRAY[at], ARRAY[on_channel],
      ARRAY[concat_ws(' ', 'receipt', of_fence, of_position)]);
  END IF;
  IF of_status = 'delivered' THEN
    DELETE FROM delivery WHERE verification_id = of_id;
  ELSE
    -- Due at its expiry: submitted, and waiting for this. A lease is left alone, and what has gone on by another channel, and
    -- waits for a receipt from there.
    UPDATE delivery SET due_at = at
    WHERE verification_id = of_id AND due_at = expires_at AND expires_at > at AND NOT EXISTS (
      SELECT FROM attempt AS later
      WHERE later.verification_id = of_id AND (later.fence, later.position) > (of_fence, of_position)
        AND later.channel IS DISTINCT FROM on_channel AND later.outcome = 'accepted' AND later.receipt IS NULL);
    back_in_queue := FOUND;
  END IF;
  RETURN QUERY
  SELECT 'applied', coalesce(on_channel, channel), country, created_at, back_in_queue, NOT EXISTS (
    SELECT FROM attempt AS other
    WHERE other.verification_id = of_id AND other.carrier = by_carrier AND other.channel IS NOT DISTINCT FROM on_channel
      AND (other.fence, other.position) <> (of_fence, of_position)
      AND (other.receipt = of_status OR other.outcome = of_status)), difference
  FROM verification WHERE verification.id = of_id;
END
$$;

-- The newest attempt of the first spelling that has one. A recipient that the receipt names must be that of the message:
-- hexadecimal and decimal spellings of different ids collide. Without one, nothing comes back of a message.
CREATE FUNCTION find_attempt(of_carrier text, spellings text[], recipients text[], oldest_id uuid, oldest bigint)
RETURNS TABLE (verification_id uuid, fence integer, "position" integer)
LANGUAGE sql STABLE AS $$
  SELECT verification_id, fence, position
  FROM unnest(spellings) WITH ORDINALITY AS spelled (reference, rank)
  JOIN attempt ON carrier = of_carrier AND attempt.reference = spelled.reference
  WHERE verification_id >= oldest_id AND ended_at > oldest
    AND recipient_tag IS NOT NULL AND (recipients = '{}' OR recipient_tag = ANY (recipients))
  ORDER BY spelled.rank, ended_at DESC LIMIT 1
$$;

-- Applies a batch of receipts one by one; keeps those without a known attempt as early.
CREATE FUNCTION receive(receipts jsonb, oldest_id uuid, look_back bigint, receipts_lock bigint)
RETURNS TABLE (call_number integer, outcome text, channel text, country text, created_at bigint, requeued boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  ids uuid[];
  fences integer[];
  positions integer[];
  given record;
  applied record;
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
  FOR look IN 1..2 LOOP
    SELECT array_agg(found.verification_id ORDER BY number), array_agg(found.fence ORDER BY number),
      array_agg(found.position ORDER BY number)
    INTO ids, fences, positions
    FROM ROWS FROM (jsonb_to_recordset(receipts) AS (carrier text, spellings text[], tags text[], at bigint))
      WITH ORDINALITY AS given (carrier, spellings, tags, at, number)
    LEFT JOIN LATERAL find_attempt(carrier, spellings, tags, oldest_id, at - look_back) AS found ON true;
    EXIT WHEN look = 2 OR array_position(ids, NULL) IS NULL;
    -- A settlement under way may be writing the attempt. Wait for all of them, and let none begin until we have looked again
    -- and kept what is early.
    PERFORM pg_advisory_xact_lock(receipts_lock);
  END LOOP;
  PERFORM FROM delivery WHERE verification_id = ANY (ids) ORDER BY verification_id FOR UPDATE;
  PERFORM FROM attempt WHERE verification_id = ANY (ids) ORDER BY verification_id, fence, position FOR UPDATE;

  FOR given IN
    SELECT * FROM ROWS FROM (jsonb_to_recordset(receipts) AS (
        carrier text, spellings text[], tags text[], status text, reason text, at bigint, price bigint, currency text,
        network text))
      WITH ORDINALITY AS given (carrier, spellings, tags, status, reason, at, price, currency, network, number)
  LOOP
    IF ids[given.number] IS NULL THEN
      INSERT INTO early_receipt (carrier, reference, receipt_id, spellings, recipient_tags, status, reason, received_at,
        price, currency, network)
      SELECT DISTINCT given.carrier, spelling, receipt_id, given.spellings, given.tags, given.status, given.reason, given.at,
        given.price, given.currency, given.network
      FROM unnest(given.spellings) AS spelling, gen_random_uuid() AS receipt_id;
      RETURN QUERY SELECT given.number::integer, 'early', NULL, NULL, NULL::bigint, NULL::boolean;
    ELSE
      SELECT * INTO applied FROM apply_receipt(ids[given.number], fences[given.number], positions[given.number],
        given.carrier, given.status, given.reason, given.at, given.price, given.currency, given.network);
      IF applied.is_first THEN
        first_ids := first_ids || ids[given.number];
        first_carriers := first_carriers || given.carrier;
        first_statuses := first_statuses || given.status;
        first_ats := first_ats || given.at;
        first_channels := first_channels || applied.channel;
      END IF;
      IF applied.dearer <> 0 THEN
        dearer_ids := dearer_ids || ids[given.number];
        dearer_carriers := dearer_carriers || given.carrier;
        dearer_channels := dearer_channels || applied.channel;
        differences := differences || applied.dearer;
      END IF;
      RETURN QUERY
      SELECT given.number::integer, applied.outcome, applied.channel, applied.country, applied.created_at, applied.requeued;
    END IF;
  END LOOP;
  IF first_ids <> '{}' THEN
    PERFORM count_receipts(first_ids, first_carriers, first_statuses, first_ats, first_channels);
  END IF;
  IF dearer_ids <> '{}' THEN
    PERFORM count_prices(dearer_ids, dearer_carriers, dearer_channels, differences);
  END IF;
  IF EXISTS (SELECT FROM reservation) THEN
    PERFORM end_reservations(ids);
  END IF;
END
$$;
