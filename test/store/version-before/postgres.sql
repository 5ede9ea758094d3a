-- The tables of version 0.2.0 (schema 10).

CREATE TABLE account (
  id         text COLLATE "C" PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL
);

CREATE TABLE api_key (
  id             text COLLATE "C" PRIMARY KEY,
  account_id     text COLLATE "C" NOT NULL REFERENCES account (id),
  name           text NOT NULL,
  test           boolean NOT NULL,
  prefix         text COLLATE "C" NOT NULL UNIQUE,
  hash           text COLLATE "C" NOT NULL UNIQUE,
  created_at     bigint NOT NULL,
  last_used_at   bigint,
  revoked_at     bigint,
  expires_at     bigint,
  created_by     text,
  last_used_from text,
  restrictions   text NOT NULL DEFAULT '{"channels":[],"countries":[],"sources":[]}',
  replaced_by    text
);

CREATE INDEX api_key_account ON api_key (account_id);

CREATE TABLE account_setting (
  account_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES account (id),
  settings   text NOT NULL
);

CREATE TABLE installation (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  keys_revision bigint NOT NULL DEFAULT 0,
  probed_at     bigint NOT NULL DEFAULT 0
);
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE verification (
  id                        uuid PRIMARY KEY,
  account_id                text COLLATE "C" NOT NULL,
  key_id                    text COLLATE "C" NOT NULL,
  test                      boolean NOT NULL,
  channel                   text NOT NULL,
  country                   text NOT NULL,
  destination_hash          text COLLATE "C" NOT NULL,
  previous_destination_hash text COLLATE "C",
  destination_sealed        text NOT NULL,
  code_mac                  text COLLATE "C" NOT NULL,
  guesses_left              integer NOT NULL,
  created_at                bigint NOT NULL,
  expires_at                bigint NOT NULL,
  confirmed_at              bigint
) PARTITION BY RANGE (id);

CREATE TABLE attempt (
  verification_id uuid NOT NULL,
  fence           integer NOT NULL,
  position        integer NOT NULL,
  carrier         text COLLATE "C" NOT NULL,
  started_at      bigint NOT NULL,
  ended_at        bigint NOT NULL,
  outcome         text NOT NULL,
  reference       text COLLATE "C",
  recipient_tag   text COLLATE "C",
  reason          text,
  receipt         text,
  receipt_reason  text,
  receipt_at      bigint,
  choice          text,
  cost            bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (verification_id, fence, position)
) PARTITION BY RANGE (verification_id);

CREATE INDEX attempt_reference ON attempt (carrier, reference) WHERE reference IS NOT NULL;

CREATE TABLE inbox_message (
  account_id       text COLLATE "C" NOT NULL,
  verification_id  uuid NOT NULL,
  destination_hash text COLLATE "C" NOT NULL,
  code_sealed      text NOT NULL,
  received_at      bigint NOT NULL,
  PRIMARY KEY (account_id, verification_id)
) PARTITION BY RANGE (verification_id);

CREATE INDEX inbox_message_destination ON inbox_message (destination_hash, account_id);

CREATE TABLE delivery (
  verification_id uuid PRIMARY KEY,
  code_sealed     text NOT NULL,
  due_at          bigint NOT NULL,
  expires_at      bigint NOT NULL,
  fence           integer NOT NULL DEFAULT 0,
  rounds          integer NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1);

CREATE INDEX delivery_due ON delivery (due_at);

CREATE TABLE destination (
  hash     text COLLATE "C" PRIMARY KEY,
  sends    bigint[] NOT NULL,
  failures bigint[] NOT NULL DEFAULT '{}',
  granted  integer NOT NULL DEFAULT 0,
  last_day bigint NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX destination_last_day ON destination (last_day);

CREATE TABLE key_usage (
  key_id   text COLLATE "C" PRIMARY KEY,
  requests bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE request_log (
  key_id       text COLLATE "C" NOT NULL,
  first_number bigint NOT NULL,
  last_number  bigint NOT NULL,
  requested_at bigint NOT NULL,
  PRIMARY KEY (key_id, last_number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE idempotency (
  account_id         text COLLATE "C" NOT NULL,
  key_hash           text COLLATE "C" NOT NULL,
  body_hash          text COLLATE "C" NOT NULL,
  verification_id    uuid NOT NULL,
  created_at         bigint NOT NULL,
  attempts_remaining integer,
  PRIMARY KEY (account_id, key_hash)
);

CREATE INDEX idempotency_created ON idempotency (created_at);

CREATE TABLE early_receipt (
  carrier        text COLLATE "C" NOT NULL,
  reference      text COLLATE "C" NOT NULL,
  receipt_id     uuid NOT NULL,
  spellings      text[] NOT NULL,
  recipient_tags text[] NOT NULL,
  status         text NOT NULL,
  reason         text,
  received_at    bigint NOT NULL,
  PRIMARY KEY (carrier, reference, receipt_id)
);

CREATE INDEX early_receipt_received ON early_receipt (received_at);

CREATE TABLE carrier_schedule (
  carrier text COLLATE "C" PRIMARY KEY,
  next_at double precision NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

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
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  failed_attempts        integer NOT NULL DEFAULT 0,
  PRIMARY KEY (width, at, account_id, test, channel, country, carrier, key_id)
) WITH (fillfactor = 80);

CREATE INDEX tally_account ON tally (account_id, width, at);

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

CREATE TABLE person (
  id         text COLLATE "C" PRIMARY KEY,
  -- In lower case.
  email      text COLLATE "C" NOT NULL UNIQUE,
  name       text NOT NULL,
  -- Null for who signs in by single sign-on alone.
  password   text,
  created_at bigint NOT NULL,
  devices    text COLLATE "C" NOT NULL DEFAULT ''
);

CREATE TABLE passkey (
  id           text COLLATE "C" PRIMARY KEY,
  person_id    text COLLATE "C" NOT NULL REFERENCES person (id),
  name         text NOT NULL,
  public_key   text NOT NULL,
  counter      bigint NOT NULL,
  transports   text NOT NULL,
  created_at   bigint NOT NULL,
  last_used_at bigint
);

CREATE INDEX passkey_person ON passkey (person_id);

CREATE TABLE totp (
  person_id    text COLLATE "C" PRIMARY KEY REFERENCES person (id),
  sealed       text NOT NULL,
  last_step    bigint NOT NULL,
  confirmed_at bigint
);

CREATE TABLE recovery_code (
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  hash      text COLLATE "C" NOT NULL,
  PRIMARY KEY (person_id, hash)
);

CREATE TABLE session (
  hash         text COLLATE "C" PRIMARY KEY,
  id           text COLLATE "C" NOT NULL UNIQUE,
  person_id    text COLLATE "C" NOT NULL REFERENCES person (id),
  method       text NOT NULL,
  address      text NOT NULL,
  agent        text NOT NULL,
  created_at   bigint NOT NULL,
  last_used_at bigint NOT NULL,
  proven_at    bigint NOT NULL DEFAULT 0
);

CREATE INDEX session_person ON session (person_id);
CREATE INDEX session_last_used ON session (last_used_at);

CREATE TABLE member (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  person_id  text COLLATE "C" NOT NULL REFERENCES person (id),
  role       text NOT NULL,
  since      bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);

CREATE INDEX member_person ON member (person_id);

CREATE TABLE invitation (
  id         text COLLATE "C" PRIMARY KEY,
  hash       text COLLATE "C" NOT NULL UNIQUE,
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  email      text COLLATE "C" NOT NULL,
  role       text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  UNIQUE (account_id, email)
);

CREATE INDEX invitation_expires ON invitation (expires_at);

CREATE TABLE one_time (
  hash       text COLLATE "C" PRIMARY KEY,
  purpose    text NOT NULL,
  person_id  text COLLATE "C" REFERENCES person (id),
  expires_at bigint NOT NULL
);

CREATE INDEX one_time_expires ON one_time (expires_at);
CREATE INDEX one_time_person ON one_time (person_id);

CREATE TABLE throttle (
  subject   text COLLATE "C" PRIMARY KEY,
  guesses   bigint NOT NULL,
  next_at   bigint NOT NULL,
  forget_at bigint NOT NULL
);

CREATE INDEX throttle_forget ON throttle (forget_at);

CREATE TABLE audit_entry (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  id         text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  who        text NOT NULL,
  address    text,
  action     text NOT NULL,
  subject    text NOT NULL,
  detail     text NOT NULL,
  times      bigint NOT NULL DEFAULT 1,
  PRIMARY KEY (account_id, id)
);

CREATE INDEX audit_entry_at ON audit_entry (at);

CREATE TABLE identity (
  issuer       text COLLATE "C" NOT NULL,
  subject      text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL UNIQUE,
  person_id    text COLLATE "C" NOT NULL REFERENCES person (id),
  created_at   bigint NOT NULL,
  last_used_at bigint NOT NULL,
  PRIMARY KEY (issuer, subject),
  -- Whoever is given the address of somebody that left is not them.
  UNIQUE (person_id, issuer)
);

CREATE TABLE tally_day (
  account_id             text COLLATE "C" NOT NULL,
  at                     bigint NOT NULL,
  test                   boolean NOT NULL,
  channel                text COLLATE "C" NOT NULL,
  country                text COLLATE "C" NOT NULL,
  carrier                text COLLATE "C" NOT NULL,
  key_id                 text COLLATE "C" NOT NULL,
  requested              integer NOT NULL,
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  failed_attempts        integer NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, at, test, channel, country, carrier, key_id)
) WITH (fillfactor = 80);

CREATE FUNCTION add_to_tally_day() RETURNS trigger
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_day AS held (
      account_id, at, test, channel, country, carrier, key_id, requested, failed_attempts, submitted, delivered,
      undelivered, failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
    SELECT
      account_id, at - at % 86400000, test, channel, country, carrier, key_id, sum(requested),
      sum(failed_attempts), sum(submitted), sum(delivered), sum(undelivered), sum(failed), sum(confirmed),
      sum(limited_by_key), sum(limited_by_destination), sum(mismatched), sum(cost)
    FROM added WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (account_id, at, test, channel, country, carrier, key_id) DO UPDATE SET
      requested = held.requested + excluded.requested,
      failed_attempts = held.failed_attempts + excluded.failed_attempts, submitted = held.submitted + excluded.submitted,
      delivered = held.delivered + excluded.delivered, undelivered = held.undelivered + excluded.undelivered,
      failed = held.failed + excluded.failed, confirmed = held.confirmed + excluded.confirmed,
      limited_by_key = held.limited_by_key + excluded.limited_by_key,
      limited_by_destination = held.limited_by_destination + excluded.limited_by_destination,
      mismatched = held.mismatched + excluded.mismatched, cost = held.cost + excluded.cost;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE tally_day AS held SET
      requested = held.requested - gone.requested,
      failed_attempts = held.failed_attempts - gone.failed_attempts, submitted = held.submitted - gone.submitted,
      delivered = held.delivered - gone.delivered, undelivered = held.undelivered - gone.undelivered,
      failed = held.failed - gone.failed, confirmed = held.confirmed - gone.confirmed,
      limited_by_key = held.limited_by_key - gone.limited_by_key,
      limited_by_destination = held.limited_by_destination - gone.limited_by_destination,
      mismatched = held.mismatched - gone.mismatched, cost = held.cost - gone.cost
    FROM (
      SELECT
        account_id, at - at % 86400000 AS at, test, channel, country, carrier, key_id, sum(requested) AS requested,
        sum(failed_attempts) AS failed_attempts, sum(submitted) AS submitted, sum(delivered) AS delivered,
        sum(undelivered) AS undelivered, sum(failed) AS failed, sum(confirmed) AS confirmed,
        sum(limited_by_key) AS limited_by_key, sum(limited_by_destination) AS limited_by_destination, sum(mismatched) AS mismatched, sum(cost) AS cost
      FROM removed WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6, 7
    ) AS gone
    WHERE (held.account_id, held.at, held.test, held.channel, held.country, held.carrier, held.key_id)
      = (gone.account_id, gone.at, gone.test, gone.channel, gone.country, gone.carrier, gone.key_id);
    DELETE FROM tally_day AS held
    USING (SELECT DISTINCT account_id, at - at % 86400000 AS at FROM removed WHERE width <> 10000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
      AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER tally_added AFTER INSERT ON tally
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_tally_day();
CREATE TRIGGER tally_changed AFTER UPDATE ON tally
REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_tally_day();
CREATE TRIGGER tally_removed AFTER DELETE ON tally
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION add_to_tally_day();

CREATE TABLE latency_tally_day (
  account_id text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  stage      text COLLATE "C" NOT NULL,
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
  PRIMARY KEY (account_id, at, stage, test, channel, country, carrier)
) WITH (fillfactor = 80);

CREATE FUNCTION add_to_latency_tally_day() RETURNS trigger
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO latency_tally_day AS held (
      account_id, at, stage, test, channel, country, carrier, bin_0, bin_1, bin_2, bin_3, bin_4, bin_5, bin_6, bin_7,
      bin_8, bin_9, bin_10, bin_11, bin_12, bin_13, bin_14)
    SELECT
      account_id, at - at % 86400000, stage, test, channel, country, carrier, sum(bin_0), sum(bin_1), sum(bin_2),
      sum(bin_3), sum(bin_4), sum(bin_5), sum(bin_6), sum(bin_7), sum(bin_8), sum(bin_9), sum(bin_10), sum(bin_11),
      sum(bin_12), sum(bin_13), sum(bin_14)
    FROM added WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (account_id, at, stage, test, channel, country, carrier) DO UPDATE SET
      bin_0 = held.bin_0 + excluded.bin_0, bin_1 = held.bin_1 + excluded.bin_1, bin_2 = held.bin_2 + excluded.bin_2,
      bin_3 = held.bin_3 + excluded.bin_3, bin_4 = held.bin_4 + excluded.bin_4, bin_5 = held.bin_5 + excluded.bin_5,
      bin_6 = held.bin_6 + excluded.bin_6, bin_7 = held.bin_7 + excluded.bin_7, bin_8 = held.bin_8 + excluded.bin_8,
      bin_9 = held.bin_9 + excluded.bin_9, bin_10 = held.bin_10 + excluded.bin_10, bin_11 = held.bin_11 + excluded.bin_11,
      bin_12 = held.bin_12 + excluded.bin_12, bin_13 = held.bin_13 + excluded.bin_13,
      bin_14 = held.bin_14 + excluded.bin_14;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE latency_tally_day AS held SET
      bin_0 = held.bin_0 - gone.bin_0, bin_1 = held.bin_1 - gone.bin_1, bin_2 = held.bin_2 - gone.bin_2,
      bin_3 = held.bin_3 - gone.bin_3, bin_4 = held.bin_4 - gone.bin_4, bin_5 = held.bin_5 - gone.bin_5,
      bin_6 = held.bin_6 - gone.bin_6, bin_7 = held.bin_7 - gone.bin_7, bin_8 = held.bin_8 - gone.bin_8,
      bin_9 = held.bin_9 - gone.bin_9, bin_10 = held.bin_10 - gone.bin_10, bin_11 = held.bin_11 - gone.bin_11,
      bin_12 = held.bin_12 - gone.bin_12, bin_13 = held.bin_13 - gone.bin_13, bin_14 = held.bin_14 - gone.bin_14
    FROM (
      SELECT
        account_id, at - at % 86400000 AS at, stage, test, channel, country, carrier, sum(bin_0) AS bin_0,
        sum(bin_1) AS bin_1, sum(bin_2) AS bin_2, sum(bin_3) AS bin_3, sum(bin_4) AS bin_4, sum(bin_5) AS bin_5,
        sum(bin_6) AS bin_6, sum(bin_7) AS bin_7, sum(bin_8) AS bin_8, sum(bin_9) AS bin_9, sum(bin_10) AS bin_10,
        sum(bin_11) AS bin_11, sum(bin_12) AS bin_12, sum(bin_13) AS bin_13, sum(bin_14) AS bin_14
      FROM removed WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6, 7
    ) AS gone
    WHERE (held.account_id, held.at, held.stage, held.test, held.channel, held.country, held.carrier)
      = (gone.account_id, gone.at, gone.stage, gone.test, gone.channel, gone.country, gone.carrier);
    DELETE FROM latency_tally_day AS held
    USING (SELECT DISTINCT account_id, at - at % 86400000 AS at FROM removed WHERE width <> 10000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND bin_0 = 0 AND bin_1 = 0 AND bin_2 = 0 AND bin_3 = 0 AND bin_4 = 0 AND bin_5 = 0 AND bin_6 = 0
      AND bin_7 = 0 AND bin_8 = 0 AND bin_9 = 0 AND bin_10 = 0 AND bin_11 = 0 AND bin_12 = 0 AND bin_13 = 0
      AND bin_14 = 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER latency_tally_added AFTER INSERT ON latency_tally
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_latency_tally_day();
CREATE TRIGGER latency_tally_changed AFTER UPDATE ON latency_tally
REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_latency_tally_day();
CREATE TRIGGER latency_tally_removed AFTER DELETE ON latency_tally
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION add_to_latency_tally_day();
