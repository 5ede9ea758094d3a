-- Writes what happened to verifications for the endpoints that want to hear of it, in the order of the lists. Null is no event. The
-- callers ask first whether there is any endpoint, which costs nothing where there is none. A channel of null is that of the
-- verification. A source says what told it: which attempt, or a receipt of which; null where the verification itself did, once.
CREATE FUNCTION tell(
  events text[], ids uuid[], carriers text[], reasons text[], ats bigint[], channels text[] DEFAULT NULL,
  sources text[] DEFAULT NULL) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO webhook_message (id, webhook_id, type, verification_id, carrier, channel, reason, at, due_at)
  -- By what happened, whenever it is written: after a restore the same is told under the same id. In order of the verifications' time,
  -- so that the index grows at its end.
  SELECT 'msg_' || substr(replace(given.id::text, '-', ''), 1, 12) || left(encode(sha256(convert_to(
      concat_ws(E'\n', webhook.id, 'ver_' || replace(given.id::text, '-', ''), given.event,
        given.source || E'\n' || coalesce(given.carrier, '') || E'\n' || coalesce(given.channel, '')), 'UTF8')), 'hex'), 20),
    webhook.id, given.event, 'ver_' || replace(given.id::text, '-', ''), given.carrier, given.channel, given.reason, given.at, 0
  FROM unnest(events, ids, carriers, reasons, ats, channels, sources) WITH ORDINALITY
    AS given (event, id, carrier, reason, at, channel, source, number)
  JOIN verification ON verification.id = given.id
  JOIN webhook ON webhook.account_id = verification.account_id AND disabled_at IS NULL
    AND (types = '[]' OR types::jsonb ? given.event)
  WHERE given.event IS NOT NULL ORDER BY given.number, webhook.id
  ON CONFLICT (id) DO NOTHING
$$;

-- Tells of verifications that were issued, and notes when their codes expire if somebody wants to hear of that.
CREATE FUNCTION tell_issued(ids uuid[], account_ids text[], created bigint[], expires bigint[], admitted boolean[])
RETURNS void
LANGUAGE sql AS $$
  SELECT tell(
    array(SELECT CASE WHEN each THEN 'verification.requested' END FROM unnest(admitted) WITH ORDINALITY AS call (each, number)
      ORDER BY number),
    ids, NULL, NULL, created);
  INSERT INTO webhook_expiry (expires_at, verification_id)
  SELECT call.expires, call.id
  FROM unnest(ids, account_ids, expires, admitted) AS call (id, account_id, expires, admitted)
  WHERE call.admitted AND EXISTS (
    SELECT FROM webhook
    WHERE webhook.account_id = call.account_id AND disabled_at IS NULL
      AND (types = '[]' OR types::jsonb ? 'verification.expired'))
  ON CONFLICT DO NOTHING
$$;

-- Tells of attempts that a carrier took.
CREATE FUNCTION tell_taken(
  ids uuid[], fences integer[], positions integer[], carriers text[], outcomes text[], reasons text[], ended bigint[],
  channels text[]) RETURNS void
LANGUAGE sql AS $$
  SELECT tell(
    array(SELECT CASE WHEN each IN ('accepted', 'delivered') THEN 'delivery.' || each END
      FROM unnest(outcomes) WITH ORDINALITY AS taken (each, number) ORDER BY number),
    ids, carriers, reasons, ended, channels,
    array(SELECT concat_ws(' ', 'attempt', fence, position)
      FROM unnest(fences, positions) WITH ORDINALITY AS taken (fence, position, number) ORDER BY number))
$$;

-- Tells of deliveries that were given up, but not of those that a carrier took and has not reported undelivered.
-- Without a reason it is that of the last attempt.
CREATE FUNCTION tell_failed(ids uuid[], because text, at bigint) RETURNS void
LANGUAGE sql AS $$
  SELECT tell(array_agg('delivery.failed'::text), array_agg(given.id), array_agg(last.carrier::text),
    array_agg(coalesce(because, last.reason)), array_agg(tell_failed.at), array_agg(last.channel))
  FROM unnest(ids) AS given (id)
  LEFT JOIN LATERAL (
    SELECT carrier, channel, reason FROM attempt WHERE verification_id = given.id ORDER BY fence DESC, position DESC LIMIT 1) AS last
    ON because IS NULL
  WHERE NOT EXISTS (
    SELECT FROM attempt WHERE verification_id = given.id AND outcome IN ('accepted', 'delivered')
      AND receipt IS DISTINCT FROM 'undelivered')
$$;

-- Tells of codes that expired at `before` or earlier, unconfirmed and with guesses left. Nodes that do this at the same time get
-- different ones. Answers how many it looked at.
CREATE FUNCTION tell_expired(before bigint, wanted integer) RETURNS integer
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  taken uuid[];
BEGIN
  WITH gone AS (
    DELETE FROM webhook_expiry WHERE (expires_at, verification_id) IN (
      SELECT expires_at, verification_id FROM webhook_expiry
      WHERE expires_at <= before ORDER BY expires_at LIMIT wanted FOR UPDATE SKIP LOCKED)
    RETURNING verification_id
  )
  SELECT array_agg(verification_id) INTO taken FROM gone;
  IF taken IS NULL THEN
    RETURN 0;
  END IF;
  -- Its time may have been corrected, after a clock that was ahead.
  INSERT INTO webhook_expiry (expires_at, verification_id)
  SELECT expires_at, id FROM verification WHERE id = ANY (taken) AND ended_at IS NULL AND expires_at > before
  ON CONFLICT DO NOTHING;
  PERFORM tell(array_agg('verification.expired'::text), array_agg(id), NULL, NULL, array_agg(coalesce(ended_at, expires_at)))
  FROM verification
  WHERE id = ANY (taken) AND (ended_at IS NOT NULL OR expires_at <= before) AND confirmed_at IS NULL AND guesses_left > 0;
  RETURN cardinality(taken);
END
$$;
