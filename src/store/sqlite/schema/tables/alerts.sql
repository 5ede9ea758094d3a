-- Alerts that may fire, fire or fired. `account_id` is empty for those of the installation. `firing_since` is null while it is not
-- bad for long enough, `good_since` while it is bad, `told_at` until somebody was told; `over_at` until it is over.
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

-- What is to be told, and to whom. `account_id` is empty for places that the configuration names; `target` is a person, an address
-- of the configuration, or empty for a webhook. `facts` is JSON for the text. `due_at` is null when nothing is left to do: sent if
-- `sent_at` is set, and otherwise given up. What went in one letter has the same `letter`.
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

-- Members who want mail to their own address.
CREATE TABLE alert_subscriber (
  account_id TEXT NOT NULL REFERENCES account (id),
  person_id  TEXT NOT NULL,
  since      INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;

-- The webhook of an account: address and secret, sealed together.
CREATE TABLE alert_webhook (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  sealed     TEXT NOT NULL,
  host       TEXT NOT NULL,
  added_by   TEXT NOT NULL,
  added_at   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Which node looks, and until when it may.
CREATE TABLE alert_turn (
  name    TEXT NOT NULL PRIMARY KEY,
  holder  TEXT NOT NULL,
  ends_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO alert_turn (name, holder, ends_at) VALUES ('turn', '', 0);
