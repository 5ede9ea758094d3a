-- What `tally` holds of hours and days, added up by the day, so that a year is read as 365 of them: triggers keep it so in the
-- transaction that merges or drops buckets. An account's rows lie together.
CREATE TABLE tally_day (
  account_id             TEXT NOT NULL,
  at                     INTEGER NOT NULL,
  test                   INTEGER NOT NULL,
  channel                TEXT NOT NULL,
  country                TEXT NOT NULL,
  carrier                TEXT NOT NULL,
  key_id                 TEXT NOT NULL,
  requested              INTEGER NOT NULL,
  failed_attempts        INTEGER NOT NULL DEFAULT 0,
  submitted              INTEGER NOT NULL,
  delivered              INTEGER NOT NULL,
  undelivered            INTEGER NOT NULL,
  failed                 INTEGER NOT NULL,
  confirmed              INTEGER NOT NULL,
  limited_by_key         INTEGER NOT NULL,
  limited_by_destination INTEGER NOT NULL,
  mismatched             INTEGER NOT NULL,
  cost                   INTEGER NOT NULL,
  PRIMARY KEY (account_id, at, test, channel, country, carrier, key_id)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER tally_added AFTER INSERT ON tally WHEN NEW.width <> 10000 BEGIN
  INSERT INTO tally_day (
    account_id, at, test, channel, country, carrier, key_id, requested, failed_attempts, submitted, delivered,
    undelivered, failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
  VALUES (
    NEW.account_id, NEW.at - NEW.at % 86400000, NEW.test, NEW.channel, NEW.country, NEW.carrier, NEW.key_id,
    NEW.requested, NEW.failed_attempts, NEW.submitted, NEW.delivered, NEW.undelivered, NEW.failed, NEW.confirmed,
    NEW.limited_by_key, NEW.limited_by_destination, NEW.mismatched, NEW.cost)
  ON CONFLICT DO UPDATE SET
    requested = requested + excluded.requested, failed_attempts = failed_attempts + excluded.failed_attempts,
    submitted = submitted + excluded.submitted, delivered = delivered + excluded.delivered,
    undelivered = undelivered + excluded.undelivered, failed = failed + excluded.failed,
    confirmed = confirmed + excluded.confirmed,
    limited_by_key = limited_by_key + excluded.limited_by_key,
    limited_by_destination = limited_by_destination + excluded.limited_by_destination,
    mismatched = mismatched + excluded.mismatched, cost = cost + excluded.cost;
END;

CREATE TRIGGER tally_changed AFTER UPDATE ON tally WHEN NEW.width <> 10000 BEGIN
  UPDATE tally_day SET
    requested = requested + NEW.requested - OLD.requested,
    failed_attempts = failed_attempts + NEW.failed_attempts - OLD.failed_attempts,
    submitted = submitted + NEW.submitted - OLD.submitted,
    delivered = delivered + NEW.delivered - OLD.delivered, undelivered = undelivered + NEW.undelivered - OLD.undelivered,
    failed = failed + NEW.failed - OLD.failed, confirmed = confirmed + NEW.confirmed - OLD.confirmed,
    limited_by_key = limited_by_key + NEW.limited_by_key - OLD.limited_by_key,
    limited_by_destination = limited_by_destination + NEW.limited_by_destination - OLD.limited_by_destination,
    mismatched = mismatched + NEW.mismatched - OLD.mismatched, cost = cost + NEW.cost - OLD.cost
  WHERE (account_id, at, test, channel, country, carrier, key_id) = (
      NEW.account_id, NEW.at - NEW.at % 86400000, NEW.test, NEW.channel, NEW.country, NEW.carrier, NEW.key_id);
END;

CREATE TRIGGER tally_removed AFTER DELETE ON tally WHEN OLD.width <> 10000 BEGIN
  UPDATE tally_day SET
    requested = requested - OLD.requested, failed_attempts = failed_attempts - OLD.failed_attempts,
    submitted = submitted - OLD.submitted, delivered = delivered - OLD.delivered,
    undelivered = undelivered - OLD.undelivered, failed = failed - OLD.failed, confirmed = confirmed - OLD.confirmed,
    limited_by_key = limited_by_key - OLD.limited_by_key,
    limited_by_destination = limited_by_destination - OLD.limited_by_destination,
    mismatched = mismatched - OLD.mismatched, cost = cost - OLD.cost
  WHERE (account_id, at, test, channel, country, carrier, key_id) = (
      OLD.account_id, OLD.at - OLD.at % 86400000, OLD.test, OLD.channel, OLD.country, OLD.carrier, OLD.key_id);
  DELETE FROM tally_day WHERE (account_id, at, test, channel, country, carrier, key_id) = (
      OLD.account_id, OLD.at - OLD.at % 86400000, OLD.test, OLD.channel, OLD.country, OLD.carrier, OLD.key_id)
    AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
    AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
END;

-- The same of `latency_tally`.
CREATE TABLE latency_tally_day (
  account_id TEXT NOT NULL,
  at         INTEGER NOT NULL,
  stage      TEXT NOT NULL,
  test       INTEGER NOT NULL,
  channel    TEXT NOT NULL,
  country    TEXT NOT NULL,
  carrier    TEXT NOT NULL,
  bin_0      INTEGER NOT NULL,
  bin_1      INTEGER NOT NULL,
  bin_2      INTEGER NOT NULL,
  bin_3      INTEGER NOT NULL,
  bin_4      INTEGER NOT NULL,
  bin_5      INTEGER NOT NULL,
  bin_6      INTEGER NOT NULL,
  bin_7      INTEGER NOT NULL,
  bin_8      INTEGER NOT NULL,
  bin_9      INTEGER NOT NULL,
  bin_10     INTEGER NOT NULL,
  bin_11     INTEGER NOT NULL,
  bin_12     INTEGER NOT NULL,
  bin_13     INTEGER NOT NULL,
  bin_14     INTEGER NOT NULL,
  PRIMARY KEY (account_id, at, stage, test, channel, country, carrier)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER latency_tally_added AFTER INSERT ON latency_tally WHEN NEW.width <> 10000 BEGIN
  INSERT INTO latency_tally_day (
    account_id, at, stage, test, channel, country, carrier, bin_0, bin_1, bin_2, bin_3, bin_4, bin_5, bin_6, bin_7, bin_8,
    bin_9, bin_10, bin_11, bin_12, bin_13, bin_14)
  VALUES (
    NEW.account_id, NEW.at - NEW.at % 86400000, NEW.stage, NEW.test, NEW.channel, NEW.country, NEW.carrier, NEW.bin_0,
    NEW.bin_1, NEW.bin_2, NEW.bin_3, NEW.bin_4, NEW.bin_5, NEW.bin_6, NEW.bin_7, NEW.bin_8, NEW.bin_9, NEW.bin_10,
    NEW.bin_11, NEW.bin_12, NEW.bin_13, NEW.bin_14)
  ON CONFLICT DO UPDATE SET
    bin_0 = bin_0 + excluded.bin_0, bin_1 = bin_1 + excluded.bin_1, bin_2 = bin_2 + excluded.bin_2,
    bin_3 = bin_3 + excluded.bin_3, bin_4 = bin_4 + excluded.bin_4, bin_5 = bin_5 + excluded.bin_5,
    bin_6 = bin_6 + excluded.bin_6, bin_7 = bin_7 + excluded.bin_7, bin_8 = bin_8 + excluded.bin_8,
    bin_9 = bin_9 + excluded.bin_9, bin_10 = bin_10 + excluded.bin_10, bin_11 = bin_11 + excluded.bin_11,
    bin_12 = bin_12 + excluded.bin_12, bin_13 = bin_13 + excluded.bin_13, bin_14 = bin_14 + excluded.bin_14;
END;

CREATE TRIGGER latency_tally_changed AFTER UPDATE ON latency_tally WHEN NEW.width <> 10000 BEGIN
  UPDATE latency_tally_day SET
    bin_0 = bin_0 + NEW.bin_0 - OLD.bin_0, bin_1 = bin_1 + NEW.bin_1 - OLD.bin_1, bin_2 = bin_2 + NEW.bin_2 - OLD.bin_2,
    bin_3 = bin_3 + NEW.bin_3 - OLD.bin_3, bin_4 = bin_4 + NEW.bin_4 - OLD.bin_4, bin_5 = bin_5 + NEW.bin_5 - OLD.bin_5,
    bin_6 = bin_6 + NEW.bin_6 - OLD.bin_6, bin_7 = bin_7 + NEW.bin_7 - OLD.bin_7, bin_8 = bin_8 + NEW.bin_8 - OLD.bin_8,
    bin_9 = bin_9 + NEW.bin_9 - OLD.bin_9, bin_10 = bin_10 + NEW.bin_10 - OLD.bin_10,
    bin_11 = bin_11 + NEW.bin_11 - OLD.bin_11, bin_12 = bin_12 + NEW.bin_12 - OLD.bin_12,
    bin_13 = bin_13 + NEW.bin_13 - OLD.bin_13, bin_14 = bin_14 + NEW.bin_14 - OLD.bin_14
  WHERE (account_id, at, stage, test, channel, country, carrier) = (
      NEW.account_id, NEW.at - NEW.at % 86400000, NEW.stage, NEW.test, NEW.channel, NEW.country, NEW.carrier);
END;

CREATE TRIGGER latency_tally_removed AFTER DELETE ON latency_tally WHEN OLD.width <> 10000 BEGIN
  UPDATE latency_tally_day SET
    bin_0 = bin_0 - OLD.bin_0, bin_1 = bin_1 - OLD.bin_1, bin_2 = bin_2 - OLD.bin_2, bin_3 = bin_3 - OLD.bin_3,
    bin_4 = bin_4 - OLD.bin_4, bin_5 = bin_5 - OLD.bin_5, bin_6 = bin_6 - OLD.bin_6, bin_7 = bin_7 - OLD.bin_7,
    bin_8 = bin_8 - OLD.bin_8, bin_9 = bin_9 - OLD.bin_9, bin_10 = bin_10 - OLD.bin_10, bin_11 = bin_11 - OLD.bin_11,
    bin_12 = bin_12 - OLD.bin_12, bin_13 = bin_13 - OLD.bin_13, bin_14 = bin_14 - OLD.bin_14
  WHERE (account_id, at, stage, test, channel, country, carrier) = (
      OLD.account_id, OLD.at - OLD.at % 86400000, OLD.stage, OLD.test, OLD.channel, OLD.country, OLD.carrier);
  DELETE FROM latency_tally_day WHERE (account_id, at, stage, test, channel, country, carrier) = (
      OLD.account_id, OLD.at - OLD.at % 86400000, OLD.stage, OLD.test, OLD.channel, OLD.country, OLD.carrier)
    AND bin_0 = 0 AND bin_1 = 0 AND bin_2 = 0 AND bin_3 = 0 AND bin_4 = 0 AND bin_5 = 0 AND bin_6 = 0
    AND bin_7 = 0 AND bin_8 = 0 AND bin_9 = 0 AND bin_10 = 0 AND bin_11 = 0 AND bin_12 = 0 AND bin_13 = 0
    AND bin_14 = 0;
END;
