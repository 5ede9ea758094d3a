-- What became of the verifications requested from `at` on, for `width` ms. Recent buckets are narrow; the purge merges them
-- into wider ones, and nobody else writes here. `carrier` is empty for what belongs to none. Counts are integers because
-- those are added up several times as fast as bigints.
-- `failed_attempts` are those that a carrier did not take: together with `submitted`, how often it was asked.
CREATE TABLE tally (
  width                  bigint NOT NULL,
  at                     bigint NOT NULL,
  account_id             text COLLATE "C" NOT NULL,
  test                   boolean NOT NULL,
  channel                text COLLATE "C" NOT NULL,
  country                text COLLATE "C" NOT NULL,
  carrier                text COLLATE "C" NOT NULL,
  key_id                 text COLLATE "C" NOT NULL,
  requested              integer NOT NULL,
  failed_attempts        integer NOT NULL DEFAULT 0,
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  PRIMARY KEY (width, at, account_id, test, channel, country, carrier, key_id)
) WITH (fillfactor = 80);

CREATE INDEX tally_account ON tally (account_id, width, at);

-- How long it took from the request to each stage: a histogram, without the keys. The stage comes early in the primary key,
-- so that a course over time is added up in the order of the rows.
CREATE TABLE latency_tally (
  width      bigint NOT NULL,
  at         bigint NOT NULL,
  stage      text COLLATE "C" NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  test       boolean NOT NULL,
  channel    text COLLATE "C" NOT NULL,
  country    text COLLATE "C" NOT NULL,
  carrier    text COLLATE "C" NOT NULL,
  bin_0      integer NOT NULL,
  bin_1      integer NOT NULL,
  bin_2      integer NOT NULL,
  bin_3      integer NOT NULL,
  bin_4      integer NOT NULL,
  bin_5      integer NOT NULL,
  bin_6      integer NOT NULL,
  bin_7      integer NOT NULL,
  bin_8      integer NOT NULL,
  bin_9      integer NOT NULL,
  bin_10     integer NOT NULL,
  bin_11     integer NOT NULL,
  bin_12     integer NOT NULL,
  bin_13     integer NOT NULL,
  bin_14     integer NOT NULL,
  PRIMARY KEY (width, at, stage, account_id, test, channel, country, carrier)
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
