-- Attempts that a carrier did not take, from now on: together with `submitted`, how often it was asked.
ALTER TABLE tally ADD COLUMN failed_attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tally_day ADD COLUMN failed_attempts INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER tally_added;
DROP TRIGGER tally_changed;
DROP TRIGGER tally_removed;

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
