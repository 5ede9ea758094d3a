ALTER TABLE attempt ADD COLUMN choice text, ADD COLUMN cost bigint NOT NULL DEFAULT 0;

-- What became of the verifications requested from `at` on, for `width` ms. Recent buckets are narrow; the purge merges them
-- into wider ones, and nobody else writes here. `carrier` is empty for what belongs to none.
CREATE TABLE tally (
  width                  bigint NOT NULL,
  at                     bigint NOT NULL,
  account_id             text COLLATE "C" NOT NULL,
  test                   boolean NOT NULL,
  channel                text COLLATE "C" NOT NULL,
  country                text COLLATE "C" NOT NULL,
  carrier                text COLLATE "C" NOT NULL,
  key_id                 text COLLATE "C" NOT NULL,
  requested              bigint NOT NULL,
  submitted              bigint NOT NULL,
  delivered              bigint NOT NULL,
  undelivered            bigint NOT NULL,
  failed                 bigint NOT NULL,
  confirmed              bigint NOT NULL,
  limited_by_key         bigint NOT NULL,
  limited_by_destination bigint NOT NULL,
  mismatched             bigint NOT NULL,
  cost                   bigint NOT NULL,
  PRIMARY KEY (width, at, account_id, test, channel, country, carrier, key_id)
) WITH (fillfactor = 80);

CREATE INDEX tally_account ON tally (account_id, width, at);

-- How long it took from the request to each stage: a histogram, without the keys.
CREATE TABLE latency_tally (
  width      bigint NOT NULL,
  at         bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  test       boolean NOT NULL,
  channel    text COLLATE "C" NOT NULL,
  country    text COLLATE "C" NOT NULL,
  carrier    text COLLATE "C" NOT NULL,
  stage      text COLLATE "C" NOT NULL,
  bin_0      bigint NOT NULL,
  bin_1      bigint NOT NULL,
  bin_2      bigint NOT NULL,
  bin_3      bigint NOT NULL,
  bin_4      bigint NOT NULL,
  bin_5      bigint NOT NULL,
  bin_6      bigint NOT NULL,
  bin_7      bigint NOT NULL,
  bin_8      bigint NOT NULL,
  bin_9      bigint NOT NULL,
  bin_10     bigint NOT NULL,
  bin_11     bigint NOT NULL,
  bin_12     bigint NOT NULL,
  bin_13     bigint NOT NULL,
  bin_14     bigint NOT NULL,
  PRIMARY KEY (width, at, account_id, test, channel, country, carrier, stage)
) WITH (fillfactor = 80);

CREATE INDEX latency_tally_account ON latency_tally (account_id, width, at);

-- What was counted since the last purge, a few rows for each batch: rows that nodes only add do not make them wait for one
-- another. `event` is a column of `tally`, `bin` that of `latency_tally` where the event has a latency. Read as a whole.
CREATE TABLE tally_event (
  at         bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  test       boolean NOT NULL,
  channel    text COLLATE "C" NOT NULL,
  country    text COLLATE "C" NOT NULL,
  carrier    text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  event      text COLLATE "C" NOT NULL,
  bin        integer,
  amount     bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1);

-- What was taken of a day's quota; `granted` is what its last taker got.
CREATE TABLE quota (
  name    text COLLATE "C" NOT NULL,
  day     integer NOT NULL,
  taken   bigint NOT NULL,
  granted bigint NOT NULL,
  PRIMARY KEY (name, day)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE carrier_state (
  node         text COLLATE "C" NOT NULL,
  carrier      text COLLATE "C" NOT NULL,
  breaker      text NOT NULL,
  error_reason text,
  error_at     bigint,
  at           bigint NOT NULL,
  PRIMARY KEY (node, carrier)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
