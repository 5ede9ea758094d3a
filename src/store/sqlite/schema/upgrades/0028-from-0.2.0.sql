-- Brings a store of version 0.2.0 (schema 10) here. What the new columns and tables are for, the files of `tables` say.

-- The queue and the simulator's inbox were columns of the verification, and attempts had a number each.
ALTER TABLE verification RENAME TO earlier_verification;
DROP INDEX verification_destination;
DROP INDEX verification_due;
DROP INDEX verification_inbox;

CREATE TABLE verification (
  id                        TEXT NOT NULL UNIQUE,
  account_id                TEXT NOT NULL,
  key_id                    TEXT NOT NULL,
  test                      INTEGER NOT NULL,
  channel                   TEXT NOT NULL,
  country                   TEXT NOT NULL,
  destination_hash          TEXT NOT NULL,
  previous_destination_hash TEXT,
  destination_sealed        TEXT NOT NULL,
  code_mac                  TEXT NOT NULL,
  guesses_left              INTEGER NOT NULL,
  created_at                INTEGER NOT NULL,
  expires_at                INTEGER NOT NULL,
  confirmed_at              INTEGER,
  ended_at                  INTEGER,
  by_number                 INTEGER NOT NULL DEFAULT 0,
  brought                   INTEGER NOT NULL DEFAULT 0,
  client_network            TEXT,
  signals                   TEXT,
  details_sealed            TEXT
) STRICT;

INSERT INTO verification (rowid, id, account_id, key_id, test, channel, country, destination_hash, previous_destination_hash,
  destination_sealed, code_mac, guesses_left, created_at, expires_at, confirmed_at)
SELECT rowid, id, account_id, key_id, test, channel, country, destination_hash, previous_destination_hash,
  destination_sealed, code_mac, guesses_left, created_at, expires_at, confirmed_at
FROM earlier_verification ORDER BY rowid;

CREATE TABLE inbox_message (
  account_id      TEXT NOT NULL,
  verification_id TEXT NOT NULL,
  code_sealed     TEXT NOT NULL,
  received_at     INTEGER NOT NULL,
  PRIMARY KEY (account_id, verification_id)
) STRICT, WITHOUT ROWID;

-- A late receipt of another carrier erased the code of what the simulator had delivered.
INSERT INTO inbox_message (account_id, verification_id, code_sealed, received_at)
SELECT account_id, id, code_sealed, inbox_at FROM earlier_verification WHERE inbox_at IS NOT NULL AND code_sealed IS NOT NULL;

CREATE TABLE delivery (
  verification_id TEXT NOT NULL PRIMARY KEY,
  code_sealed     TEXT NOT NULL,
  due_at          INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  fence           INTEGER NOT NULL DEFAULT 0,
  rounds          INTEGER NOT NULL DEFAULT 0,
  leg             INTEGER NOT NULL DEFAULT 0,
  fallback_at     INTEGER
) STRICT, WITHOUT ROWID;

INSERT INTO delivery (verification_id, code_sealed, due_at, expires_at, fence, rounds)
SELECT id, code_sealed, due_at, expires_at, fence, rounds FROM earlier_verification WHERE due_at IS NOT NULL;

DROP TABLE earlier_verification;

ALTER TABLE attempt RENAME TO earlier_attempt;
DROP INDEX attempt_reference;

CREATE TABLE attempt (
  verification_id TEXT NOT NULL,
  fence           INTEGER NOT NULL,
  position        INTEGER NOT NULL,
  carrier         TEXT NOT NULL,
  started_at      INTEGER NOT NULL,
  ended_at        INTEGER NOT NULL,
  outcome         TEXT NOT NULL,
  reference       TEXT,
  recipient_tag   TEXT,
  reason          TEXT,
  receipt         TEXT,
  receipt_reason  TEXT,
  receipt_at      INTEGER,
  choice          TEXT,
  cost            INTEGER NOT NULL DEFAULT 0,
  price           INTEGER,
  currency        TEXT,
  network         TEXT,
  channel         TEXT,
  PRIMARY KEY (verification_id, fence, position)
) STRICT, WITHOUT ROWID;

INSERT INTO attempt (verification_id, fence, position, carrier, started_at, ended_at, outcome, reference, recipient_tag, reason,
  receipt, receipt_reason, receipt_at, choice, cost)
SELECT verification_id, 0, number, carrier, started_at, ended_at, outcome, reference, recipient_tag, reason,
  receipt, receipt_reason, receipt_at, choice, cost FROM earlier_attempt;

DROP TABLE earlier_attempt;

ALTER TABLE early_receipt ADD COLUMN price INTEGER;
ALTER TABLE early_receipt ADD COLUMN currency TEXT;
ALTER TABLE early_receipt ADD COLUMN network TEXT;
ALTER TABLE api_key ADD COLUMN custom_codes INTEGER NOT NULL DEFAULT 0;
ALTER TABLE carrier_state ADD COLUMN unusable TEXT;
ALTER TABLE audit_entry ADD COLUMN seq INTEGER;
ALTER TABLE audit_entry ADD COLUMN hash TEXT;

CREATE INDEX idempotency_verification ON idempotency (verification_id);
CREATE INDEX verification_erased ON verification (created_at) WHERE account_id = '';
CREATE INDEX verification_destination ON verification (created_at / 86400000, destination_hash, created_at);
CREATE INDEX delivery_due ON delivery (due_at, expires_at);
CREATE INDEX delivery_fallback ON delivery (fallback_at) WHERE fallback_at IS NOT NULL;
CREATE INDEX attempt_recipient ON attempt (ended_at / 86400000, carrier, recipient_tag) WHERE recipient_tag IS NOT NULL;
CREATE INDEX attempt_reference ON attempt (ended_at / 86400000, carrier, reference)
  WHERE reference IS NOT NULL AND recipient_tag IS NOT NULL;

CREATE TABLE blocked_number (
  id            TEXT NOT NULL PRIMARY KEY,
  account_id    TEXT NOT NULL REFERENCES account (id),
  hash          TEXT NOT NULL UNIQUE,
  number_sealed TEXT NOT NULL,
  secret_id     TEXT NOT NULL,
  source        TEXT NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX blocked_number_account ON blocked_number (account_id, id);
CREATE INDEX blocked_number_secret ON blocked_number (secret_id, id);

CREATE TABLE blocked_range (
  account_id TEXT NOT NULL REFERENCES account (id),
  prefix     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, prefix)
) STRICT, WITHOUT ROWID;

CREATE TABLE budget_use (
  kind            TEXT NOT NULL,
  subject         TEXT NOT NULL,
  per             TEXT NOT NULL,
  starts_at       INTEGER NOT NULL,
  ends_at         INTEGER NOT NULL,
  money           INTEGER NOT NULL,
  messages        INTEGER NOT NULL,
  warned_money    INTEGER NOT NULL DEFAULT 0,
  warned_messages INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject, per, starts_at)
) STRICT, WITHOUT ROWID;

CREATE TABLE reservation (
  verification_id TEXT NOT NULL PRIMARY KEY,
  charges         TEXT NOT NULL,
  prices          TEXT NOT NULL,
  held            INTEGER NOT NULL,
  spent           INTEGER,
  fence           INTEGER NOT NULL,
  under_way       INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX reservation_expires ON reservation (expires_at);

CREATE TABLE guard_memory (
  bucket     INTEGER NOT NULL PRIMARY KEY,
  written_at INTEGER NOT NULL,
  learnt     TEXT NOT NULL
) STRICT;

CREATE TABLE guard_news (
  sequence INTEGER NOT NULL PRIMARY KEY,
  node     TEXT NOT NULL,
  at       INTEGER NOT NULL,
  learnt   TEXT NOT NULL
) STRICT;

CREATE TABLE guard_counter (
  name  TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO guard_counter (name, value) VALUES ('news', 0), ('rules', 0);

CREATE TABLE guard_rule (
  id           TEXT NOT NULL PRIMARY KEY,
  account_id   TEXT REFERENCES account (id),
  action       TEXT NOT NULL CHECK (action IN ('allow', 'deny', 'pause')),
  subject      TEXT NOT NULL CHECK (subject IN ('range', 'number', 'account', 'key', 'address')),
  value        TEXT NOT NULL,
  value_sealed TEXT,
  ends_at      INTEGER,
  reason       TEXT NOT NULL,
  made_by      TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;

CREATE TABLE guard_refusal (
  id         TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id     TEXT NOT NULL,
  at         INTEGER NOT NULL,
  channel    TEXT NOT NULL,
  country    TEXT NOT NULL,
  masked     TEXT NOT NULL,
  place      TEXT NOT NULL,
  rule       TEXT NOT NULL,
  detail     TEXT NOT NULL,
  enforced   INTEGER NOT NULL,
  saved      INTEGER
) STRICT;

CREATE INDEX guard_refusal_account ON guard_refusal (account_id, at);
CREATE INDEX guard_refusal_place ON guard_refusal (account_id, place, at);
CREATE INDEX guard_refusal_at ON guard_refusal (at);

CREATE TABLE guard_day (
  day        INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  country    TEXT NOT NULL,
  rule       TEXT NOT NULL,
  enforced   INTEGER NOT NULL,
  requests   INTEGER NOT NULL,
  saved      INTEGER NOT NULL,
  PRIMARY KEY (day, account_id, country, rule, enforced)
) STRICT, WITHOUT ROWID;

CREATE TABLE guard_evidence (
  place         TEXT NOT NULL,
  minute        INTEGER NOT NULL,
  sent          REAL NOT NULL,
  confirmed     REAL NOT NULL,
  odds          REAL NOT NULL,
  closes_at     REAL NOT NULL,
  closed        INTEGER NOT NULL,
  probes        INTEGER NOT NULL,
  next_probe_at INTEGER,
  PRIMARY KEY (place, minute)
) STRICT, WITHOUT ROWID;

CREATE INDEX guard_evidence_minute ON guard_evidence (minute);

CREATE TABLE guard_event (
  id         TEXT NOT NULL PRIMARY KEY,
  at         INTEGER NOT NULL,
  name       TEXT NOT NULL,
  account_id TEXT,
  place      TEXT NOT NULL,
  detail     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX guard_event_at ON guard_event (at);
CREATE INDEX guard_event_place ON guard_event (place, id);

CREATE TABLE trace_link (
  name     TEXT NOT NULL PRIMARY KEY,
  context  TEXT NOT NULL,
  noted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX trace_link_noted ON trace_link (noted_at);

CREATE TABLE webhook (
  id                     TEXT NOT NULL PRIMARY KEY,
  account_id             TEXT NOT NULL REFERENCES account (id),
  url                    TEXT NOT NULL,
  types                  TEXT NOT NULL,
  full_numbers           INTEGER NOT NULL DEFAULT 0,
  secret_sealed          TEXT NOT NULL,
  previous_secret_sealed TEXT,
  previous_until         INTEGER,
  created_at             INTEGER NOT NULL,
  failing_since          INTEGER,
  last_success_at        INTEGER,
  last_failure_at        INTEGER,
  last_failure           TEXT,
  disabled_at            INTEGER,
  disabled_why           TEXT,
  leased_by              TEXT,
  leased_until           INTEGER NOT NULL DEFAULT 0,
  fence                  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX webhook_account ON webhook (account_id, id);

CREATE TABLE webhook_message (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  webhook_id      TEXT NOT NULL,
  type            TEXT NOT NULL,
  verification_id TEXT,
  carrier         TEXT,
  reason          TEXT,
  channel         TEXT,
  at              INTEGER NOT NULL,
  due_at          INTEGER,
  tries           INTEGER NOT NULL DEFAULT 0,
  last_try_at     INTEGER,
  last_answer     TEXT,
  failures        TEXT,
  sent_at         INTEGER
) STRICT;

CREATE INDEX webhook_message_due ON webhook_message (webhook_id, due_at, seq) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_message_webhook ON webhook_message (webhook_id, seq);

CREATE TABLE webhook_expiry (
  expires_at      INTEGER NOT NULL,
  verification_id TEXT NOT NULL,
  PRIMARY KEY (expires_at, verification_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE alert (
  id           TEXT NOT NULL PRIMARY KEY,
  account_id   TEXT NOT NULL,
  rule         TEXT NOT NULL,
  subject      TEXT NOT NULL,
  detail       TEXT NOT NULL,
  place        TEXT NOT NULL,
  bad_since    INTEGER NOT NULL,
  firing_since INTEGER,
  good_since   INTEGER,
  told_at      INTEGER,
  over_at      INTEGER
) STRICT;

CREATE UNIQUE INDEX alert_standing ON alert (account_id, rule, subject) WHERE over_at IS NULL;
CREATE INDEX alert_over ON alert (account_id, over_at) WHERE over_at IS NOT NULL;

CREATE TABLE alert_notice (
  id          TEXT NOT NULL PRIMARY KEY,
  alert_id    TEXT NOT NULL,
  account_id  TEXT NOT NULL,
  channel     TEXT NOT NULL CHECK (channel IN ('email', 'webhook')),
  target      TEXT NOT NULL,
  kind        TEXT NOT NULL,
  at          INTEGER NOT NULL,
  facts       TEXT NOT NULL,
  due_at      INTEGER,
  tries       INTEGER NOT NULL DEFAULT 0,
  last_try_at INTEGER,
  last_answer TEXT,
  sent_at     INTEGER,
  letter      TEXT
) STRICT;

CREATE INDEX alert_notice_due ON alert_notice (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX alert_notice_alert ON alert_notice (alert_id);
CREATE INDEX alert_notice_target ON alert_notice (account_id, channel, target, last_try_at);

CREATE TABLE alert_subscriber (
  account_id TEXT NOT NULL REFERENCES account (id),
  person_id  TEXT NOT NULL,
  since      INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE alert_webhook (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  sealed     TEXT NOT NULL,
  host       TEXT NOT NULL,
  added_by   TEXT NOT NULL,
  added_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE alert_turn (
  name    TEXT NOT NULL PRIMARY KEY,
  holder  TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO alert_turn (name, holder, ends_at) VALUES ('turn', '', 0);

CREATE TABLE carrier_test (
  id         TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  carrier    TEXT NOT NULL,
  channel    TEXT NOT NULL,
  asked_by   TEXT NOT NULL,
  asked_at   INTEGER NOT NULL,
  key_hash   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX carrier_test_key ON carrier_test (account_id, key_hash);
CREATE INDEX carrier_test_asked ON carrier_test (asked_at);

CREATE TABLE carrier_test_counter (
  name  TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO carrier_test_counter (name, value) VALUES ('tests', 0);

CREATE TABLE start_dismissal (
  account_id   TEXT NOT NULL REFERENCES account (id),
  person_id    TEXT NOT NULL,
  dismissed_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE audit_head (
  account_id    TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  seq           INTEGER NOT NULL,
  hash          TEXT NOT NULL,
  removed_seq   INTEGER NOT NULL DEFAULT 0,
  removed_hash  TEXT NOT NULL DEFAULT '',
  removed_entry TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_entry_seq ON audit_entry (account_id, seq);

-- `audit_hash` is a function of this program. An entry that is moved from another store brings its number and hash.
CREATE TRIGGER audit_entry_chained AFTER INSERT ON audit_entry WHEN NEW.seq IS NULL BEGIN
  INSERT INTO audit_head (account_id, seq, hash) VALUES (NEW.account_id, 0, '') ON CONFLICT (account_id) DO NOTHING;
  UPDATE audit_head SET
    seq = seq + 1,
    hash = audit_hash(hash, seq + 1, NEW.account_id, NEW.id, NEW.at, NEW.who, NEW.address, NEW.action, NEW.subject, NEW.detail)
  WHERE account_id = NEW.account_id;
  UPDATE audit_entry SET (seq, hash) = (SELECT seq, hash FROM audit_head WHERE account_id = NEW.account_id)
  WHERE account_id = NEW.account_id AND id = NEW.id;
END;

-- What is there already is chained in the order of its ids, which is that of time.
CREATE TABLE audit_entry_before AS SELECT * FROM audit_entry;
DELETE FROM audit_entry;
INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail, times)
  SELECT account_id, id, at, who, address, action, subject, detail, times FROM audit_entry_before ORDER BY account_id, id;
DROP TABLE audit_entry_before;

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

INSERT INTO tally_keyless_hour (
  account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
  failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
SELECT
  account_id, at, test, channel, country, carrier, sum(requested), sum(failed_attempts), sum(submitted),
  sum(delivered), sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key), sum(limited_by_destination),
  sum(mismatched), sum(cost)
FROM tally WHERE width = 3600000 GROUP BY 1, 2, 3, 4, 5, 6;

INSERT INTO tally_keyless_day (
  account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
  failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
SELECT
  account_id, at, test, channel, country, carrier, sum(requested), sum(failed_attempts), sum(submitted),
  sum(delivered), sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key), sum(limited_by_destination),
  sum(mismatched), sum(cost)
FROM tally_day GROUP BY 1, 2, 3, 4, 5, 6;

INSERT INTO tally_key_day (
  account_id, at, test, key_id, requested, failed_attempts, submitted, delivered, undelivered, failed, confirmed,
  limited_by_key, limited_by_destination, mismatched, cost)
SELECT
  account_id, at, test, key_id, sum(requested), sum(failed_attempts), sum(submitted), sum(delivered),
  sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key), sum(limited_by_destination), sum(mismatched),
  sum(cost)
FROM tally_day GROUP BY 1, 2, 3, 4;

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
