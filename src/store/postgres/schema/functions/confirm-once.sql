-- Judges a batch of guesses under different Idempotency-Keys, sorted by id, and keeps each judgement with its key, in one
-- transaction. Answers as confirm does, and 'replayed' for what was judged before, with `confirmed_at` if it was confirmed.
--
-- The keys are locked first, before what confirm locks, as in issue. Of each call `macs`, `key_hashes` and `body_hashes` list,
-- with commas between, the hash of now and those of before.
CREATE FUNCTION confirm_once(
  ids uuid[], account_ids text[], tests boolean[], macs text[], nows bigint[], numbers text[],
  key_hashes text[], body_hashes text[], retention bigint, maxes integer[], windows bigint[])
RETURNS TABLE (
  call_number integer, outcome text, remaining integer,
  channel text, country text, destination_sealed text, carrier text, created_at bigint, client_network text, brought boolean, signals text,
  confirmed_at bigint, sent_by text, test boolean)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  -- Numbers of the calls that took their keys, in order; of those, the ones whose keys were not held under an earlier hash.
  taken integer[];
  fresh integer[];
  judged integer[] := '{}';
  verdict record;
BEGIN
  -- Waits for a transaction that is taking the same key.
  WITH written AS (
    INSERT INTO idempotency AS held (account_id, key_hash, body_hash, verification_id, created_at)
    SELECT account_id, split_part(keys, ',', 1), split_part(bodies, ',', 1), id, now
    FROM unnest(ids, account_ids, key_hashes, body_hashes, nows) AS call (id, account_id, keys, bodies, now)
    ORDER BY account_id COLLATE "C", split_part(keys, ',', 1) COLLATE "C"
    ON CONFLICT (account_id, key_hash) DO UPDATE SET
      body_hash = excluded.body_hash, verification_id = excluded.verification_id, created_at = excluded.created_at,
      attempts_remaining = NULL
    WHERE held.created_at <= excluded.created_at - 86400000
    RETURNING account_id, key_hash
  )
  SELECT coalesce(array_agg(number::integer ORDER BY number), '{}') INTO taken
  FROM unnest(account_ids, key_hashes) WITH ORDINALITY AS call (account_id, keys, number)
  JOIN written ON written.account_id = call.account_id AND written.key_hash = split_part(call.keys, ',', 1);

  fresh := taken;
  FOR verdict IN
  SELECT DISTINCT ON (call.number) call.number::integer AS number,
    CASE
      WHEN first.id IS NULL THEN 'unknown'
      WHEN held.body_hash <> own.body_hash OR first.test <> call.test THEN 'idempotency-mismatch'
      WHEN held.attempts_remaining IS NULL AND first.confirmed_at IS NULL THEN 'unknown'
      ELSE 'replayed' END AS outcome,
    held.attempts_remaining AS remaining, first.channel, first.country, first.destination_sealed, first.created_at,
    CASE WHEN held.attempts_remaining IS NULL THEN first.confirmed_at END AS confirmed_at
  FROM unnest(account_ids, tests, key_hashes, body_hashes, nows) WITH ORDINALITY
    AS call (account_id, test, keys, bodies, now, number)
  CROSS JOIN LATERAL unnest(string_to_array(keys, ','), string_to_array(bodies, ',')) WITH ORDINALITY
    AS own (key_hash, body_hash, rank)
  JOIN idempotency AS held ON held.account_id = call.account_id AND held.key_hash = own.key_hash
    AND held.created_at > call.now - 86400000
  LEFT JOIN verification AS first ON first.id = held.verification_id AND first.created_at > call.now - retention
  WHERE CASE WHEN own.rank = 1 THEN call.number <> ALL (taken) ELSE coalesce(first.test, call.test) = call.test END
  ORDER BY call.number, own.rank
  LOOP
    fresh := array_remove(fresh, verdict.number);
    RETURN QUERY
    SELECT verdict.number, verdict.outcome, verdict.remaining, verdict.channel, verdict.country,
      verdict.destination_sealed, NULL, verdict.created_at, NULL, NULL::boolean, NULL, verdict.confirmed_at, NULL,
      NULL::boolean;
  END LOOP;
  IF taken = '{}' THEN
    RETURN;
  END IF;

  FOR verdict IN
    SELECT fresh[answer.call_number] AS number, answer.* FROM confirm(
      array(SELECT ids[number] FROM unnest(fresh) AS number),
      array(SELECT account_ids[number] FROM unnest(fresh) AS number),
      array(SELECT tests[number] FROM unnest(fresh) AS number),
      array(SELECT macs[number] FROM unnest(fresh) AS number),
      array(SELECT nows[number] FROM unnest(fresh) AS number),
      CASE WHEN numbers IS NOT NULL THEN array(SELECT numbers[number] FROM unnest(fresh) AS number) END,
      retention, maxes, windows) AS answer
  LOOP
    IF verdict.outcome IN ('confirmed', 'mismatch') THEN
      judged := judged || verdict.number;
    END IF;
    IF verdict.outcome = 'mismatch' THEN
      UPDATE idempotency SET attempts_remaining = verdict.remaining
      WHERE account_id = account_ids[verdict.number]
        AND key_hash = split_part(key_hashes[verdict.number], ',', 1);
    END IF;
    RETURN QUERY
    SELECT verdict.number, verdict.outcome, verdict.remaining, verdict.channel, verdict.country,
      verdict.destination_sealed, verdict.carrier, verdict.created_at, verdict.client_network,
      verdict.brought, verdict.signals,
      NULL::bigint, verdict.sent_by, verdict.test;
  END LOOP;

  -- A guess that was not judged has changed nothing, and leaves its key free; so does one whose key is held under another hash.
  DELETE FROM idempotency
  USING unnest(account_ids, key_hashes) WITH ORDINALITY AS call (account_id, keys, number)
  WHERE idempotency.account_id = call.account_id AND idempotency.key_hash = split_part(call.keys, ',', 1)
    AND call.number = ANY (taken) AND call.number <> ALL (judged);
END
$$;
