-- Moves times well after `now` back to it, after the database's clock was ahead and has been corrected. `lowest` is the lowest
-- id of `now`, `first_open` that of the oldest code that may be valid; `lease` is the longest lease. Answers how many rows it changed.
--
-- Other nodes go on meanwhile: a lease must not end sooner than its node believes, or its message would be sent twice.
CREATE FUNCTION clamp_future_times(now bigint, lease bigint, lowest uuid, first_open uuid) RETURNS bigint
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  today CONSTANT bigint := now / 86400000;
  -- Rows written while this waits rightly have times after `now`.
  latest CONSTANT bigint := now + 10000;
  judged uuid[];
  changed bigint := 0;
  step bigint;
BEGIN
  UPDATE idempotency SET created_at = now WHERE created_at > latest;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  -- First the locks of the keys, which counting a request holds.
  PERFORM FROM key_usage WHERE EXISTS (
    SELECT FROM request_log WHERE request_log.key_id = key_usage.key_id AND requested_at > latest)
  ORDER BY key_id FOR UPDATE;
  UPDATE request_log SET requested_at = now WHERE requested_at > latest;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  -- The newest time comes first in its list.
  PERFORM FROM destination WHERE last_day >= today AND (sends[1] > latest OR failures[1] > latest) ORDER BY hash FOR UPDATE;
  UPDATE destination SET
    sends = array(SELECT least(time, now) FROM unnest(sends) AS time),
    failures = array(SELECT least(time, now) FROM unnest(failures) AS time),
    last_day = today
  WHERE last_day >= today AND (sends[1] > latest OR failures[1] > latest);
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  PERFORM FROM delivery JOIN verification ON verification.id = verification_id
  WHERE verification_id >= lowest AND created_at > latest ORDER BY verification_id FOR UPDATE OF delivery;
  WITH shifted AS (
    UPDATE verification SET created_at = now, expires_at = expires_at - (created_at - now)
    WHERE id >= lowest AND created_at > latest
    RETURNING id, expires_at, destination_hash
  ), found AS (
    UPDATE code_by_number SET expires_at = shifted.expires_at FROM shifted
    WHERE code_by_number.destination_hash = shifted.destination_hash AND verification_id = shifted.id
  ), due AS (
    UPDATE delivery SET
      expires_at = shifted.expires_at,
      fallback_at = delivery.fallback_at - (delivery.expires_at - shifted.expires_at),
      due_at = CASE delivery.due_at WHEN delivery.expires_at THEN shifted.expires_at ELSE least(delivery.due_at, latest + lease, shifted.expires_at - 1) END
    FROM shifted WHERE verification_id = shifted.id
  )
  SELECT count(*) INTO step FROM shifted;
  changed := changed + step;

  -- Also of what was asked for before the clock was ahead.
  PERFORM FROM verification WHERE id >= first_open AND (confirmed_at > latest OR ended_at > latest) ORDER BY id FOR UPDATE;
  UPDATE verification SET
    confirmed_at = CASE WHEN confirmed_at > latest THEN now ELSE confirmed_at END,
    ended_at = CASE WHEN ended_at > latest THEN now ELSE ended_at END
  WHERE id >= first_open AND (confirmed_at > latest OR ended_at > latest);
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  -- The audit log leads to them: no other index is in order of their times.
  judged := array(
    SELECT CASE WHEN subject ~ '^ver_[0-9a-f]{32}$' THEN substr(subject, 5)::uuid END FROM audit_entry
    WHERE at > latest AND action = 'verification.judged');
  IF judged <> '{}' THEN
    PERFORM FROM verification WHERE id = ANY (judged) AND verdict_at > latest ORDER BY id FOR UPDATE;
    UPDATE verification SET verdict_at = now WHERE id = ANY (judged) AND verdict_at > latest;
    GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  END IF;

  UPDATE delivery SET due_at = latest + lease WHERE due_at > latest + lease AND due_at < expires_at;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  -- An id is dated ahead as long as its row is kept. So who was accepted last is told from this. After the deliveries, and in their
  -- order, as receipts lock them.
  PERFORM FROM attempt WHERE verification_id >= lowest AND ended_at > latest ORDER BY verification_id, fence, position FOR UPDATE;
  UPDATE attempt SET started_at = least(started_at, now), ended_at = now WHERE verification_id >= lowest AND ended_at > latest;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  UPDATE inbox_message SET received_at = now WHERE verification_id >= lowest AND received_at > latest;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  UPDATE early_receipt SET received_at = now WHERE received_at > latest;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  UPDATE webhook_message SET at = now WHERE at > latest;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  UPDATE webhook_message SET due_at = now WHERE due_at > now + 108000000;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  -- Whoever looks at them puts back those that have not expired.
  UPDATE webhook_expiry SET expires_at = now WHERE expires_at > now + 3600000;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  UPDATE carrier_state SET
    at = CASE WHEN at > latest THEN now ELSE at END,
    error_at = CASE WHEN error_at > latest THEN now ELSE error_at END
  WHERE at > latest OR error_at > latest;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  UPDATE carrier_schedule SET next_at = now WHERE next_at > now + 60000;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  -- What was sent on a future day counts for today.
  WITH ahead AS (
    DELETE FROM quota WHERE day > latest / 86400000 RETURNING name, taken
  )
  INSERT INTO quota (name, day, taken, granted)
  SELECT name, today, sum(taken), 0 FROM ahead GROUP BY name
  ON CONFLICT (name, day) DO UPDATE SET taken = quota.taken + excluded.taken;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  -- What was said on a future day counts for today.
  WITH ahead AS (
    DELETE FROM verdict_count WHERE day > latest / 86400000 RETURNING subject, verdict, counted
  )
  INSERT INTO verdict_count (subject, verdict, day, counted)
  SELECT subject, verdict, today, sum(counted) FROM ahead GROUP BY subject, verdict
  ON CONFLICT (subject, verdict, day) DO UPDATE SET counted = verdict_count.counted + excluded.counted;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;

  UPDATE reservation SET expires_at = now + 600000 WHERE expires_at > latest + 600000;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  -- What was reserved in a future period counts for this one, and stays counted.
  DELETE FROM reservation WHERE EXISTS (
    SELECT FROM jsonb_to_recordset(charges) AS charge ("startsAt" bigint) WHERE "startsAt" > latest);
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  PERFORM FROM budget_use WHERE ends_at > now ORDER BY kind, subject, per, starts_at FOR UPDATE;
  WITH ahead AS (
    DELETE FROM budget_use WHERE starts_at > latest RETURNING kind, subject, per, money, messages
  )
  INSERT INTO budget_use (kind, subject, per, starts_at, ends_at, money, messages)
  SELECT kind, subject, per, period_start(per, now, 0), period_start(per, now, 1), sum(money), sum(messages)
  FROM ahead GROUP BY kind, subject, per
  ON CONFLICT (kind, subject, per, starts_at) DO UPDATE SET
    money = budget_use.money + excluded.money, messages = budget_use.messages + excluded.messages;
  GET DIAGNOSTICS step = ROW_COUNT; changed := changed + step;
  RETURN changed;
END
$$;
