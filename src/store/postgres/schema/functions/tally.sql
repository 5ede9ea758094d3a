-- The bin of a latency in ms; a bound belongs to the bin below it.
CREATE FUNCTION latency_bin(ms bigint) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
  SELECT width_bucket(ms - 1, ARRAY[
    50, 100, 250, 500, 1000, 2500, 5000, 10000, 20000, 30000, 60000, 120000, 300000, 600000]::bigint[])
$$;

-- Counts deliveries that were given up and that no carrier took. What was reported undelivered is counted as that.
CREATE FUNCTION count_failed(ids uuid[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO tally_event (at, account_id, test, channel, country, carrier, key_id, event, amount)
  SELECT created_at - created_at % 10000, account_id, test, channel, country, '', key_id, 'failed', count(*)
  FROM unnest(ids) AS given (id) JOIN verification ON verification.id = given.id
  WHERE NOT EXISTS (SELECT FROM attempt WHERE verification_id = given.id AND outcome IN ('accepted', 'delivered'))
  GROUP BY 1, 2, 3, 4, 5, 7
$$;

-- Counts receipts that are the first of their kind from a carrier for a message.
CREATE FUNCTION count_receipts(ids uuid[], carriers text[], statuses text[], ats bigint[], channels text[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO tally_event (at, account_id, test, channel, country, carrier, key_id, event, bin, amount)
  SELECT created_at - created_at % 10000, account_id, test, given.channel, country, given.carrier, key_id, given.status,
    CASE WHEN given.status = 'delivered' THEN latency_bin(given.at - created_at) END, count(*)
  FROM unnest(ids, carriers, statuses, ats, channels) AS given (id, carrier, status, at, channel)
  JOIN verification ON verification.id = given.id
  WHERE NOT brought
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
$$;

-- Counts by how much the prices that carriers named are above those that were counted; below, if negative.
CREATE FUNCTION count_prices(ids uuid[], carriers text[], channels text[], differences bigint[]) RETURNS void
LANGUAGE sql AS $$
  INSERT INTO tally_event (at, account_id, test, channel, country, carrier, key_id, event, amount)
  SELECT created_at - created_at % 10000, account_id, test, given.channel, country, given.carrier, key_id, 'cost',
    sum(given.difference)
  FROM unnest(ids, carriers, channels, differences) AS given (id, carrier, channel, difference)
  JOIN verification ON verification.id = given.id
  GROUP BY 1, 2, 3, 4, 5, 6, 7
$$;
