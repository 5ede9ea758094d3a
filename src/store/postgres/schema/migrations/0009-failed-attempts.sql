-- Attempts that a carrier did not take, from now on: together with `submitted`, how often it was asked. While nodes of the
-- version before run beside this one, their purge may drop some of these counts, and no others.
ALTER TABLE tally ADD COLUMN failed_attempts integer NOT NULL DEFAULT 0;
-- next transaction
ALTER TABLE tally_day ADD COLUMN failed_attempts integer NOT NULL DEFAULT 0;

CREATE OR REPLACE FUNCTION add_to_tally_day() RETURNS trigger
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_day AS held (
      account_id, at, test, channel, country, carrier, key_id, requested, failed_attempts, submitted, delivered,
      undelivered, failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
    SELECT
      account_id, at - at % 86400000, test, channel, country, carrier, key_id, sum(requested),
      sum(failed_attempts), sum(submitted), sum(delivered), sum(undelivered), sum(failed), sum(confirmed),
      sum(limited_by_key), sum(limited_by_destination), sum(mismatched), sum(cost)
    FROM added WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (account_id, at, test, channel, country, carrier, key_id) DO UPDATE SET
      requested = held.requested + excluded.requested,
      failed_attempts = held.failed_attempts + excluded.failed_attempts, submitted = held.submitted + excluded.submitted,
      delivered = held.delivered + excluded.delivered, undelivered = held.undelivered + excluded.undelivered,
      failed = held.failed + excluded.failed, confirmed = held.confirmed + excluded.confirmed,
      limited_by_key = held.limited_by_key + excluded.limited_by_key,
      limited_by_destination = held.limited_by_destination + excluded.limited_by_destination,
      mismatched = held.mismatched + excluded.mismatched, cost = held.cost + excluded.cost;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE tally_day AS held SET
      requested = held.requested - gone.requested,
      failed_attempts = held.failed_attempts - gone.failed_attempts, submitted = held.submitted - gone.submitted,
      delivered = held.delivered - gone.delivered, undelivered = held.undelivered - gone.undelivered,
      failed = held.failed - gone.failed, confirmed = held.confirmed - gone.confirmed,
      limited_by_key = held.limited_by_key - gone.limited_by_key,
      limited_by_destination = held.limited_by_destination - gone.limited_by_destination,
      mismatched = held.mismatched - gone.mismatched, cost = held.cost - gone.cost
    FROM (
      SELECT
        account_id, at - at % 86400000 AS at, test, channel, country, carrier, key_id, sum(requested) AS requested,
        sum(failed_attempts) AS failed_attempts, sum(submitted) AS submitted, sum(delivered) AS delivered,
        sum(undelivered) AS undelivered, sum(failed) AS failed, sum(confirmed) AS confirmed,
        sum(limited_by_key) AS limited_by_key, sum(limited_by_destination) AS limited_by_destination, sum(mismatched) AS mismatched, sum(cost) AS cost
      FROM removed WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6, 7
    ) AS gone
    WHERE (held.account_id, held.at, held.test, held.channel, held.country, held.carrier, held.key_id)
      = (gone.account_id, gone.at, gone.test, gone.channel, gone.country, gone.carrier, gone.key_id);
    DELETE FROM tally_day AS held
    USING (SELECT DISTINCT account_id, at - at % 86400000 AS at FROM removed WHERE width <> 10000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
      AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
  END IF;
  RETURN NULL;
END
$$;
