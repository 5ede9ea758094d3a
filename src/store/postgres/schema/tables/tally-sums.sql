-- Narrower sums, because a long span is hardly ever read by key and by place at once: the hours of `tally` and the days of
-- `tally_day` without the keys, and the days by the key only. Triggers keep them as others keep `tally_day`, also for a node of
-- the version before.
CREATE TABLE tally_keyless_hour (
  account_id             text COLLATE "C" NOT NULL,
  at                     bigint NOT NULL,
  test                   boolean NOT NULL,
  channel                text COLLATE "C" NOT NULL,
  country                text COLLATE "C" NOT NULL,
  carrier                text COLLATE "C" NOT NULL,
  requested              integer NOT NULL,
  failed_attempts        integer NOT NULL,
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  PRIMARY KEY (account_id, at, test, channel, country, carrier)
) WITH (fillfactor = 80);

CREATE TABLE tally_keyless_day (
  account_id             text COLLATE "C" NOT NULL,
  at                     bigint NOT NULL,
  test                   boolean NOT NULL,
  channel                text COLLATE "C" NOT NULL,
  country                text COLLATE "C" NOT NULL,
  carrier                text COLLATE "C" NOT NULL,
  requested              integer NOT NULL,
  failed_attempts        integer NOT NULL,
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  PRIMARY KEY (account_id, at, test, channel, country, carrier)
) WITH (fillfactor = 80);

CREATE TABLE tally_key_day (
  account_id             text COLLATE "C" NOT NULL,
  at                     bigint NOT NULL,
  test                   boolean NOT NULL,
  key_id                 text COLLATE "C" NOT NULL,
  requested              integer NOT NULL,
  failed_attempts        integer NOT NULL,
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  PRIMARY KEY (account_id, at, test, key_id)
) WITH (fillfactor = 80);

CREATE FUNCTION add_to_narrow_tallies() RETURNS trigger
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_keyless_hour AS held (
      account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
      failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
    SELECT
      account_id, at, test, channel, country, carrier, sum(requested), sum(failed_attempts), sum(submitted),
      sum(delivered), sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key), sum(limited_by_destination),
      sum(mismatched), sum(cost)
    FROM added WHERE width = 3600000 GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, at, test, channel, country, carrier) DO UPDATE SET
      requested = held.requested + excluded.requested,
      failed_attempts = held.failed_attempts + excluded.failed_attempts,
      submitted = held.submitted + excluded.submitted, delivered = held.delivered + excluded.delivered,
      undelivered = held.undelivered + excluded.undelivered, failed = held.failed + excluded.failed,
      confirmed = held.confirmed + excluded.confirmed, limited_by_key = held.limited_by_key + excluded.limited_by_key,
      limited_by_destination = held.limited_by_destination + excluded.limited_by_destination,
      mismatched = held.mismatched + excluded.mismatched, cost = held.cost + excluded.cost;
    INSERT INTO tally_keyless_day AS held (
      account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
      failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
    SELECT
      account_id, at - at % 86400000, test, channel, country, carrier, sum(requested), sum(failed_attempts),
      sum(submitted), sum(delivered), sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key),
      sum(limited_by_destination), sum(mismatched), sum(cost)
    FROM added WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, at, test, channel, country, carrier) DO UPDATE SET
      requested = held.requested + excluded.requested,
      failed_attempts = held.failed_attempts + excluded.failed_attempts,
      submitted = held.submitted + excluded.submitted, delivered = held.delivered + excluded.delivered,
      undelivered = held.undelivered + excluded.undelivered, failed = held.failed + excluded.failed,
      confirmed = held.confirmed + excluded.confirmed, limited_by_key = held.limited_by_key + excluded.limited_by_key,
      limited_by_destination = held.limited_by_destination + excluded.limited_by_destination,
      mismatched = held.mismatched + excluded.mismatched, cost = held.cost + excluded.cost;
    INSERT INTO tally_key_day AS held (
      account_id, at, test, key_id, requested, failed_attempts, submitted, delivered, undelivered, failed, confirmed,
      limited_by_key, limited_by_destination, mismatched, cost)
    SELECT
      account_id, at - at % 86400000, test, key_id, sum(requested), sum(failed_attempts), sum(submitted),
      sum(delivered), sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key), sum(limited_by_destination),
      sum(mismatched), sum(cost)
    FROM added WHERE width <> 10000 GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, at, test, key_id) DO UPDATE SET
      requested = held.requested + excluded.requested,
      failed_attempts = held.failed_attempts + excluded.failed_attempts,
      submitted = held.submitted + excluded.submitted, delivered = held.delivered + excluded.delivered,
      undelivered = held.undelivered + excluded.undelivered, failed = held.failed + excluded.failed,
      confirmed = held.confirmed + excluded.confirmed, limited_by_key = held.limited_by_key + excluded.limited_by_key,
      limited_by_destination = held.limited_by_destination + excluded.limited_by_destination,
      mismatched = held.mismatched + excluded.mismatched, cost = held.cost + excluded.cost;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE tally_keyless_hour AS held SET
      requested = held.requested - gone.requested, failed_attempts = held.failed_attempts - gone.failed_attempts,
      submitted = held.submitted - gone.submitted, delivered = held.delivered - gone.delivered,
      undelivered = held.undelivered - gone.undelivered, failed = held.failed - gone.failed,
      confirmed = held.confirmed - gone.confirmed, limited_by_key = held.limited_by_key - gone.limited_by_key,
      limited_by_destination = held.limited_by_destination - gone.limited_by_destination,
      mismatched = held.mismatched - gone.mismatched, cost = held.cost - gone.cost
    FROM (
      SELECT
        account_id, at, test, channel, country, carrier, sum(requested) AS requested,
        sum(failed_attempts) AS failed_attempts, sum(submitted) AS submitted, sum(delivered) AS delivered,
        sum(undelivered) AS undelivered, sum(failed) AS failed, sum(confirmed) AS confirmed,
        sum(limited_by_key) AS limited_by_key, sum(limited_by_destination) AS limited_by_destination,
        sum(mismatched) AS mismatched, sum(cost) AS cost
      FROM removed WHERE width = 3600000 GROUP BY 1, 2, 3, 4, 5, 6
    ) AS gone
    WHERE (held.account_id, held.at, held.test, held.channel, held.country, held.carrier)
      = (gone.account_id, gone.at, gone.test, gone.channel, gone.country, gone.carrier);
    DELETE FROM tally_keyless_hour AS held
    USING (SELECT DISTINCT account_id, at FROM removed WHERE width = 3600000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
      AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
    UPDATE tally_keyless_day AS held SET
      requested = held.requested - gone.requested, failed_attempts = held.failed_attempts - gone.failed_attempts,
      submitted = held.submitted - gone.submitted, delivered = held.delivered - gone.delivered,
      undelivered = held.undelivered - gone.undelivered, failed = held.failed - gone.failed,
      confirmed = held.confirmed - gone.confirmed, limited_by_key = held.limited_by_key - gone.limited_by_key,
      limited_by_destination = held.limited_by_destination - gone.limited_by_destination,
      mismatched = held.mismatched - gone.mismatched, cost = held.cost - gone.cost
    FROM (
      SELECT
        account_id, at - at % 86400000 AS at, test, channel, country, carrier, sum(requested) AS requested,
        sum(failed_attempts) AS failed_attempts, sum(submitted) AS submitted, sum(delivered) AS delivered,
        sum(undelivered) AS undelivered, sum(failed) AS failed, sum(confirmed) AS confirmed,
        sum(limited_by_key) AS limited_by_key, sum(limited_by_destination) AS limited_by_destination,
        sum(mismatched) AS mismatched, sum(cost) AS cost
      FROM removed WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6
    ) AS gone
    WHERE (held.account_id, held.at, held.test, held.channel, held.country, held.carrier)
      = (gone.account_id, gone.at, gone.test, gone.channel, gone.country, gone.carrier);
    DELETE FROM tally_keyless_day AS held
    USING (SELECT DISTINCT account_id, at - at % 86400000 AS at FROM removed WHERE width <> 10000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
      AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
    UPDATE tally_key_day AS held SET
      requested = held.requested - gone.requested, failed_attempts = held.failed_attempts - gone.failed_attempts,
      submitted = held.submitted - gone.submitted, delivered = held.delivered - gone.delivered,
      undelivered = held.undelivered - gone.undelivered, failed = held.failed - gone.failed,
      confirmed = held.confirmed - gone.confirmed, limited_by_key = held.limited_by_key - gone.limited_by_key,
      limited_by_destination = held.limited_by_destination - gone.limited_by_destination,
      mismatched = held.mismatched - gone.mismatched, cost = held.cost - gone.cost
    FROM (
      SELECT
        account_id, at - at % 86400000 AS at, test, key_id, sum(requested) AS requested,
        sum(failed_attempts) AS failed_attempts, sum(submitted) AS submitted, sum(delivered) AS delivered,
        sum(undelivered) AS undelivered, sum(failed) AS failed, sum(confirmed) AS confirmed,
        sum(limited_by_key) AS limited_by_key, sum(limited_by_destination) AS limited_by_destination,
        sum(mismatched) AS mismatched, sum(cost) AS cost
      FROM removed WHERE width <> 10000 GROUP BY 1, 2, 3, 4
    ) AS gone
    WHERE (held.account_id, held.at, held.test, held.key_id)
      = (gone.account_id, gone.at, gone.test, gone.key_id);
    DELETE FROM tally_key_day AS held
    USING (SELECT DISTINCT account_id, at - at % 86400000 AS at FROM removed WHERE width <> 10000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
      AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER tally_narrow_added AFTER INSERT ON tally
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_narrow_tallies();
CREATE TRIGGER tally_narrow_changed AFTER UPDATE ON tally
REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_narrow_tallies();
CREATE TRIGGER tally_narrow_removed AFTER DELETE ON tally
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION add_to_narrow_tallies();
