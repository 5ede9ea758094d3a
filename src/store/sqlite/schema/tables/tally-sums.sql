-- Narrower sums, because a long span is hardly ever read by key and by place at once: the hours of `tally` and the days of
-- `tally_day` without the keys, and the days by the key only. Triggers keep them as others keep `tally_day`.
CREATE TABLE tally_keyless_hour (
  account_id             TEXT NOT NULL,
  at                     INTEGER NOT NULL,
  test                   INTEGER NOT NULL,
  channel                TEXT NOT NULL,
  country                TEXT NOT NULL,
  carrier                TEXT NOT NULL,
  requested              INTEGER NOT NULL,
  failed_attempts        INTEGER NOT NULL,
  submitted              INTEGER NOT NULL,
  delivered              INTEGER NOT NULL,
  undelivered            INTEGER NOT NULL,
  failed                 INTEGER NOT NULL,
  confirmed              INTEGER NOT NULL,
  limited_by_key         INTEGER NOT NULL,
  limited_by_destination INTEGER NOT NULL,
  mismatched             INTEGER NOT NULL,
  cost                   INTEGER NOT NULL,
  PRIMARY KEY (account_id, at, test, channel, country, carrier)
) STRICT, WITHOUT ROWID;

CREATE TABLE tally_keyless_day (
  account_id             TEXT NOT NULL,
  at                     INTEGER NOT NULL,
  test                   INTEGER NOT NULL,
  channel                TEXT NOT NULL,
  country                TEXT NOT NULL,
  carrier                TEXT NOT NULL,
  requested              INTEGER NOT NULL,
  failed_attempts        INTEGER NOT NULL,
  submitted              INTEGER NOT NULL,
  delivered              INTEGER NOT NULL,
  undelivered            INTEGER NOT NULL,
  failed                 INTEGER NOT NULL,
  confirmed              INTEGER NOT NULL,
  limited_by_key         INTEGER NOT NULL,
  limited_by_destination INTEGER NOT NULL,
  mismatched             INTEGER NOT NULL,
  cost                   INTEGER NOT NULL,
  PRIMARY KEY (account_id, at, test, channel, country, carrier)
) STRICT, WITHOUT ROWID;

CREATE TABLE tally_key_day (
  account_id             TEXT NOT NULL,
  at                     INTEGER NOT NULL,
  test                   INTEGER NOT NULL,
  key_id                 TEXT NOT NULL,
  requested              INTEGER NOT NULL,
  failed_attempts        INTEGER NOT NULL,
  submitted              INTEGER NOT NULL,
  delivered              INTEGER NOT NULL,
  undelivered            INTEGER NOT NULL,
  failed                 INTEGER NOT NULL,
  confirmed              INTEGER NOT NULL,
  limited_by_key         INTEGER NOT NULL,
  limited_by_destination INTEGER NOT NULL,
  mismatched             INTEGER NOT NULL,
  cost                   INTEGER NOT NULL,
  PRIMARY KEY (account_id, at, test, key_id)
) STRICT, WITHOUT ROWID;

-- A change adds a row if there is none: where all counts are 0, a removal may have dropped it.
CREATE TRIGGER tally_hour_added AFTER INSERT ON tally WHEN NEW.width = 3600000 BEGIN
  INSERT INTO tally_keyless_hour (
    account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
    failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
  VALUES (
    NEW.account_id, NEW.at, NEW.test, NEW.channel, NEW.country, NEW.carrier, NEW.requested, NEW.failed_attempts,
    NEW.submitted, NEW.delivered, NEW.undelivered, NEW.failed, NEW.confirmed, NEW.limited_by_key,
    NEW.limited_by_destination, NEW.mismatched, NEW.cost)
  ON CONFLICT DO UPDATE SET
    requested = requested + excluded.requested, failed_attempts = failed_attempts + excluded.failed_attempts,
    submitted = submitted + excluded.submitted, delivered = delivered + excluded.delivered,
    undelivered = undelivered + excluded.undelivered, failed = failed + excluded.failed,
    confirmed = confirmed + excluded.confirmed, limited_by_key = limited_by_key + excluded.limited_by_key,
    limited_by_destination = limited_by_destination + excluded.limited_by_destination,
    mismatched = mismatched + excluded.mismatched, cost = cost + excluded.cost;
END;

CREATE TRIGGER tally_hour_changed AFTER UPDATE ON tally WHEN NEW.width = 3600000 BEGIN
  INSERT INTO tally_keyless_hour (
    account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
    failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
  VALUES (
    NEW.account_id, NEW.at, NEW.test, NEW.channel, NEW.country, NEW.carrier, NEW.requested - OLD.requested,
    NEW.failed_attempts - OLD.failed_attempts, NEW.submitted - OLD.submitted, NEW.delivered - OLD.delivered,
    NEW.undelivered - OLD.undelivered, NEW.failed - OLD.failed, NEW.confirmed - OLD.confirmed,
    NEW.limited_by_key - OLD.limited_by_key, NEW.limited_by_destination - OLD.limited_by_destination,
    NEW.mismatched - OLD.mismatched, NEW.cost - OLD.cost)
  ON CONFLICT DO UPDATE SET
    requested = requested + excluded.requested, failed_attempts = failed_attempts + excluded.failed_attempts,
    submitted = submitted + excluded.submitted, delivered = delivered + excluded.delivered,
    undelivered = undelivered + excluded.undelivered, failed = failed + excluded.failed,
    confirmed = confirmed + excluded.confirmed, limited_by_key = limited_by_key + excluded.limited_by_key,
    limited_by_destination = limited_by_destination + excluded.limited_by_destination,
    mismatched = mismatched + excluded.mismatched, cost = cost + excluded.cost;
END;

CREATE TRIGGER tally_hour_removed AFTER DELETE ON tally WHEN OLD.width = 3600000 BEGIN
  UPDATE tally_keyless_hour SET
    requested = requested - OLD.requested, failed_attempts = failed_attempts - OLD.failed_attempts,
    submitted = submitted - OLD.submitted, delivered = delivered - OLD.delivered,
    undelivered = undelivered - OLD.undelivered, failed = failed - OLD.failed, confirmed = confirmed - OLD.confirmed,
    limited_by_key = limited_by_key - OLD.limited_by_key,
    limited_by_destination = limited_by_destination - OLD.limited_by_destination,
    mismatched = mismatched - OLD.mismatched, cost = cost - OLD.cost
  WHERE (account_id, at, test, channel, country, carrier)
    = (OLD.account_id, OLD.at, OLD.test, OLD.channel, OLD.country, OLD.carrier);
  DELETE FROM tally_keyless_hour WHERE (account_id, at, test, channel, country, carrier)
    = (OLD.account_id, OLD.at, OLD.test, OLD.channel, OLD.country, OLD.carrier)
    AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
    AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
END;

-- Of a day all counts are taken away before its row is removed.
CREATE TRIGGER tally_day_added AFTER INSERT ON tally_day BEGIN
  INSERT INTO tally_keyless_day (
    account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
    failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
  VALUES (
    NEW.account_id, NEW.at, NEW.test, NEW.channel, NEW.country, NEW.carrier, NEW.requested, NEW.failed_attempts,
    NEW.submitted, NEW.delivered, NEW.undelivered, NEW.failed, NEW.confirmed, NEW.limited_by_key,
    NEW.limited_by_destination, NEW.mismatched, NEW.cost)
  ON CONFLICT DO UPDATE SET
    requested = requested + excluded.requested, failed_attempts = failed_attempts + excluded.failed_attempts,
    submitted = submitted + excluded.submitted, delivered = delivered + excluded.delivered,
    undelivered = undelivered + excluded.undelivered, failed = failed + excluded.failed,
    confirmed = confirmed + excluded.confirmed, limited_by_key = limited_by_key + excluded.limited_by_key,
    limited_by_destination = limited_by_destination + excluded.limited_by_destination,
    mismatched = mismatched + excluded.mismatched, cost = cost + excluded.cost;
  INSERT INTO tally_key_day (
    account_id, at, test, key_id, requested, failed_attempts, submitted, delivered, undelivered, failed, confirmed,
    limited_by_key, limited_by_destination, mismatched, cost)
  VALUES (
    NEW.account_id, NEW.at, NEW.test, NEW.key_id, NEW.requested, NEW.failed_attempts, NEW.submitted, NEW.delivered,
    NEW.undelivered, NEW.failed, NEW.confirmed, NEW.limited_by_key, NEW.limited_by_destination, NEW.mismatched,
    NEW.cost)
  ON CONFLICT DO UPDATE SET
    requested = requested + excluded.requested, failed_attempts = failed_attempts + excluded.failed_attempts,
    submitted = submitted + excluded.submitted, delivered = delivered + excluded.delivered,
    undelivered = undelivered + excluded.undelivered, failed = failed + excluded.failed,
    confirmed = confirmed + excluded.confirmed, limited_by_key = limited_by_key + excluded.limited_by_key,
    limited_by_destination = limited_by_destination + excluded.limited_by_destination,
    mismatched = mismatched + excluded.mismatched, cost = cost + excluded.cost;
END;

CREATE TRIGGER tally_day_changed AFTER UPDATE ON tally_day BEGIN
  INSERT INTO tally_keyless_day (
    account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
    failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
  VALUES (
    NEW.account_id, NEW.at, NEW.test, NEW.channel, NEW.country, NEW.carrier, NEW.requested - OLD.requested,
    NEW.failed_attempts - OLD.failed_attempts, NEW.submitted - OLD.submitted, NEW.delivered - OLD.delivered,
    NEW.undelivered - OLD.undelivered, NEW.failed - OLD.failed, NEW.confirmed - OLD.confirmed,
    NEW.limited_by_key - OLD.limited_by_key, NEW.limited_by_destination - OLD.limited_by_destination,
    NEW.mismatched - OLD.mismatched, NEW.cost - OLD.cost)
  ON CONFLICT DO UPDATE SET
    requested = requested + excluded.requested, failed_attempts = failed_attempts + excluded.failed_attempts,
    submitted = submitted + excluded.submitted, delivered = delivered + excluded.delivered,
    undelivered = undelivered + excluded.undelivered, failed = failed + excluded.failed,
    confirmed = confirmed + excluded.confirmed, limited_by_key = limited_by_key + excluded.limited_by_key,
    limited_by_destination = limited_by_destination + excluded.limited_by_destination,
    mismatched = mismatched + excluded.mismatched, cost = cost + excluded.cost;
  INSERT INTO tally_key_day (
    account_id, at, test, key_id, requested, failed_attempts, submitted, delivered, undelivered, failed, confirmed,
    limited_by_key, limited_by_destination, mismatched, cost)
  VALUES (
    NEW.account_id, NEW.at, NEW.test, NEW.key_id, NEW.requested - OLD.requested,
    NEW.failed_attempts - OLD.failed_attempts, NEW.submitted - OLD.submitted, NEW.delivered - OLD.delivered,
    NEW.undelivered - OLD.undelivered, NEW.failed - OLD.failed, NEW.confirmed - OLD.confirmed,
    NEW.limited_by_key - OLD.limited_by_key, NEW.limited_by_destination - OLD.limited_by_destination,
    NEW.mismatched - OLD.mismatched, NEW.cost - OLD.cost)
  ON CONFLICT DO UPDATE SET
    requested = requested + excluded.requested, failed_attempts = failed_attempts + excluded.failed_attempts,
    submitted = submitted + excluded.submitted, delivered = delivered + excluded.delivered,
    undelivered = undelivered + excluded.undelivered, failed = failed + excluded.failed,
    confirmed = confirmed + excluded.confirmed, limited_by_key = limited_by_key + excluded.limited_by_key,
    limited_by_destination = limited_by_destination + excluded.limited_by_destination,
    mismatched = mismatched + excluded.mismatched, cost = cost + excluded.cost;
END;

CREATE TRIGGER tally_day_removed AFTER DELETE ON tally_day BEGIN
  DELETE FROM tally_keyless_day WHERE (account_id, at, test, channel, country, carrier)
    = (OLD.account_id, OLD.at, OLD.test, OLD.channel, OLD.country, OLD.carrier)
    AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
    AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
  DELETE FROM tally_key_day WHERE (account_id, at, test, key_id)
    = (OLD.account_id, OLD.at, OLD.test, OLD.key_id)
    AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
    AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
END;
