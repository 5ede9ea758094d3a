-- What became of the verifications requested from `at` on, for `width` ms. Recent buckets are narrow; the purge merges them
-- into wider ones. `carrier` is empty for what belongs to none. Of a whole account over months the index finds the rows.
-- `failed_attempts` are those that a carrier did not take: together with `submitted`, how often it was asked.
CREATE TABLE tally (
  width                  INTEGER NOT NULL,
  at                     INTEGER NOT NULL,
  account_id             TEXT NOT NULL,
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
  PRIMARY KEY (width, at, account_id, test, channel, country, carrier, key_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tally_account ON tally (account_id, width, at);

-- How long it took from the request to each stage: a histogram, without the keys. The stage comes early in the primary key,
-- so that a course over time is added up in the order of the rows.
CREATE TABLE latency_tally (
  width      INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  stage      TEXT NOT NULL,
  account_id TEXT NOT NULL,
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
  PRIMARY KEY (width, at, stage, account_id, test, channel, country, carrier)
) STRICT, WITHOUT ROWID;

CREATE INDEX latency_tally_account ON latency_tally (account_id, width, at);
