-- Brings a store of version 0.2.0 (schema 10) here. What the new columns and tables are for, the files of `tables` say.

CREATE TABLE blocked_number (
  id            text COLLATE "C" PRIMARY KEY,
  account_id    text COLLATE "C" NOT NULL REFERENCES account (id),
  hash          text COLLATE "C" NOT NULL UNIQUE,
  number_sealed text NOT NULL,
  secret_id     text COLLATE "C" NOT NULL,
  source        text NOT NULL,
  created_at    bigint NOT NULL
);

CREATE INDEX blocked_number_account ON blocked_number (account_id, id);
CREATE INDEX blocked_number_secret ON blocked_number (secret_id, id);

CREATE TABLE blocked_range (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  prefix     text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, prefix)
);

CREATE TABLE budget_use (
  kind            text COLLATE "C" NOT NULL,
  subject         text COLLATE "C" NOT NULL,
  per             text COLLATE "C" NOT NULL,
  starts_at       bigint NOT NULL,
  ends_at         bigint NOT NULL,
  money           bigint NOT NULL DEFAULT 0,
  messages        bigint NOT NULL DEFAULT 0,
  warned_money    bigint NOT NULL DEFAULT 0,
  warned_messages bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject, per, starts_at)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE reservation (
  verification_id uuid PRIMARY KEY,
  charges         jsonb NOT NULL,
  prices          jsonb NOT NULL,
  held            bigint NOT NULL,
  spent           bigint,
  fence           integer NOT NULL,
  under_way       boolean NOT NULL,
  expires_at      bigint NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX reservation_expires ON reservation (expires_at);

CREATE TABLE guard_memory (
  bucket     bigint PRIMARY KEY,
  written_at bigint NOT NULL,
  learnt     text COLLATE "C" NOT NULL
);

CREATE UNLOGGED TABLE guard_news (
  sequence bigint PRIMARY KEY,
  node     text COLLATE "C" NOT NULL,
  at       bigint NOT NULL,
  learnt   text COLLATE "C" NOT NULL
);

CREATE TABLE guard_counter (
  name  text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);

INSERT INTO guard_counter (name, value) VALUES ('news', 0), ('rules', 0);

CREATE TABLE guard_rule (
  id           text COLLATE "C" PRIMARY KEY,
  account_id   text COLLATE "C" REFERENCES account (id),
  action       text COLLATE "C" NOT NULL CHECK (action IN ('allow', 'deny', 'pause')),
  subject      text COLLATE "C" NOT NULL CHECK (subject IN ('range', 'number', 'account', 'key', 'address')),
  value        text COLLATE "C" NOT NULL,
  value_sealed text COLLATE "C",
  ends_at      bigint,
  reason       text COLLATE "C" NOT NULL,
  made_by      text COLLATE "C" NOT NULL,
  created_at   bigint NOT NULL
);

CREATE TABLE guard_refusal (
  id         text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  channel    text COLLATE "C" NOT NULL,
  country    text COLLATE "C" NOT NULL,
  masked     text COLLATE "C" NOT NULL,
  place      text COLLATE "C" NOT NULL,
  rule       text COLLATE "C" NOT NULL,
  detail     text COLLATE "C" NOT NULL,
  enforced   bigint NOT NULL,
  saved      bigint
);

CREATE INDEX guard_refusal_account ON guard_refusal (account_id, at);
CREATE INDEX guard_refusal_place ON guard_refusal (account_id, place, at);
CREATE INDEX guard_refusal_at ON guard_refusal (at);

CREATE TABLE guard_day (
  day        bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  country    text COLLATE "C" NOT NULL,
  rule       text COLLATE "C" NOT NULL,
  enforced   bigint NOT NULL,
  requests   bigint NOT NULL,
  saved      bigint NOT NULL,
  PRIMARY KEY (day, account_id, country, rule, enforced)
);

CREATE TABLE guard_evidence (
  place         text COLLATE "C" NOT NULL,
  minute        bigint NOT NULL,
  sent          double precision NOT NULL,
  confirmed     double precision NOT NULL,
  odds          double precision NOT NULL,
  closes_at     double precision NOT NULL,
  closed        bigint NOT NULL,
  probes        bigint NOT NULL,
  next_probe_at bigint,
  PRIMARY KEY (place, minute)
);

CREATE INDEX guard_evidence_minute ON guard_evidence (minute);

CREATE TABLE guard_event (
  id         text COLLATE "C" PRIMARY KEY,
  at         bigint NOT NULL,
  name       text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  place      text COLLATE "C" NOT NULL,
  detail     text COLLATE "C" NOT NULL
);

CREATE INDEX guard_event_at ON guard_event (at);
CREATE INDEX guard_event_place ON guard_event (place, id);

CREATE UNLOGGED TABLE trace_link (
  name     text COLLATE "C" PRIMARY KEY,
  context  text COLLATE "C" NOT NULL,
  noted_at bigint NOT NULL
);

CREATE INDEX trace_link_noted ON trace_link (noted_at);

CREATE TABLE code_by_number (
  destination_hash text COLLATE "C" NOT NULL,
  verification_id  uuid NOT NULL,
  channel          text NOT NULL,
  expires_at       bigint NOT NULL,
  PRIMARY KEY (destination_hash, verification_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX code_by_number_expires ON code_by_number (expires_at);

CREATE TABLE webhook (
  id                     text COLLATE "C" PRIMARY KEY,
  account_id             text COLLATE "C" NOT NULL REFERENCES account (id),
  url                    text NOT NULL,
  types                  text NOT NULL,
  full_numbers           integer NOT NULL DEFAULT 0,
  secret_sealed          text NOT NULL,
  previous_secret_sealed text,
  previous_until         bigint,
  created_at             bigint NOT NULL,
  failing_since          bigint,
  last_success_at        bigint,
  last_failure_at        bigint,
  last_failure           text,
  disabled_at            bigint,
  disabled_why           text,
  leased_by              text,
  leased_until           bigint NOT NULL DEFAULT 0,
  fence                  integer NOT NULL DEFAULT 0
);

CREATE INDEX webhook_account ON webhook (account_id, id);

CREATE TABLE webhook_message (
  seq             bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
  id              text COLLATE "C" NOT NULL UNIQUE,
  webhook_id      text COLLATE "C" NOT NULL,
  type            text NOT NULL,
  verification_id text COLLATE "C",
  carrier         text,
  reason          text,
  channel         text,
  at              bigint NOT NULL,
  due_at          bigint,
  tries           integer NOT NULL DEFAULT 0,
  last_try_at     bigint,
  last_answer     text,
  failures        text,
  sent_at         bigint
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);

CREATE INDEX webhook_message_due ON webhook_message (webhook_id, due_at, seq) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_message_webhook ON webhook_message (webhook_id, seq);

CREATE TABLE webhook_expiry (
  expires_at      bigint NOT NULL,
  verification_id uuid NOT NULL,
  PRIMARY KEY (expires_at, verification_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE alert (
  id           text COLLATE "C" PRIMARY KEY,
  account_id   text COLLATE "C" NOT NULL,
  rule         text COLLATE "C" NOT NULL,
  subject      text COLLATE "C" NOT NULL,
  detail       text COLLATE "C" NOT NULL,
  place        text COLLATE "C" NOT NULL,
  bad_since    bigint NOT NULL,
  firing_since bigint,
  good_since   bigint,
  told_at      bigint,
  over_at      bigint
);

CREATE UNIQUE INDEX alert_standing ON alert (account_id, rule, subject) WHERE over_at IS NULL;
CREATE INDEX alert_over ON alert (account_id, over_at) WHERE over_at IS NOT NULL;

CREATE TABLE alert_notice (
  id          text COLLATE "C" PRIMARY KEY,
  alert_id    text COLLATE "C" NOT NULL,
  account_id  text COLLATE "C" NOT NULL,
  channel     text COLLATE "C" NOT NULL CHECK (channel IN ('email', 'webhook')),
  target      text COLLATE "C" NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  at          bigint NOT NULL,
  facts       text COLLATE "C" NOT NULL,
  due_at      bigint,
  tries       integer NOT NULL DEFAULT 0,
  last_try_at bigint,
  last_answer text COLLATE "C",
  sent_at     bigint,
  letter      text COLLATE "C"
);

CREATE INDEX alert_notice_due ON alert_notice (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX alert_notice_alert ON alert_notice (alert_id);
CREATE INDEX alert_notice_target ON alert_notice (account_id, channel, target, last_try_at);

CREATE TABLE alert_subscriber (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  person_id  text COLLATE "C" NOT NULL,
  since      bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);

CREATE TABLE alert_webhook (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  sealed     text COLLATE "C" NOT NULL,
  host       text COLLATE "C" NOT NULL,
  added_by   text COLLATE "C" NOT NULL,
  added_at   bigint NOT NULL
);

CREATE TABLE alert_turn (
  name    text COLLATE "C" PRIMARY KEY,
  holder  text COLLATE "C" NOT NULL,
  ends_at bigint NOT NULL
);

INSERT INTO alert_turn (name, holder, ends_at) VALUES ('turn', '', 0);

CREATE TABLE carrier_test (
  id         text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  carrier    text COLLATE "C" NOT NULL,
  channel    text NOT NULL,
  asked_by   text COLLATE "C" NOT NULL,
  asked_at   bigint NOT NULL,
  key_hash   text COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX carrier_test_key ON carrier_test (account_id, key_hash);
CREATE INDEX carrier_test_asked ON carrier_test (asked_at);

CREATE TABLE carrier_test_counter (
  name  text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);

INSERT INTO carrier_test_counter (name, value) VALUES ('tests', 0);

CREATE TABLE start_dismissal (
  account_id   text COLLATE "C" NOT NULL REFERENCES account (id),
  person_id    text COLLATE "C" NOT NULL,
  dismissed_at bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);

CREATE TABLE audit_head (
  account_id    text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  seq           bigint NOT NULL,
  hash          text NOT NULL,
  removed_seq   bigint NOT NULL DEFAULT 0,
  removed_hash  text NOT NULL DEFAULT '',
  removed_entry text
) WITH (fillfactor = 50);

-- next transaction
CREATE INDEX idempotency_verification ON idempotency (verification_id);

-- next transaction
ALTER TABLE installation ADD COLUMN senders_from uuid;

-- next transaction
ALTER TABLE attempt ADD COLUMN price bigint, ADD COLUMN currency text, ADD COLUMN network text, ADD COLUMN channel text;

-- next transaction
-- Who sent the message that somebody answers. Earlier days go without: to index all that is kept could take longer than a start
-- may, and would hold up the settlements of other nodes.
CREATE INDEX attempt_recipient ON ONLY attempt (carrier, recipient_tag, verification_id) WHERE recipient_tag IS NOT NULL;

DO $$
DECLARE
  today text := 'attempt_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD');
  part record;
  midnight bigint := extract(epoch FROM date_trunc('day', now() AT TIME ZONE 'UTC'))::bigint * 1000;
  has_earlier boolean := false;
BEGIN
  FOR part IN
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'attempt'::regclass
  LOOP
    IF part.relname >= today THEN
      EXECUTE format('CREATE INDEX %I ON %I (carrier, recipient_tag, verification_id) WHERE recipient_tag IS NOT NULL',
        part.relname || '_recipient', part.relname);
      EXECUTE format('ALTER INDEX attempt_recipient ATTACH PARTITION %I', part.relname || '_recipient');
    ELSE
      has_earlier := true;
    END IF;
  END LOOP;
  -- Last: every node writes to this row now and then.
  IF has_earlier THEN
    UPDATE installation SET senders_from = (lpad(to_hex(midnight), 12, '0') || repeat('0', 20))::uuid;
  END IF;
END
$$;

-- next transaction
ALTER TABLE verification
  ADD COLUMN client_network text,
  ADD COLUMN details_sealed text,
  ADD COLUMN brought boolean NOT NULL DEFAULT false,
  ADD COLUMN signals text,
  ADD COLUMN ended_at bigint;

-- next transaction
ALTER TABLE api_key ADD COLUMN custom_codes boolean NOT NULL DEFAULT false;

-- next transaction
ALTER TABLE audit_entry ADD COLUMN seq bigint, ADD COLUMN hash text;

-- The SHA-256 of a JSON array, byte for byte as the program makes it.
CREATE FUNCTION audit_hash(
  before text, seq bigint, account_id text, id text, at bigint, who text, address text, action text, subject text, detail text
) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(
    '[' || concat_ws(',',
      to_json(before)::text, seq::text, to_json(account_id)::text, to_json(id)::text, at::text, to_json(who)::text,
      coalesce(to_json(address)::text, 'null'), to_json(action)::text, to_json(subject)::text, to_json(detail)::text
    ) || ']', 'UTF8')), 'hex')
$$;

-- Chains what this transaction wrote: entries of others are chained, or not seen. Heads are locked in the order of their accounts,
-- so that no two transactions wait for each other.
CREATE FUNCTION chain_audit_entries() RETURNS void
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
DECLARE
  account text;
  entry audit_entry;
  head audit_head;
BEGIN
  FOR account IN SELECT DISTINCT account_id FROM audit_entry WHERE seq IS NULL ORDER BY account_id LOOP
    INSERT INTO audit_head AS held (account_id, seq, hash) VALUES (account, 0, '')
    ON CONFLICT (account_id) DO UPDATE SET seq = held.seq RETURNING * INTO head;
    FOR entry IN SELECT * FROM audit_entry WHERE account_id = account AND seq IS NULL ORDER BY id LOOP
      head.seq := head.seq + 1;
      head.hash := audit_hash(
        head.hash, head.seq, entry.account_id, entry.id, entry.at, entry.who, entry.address, entry.action, entry.subject,
        entry.detail);
      UPDATE audit_entry SET seq = head.seq, hash = head.hash WHERE account_id = account AND id = entry.id;
    END LOOP;
    UPDATE audit_head SET seq = head.seq, hash = head.hash WHERE account_id = account;
  END LOOP;
END
$$;

CREATE FUNCTION chain_audit_entries_of_transaction() RETURNS trigger
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
BEGIN
  -- The first of a transaction's entries chains all of them.
  IF EXISTS (SELECT FROM audit_entry WHERE account_id = NEW.account_id AND id = NEW.id AND seq IS NULL) THEN
    PERFORM chain_audit_entries();
  END IF;
  RETURN NULL;
END
$$;

-- What is there already is chained in the order of its ids, which is that of time: while nodes go on, in batches that begin where
-- the last one ended. What they write to accounts that it has passed is chained at the end.
CREATE TABLE audit_chain_progress (account_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL);
INSERT INTO audit_chain_progress (account_id, id) VALUES ('', '');

CREATE FUNCTION chain_earlier_entries(wanted integer) RETURNS boolean
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
DECLARE
  last audit_chain_progress;
  entry audit_entry;
  head audit_head;
  done integer := 0;
BEGIN
  SELECT * INTO last FROM audit_chain_progress;
  FOR entry IN
    SELECT * FROM audit_entry WHERE (account_id, id) > (last.account_id, last.id) ORDER BY account_id, id LIMIT wanted
    -- Not what a node deletes meanwhile: the chain would have a gap.
    FOR UPDATE
  LOOP
    IF head.account_id IS DISTINCT FROM entry.account_id THEN
      UPDATE audit_head SET seq = head.seq, hash = head.hash WHERE account_id = head.account_id;
      INSERT INTO audit_head AS held (account_id, seq, hash) VALUES (entry.account_id, 0, '')
      ON CONFLICT (account_id) DO UPDATE SET seq = held.seq RETURNING * INTO head;
    END IF;
    head.seq := head.seq + 1;
    head.hash := audit_hash(
      head.hash, head.seq, entry.account_id, entry.id, entry.at, entry.who, entry.address, entry.action, entry.subject,
      entry.detail);
    UPDATE audit_entry SET seq = head.seq, hash = head.hash WHERE account_id = entry.account_id AND id = entry.id;
    last.account_id := entry.account_id;
    last.id := entry.id;
    done := done + 1;
  END LOOP;
  UPDATE audit_head SET seq = head.seq, hash = head.hash WHERE account_id = head.account_id;
  UPDATE audit_chain_progress SET account_id = last.account_id, id = last.id;
  RETURN done > 0;
END
$$;

-- next transaction, again while it answers true
SELECT chain_earlier_entries(2000) AS more;

-- next transaction
CREATE INDEX audit_entry_seq ON audit_entry (account_id, seq, id);
CREATE INDEX audit_entry_unchained ON audit_entry (account_id, id) WHERE seq IS NULL;

-- next transaction
-- At the commit: the heads are the last rows that a transaction locks, and are held no longer than it commits. Also serves nodes
-- of the version before. An entry that is moved from another store brings its number and hash.
CREATE CONSTRAINT TRIGGER audit_entry_chained AFTER INSERT ON audit_entry
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.seq IS NULL)
EXECUTE FUNCTION chain_audit_entries_of_transaction();

SELECT chain_audit_entries();

DROP FUNCTION chain_earlier_entries(integer);
DROP TABLE audit_chain_progress;

-- next transaction
ALTER TABLE early_receipt ADD COLUMN price bigint, ADD COLUMN currency text, ADD COLUMN network text;

-- next transaction
ALTER TABLE delivery ADD COLUMN leg integer NOT NULL DEFAULT 0, ADD COLUMN fallback_at bigint;

CREATE INDEX delivery_fallback ON delivery (fallback_at) WHERE fallback_at IS NOT NULL;

-- next transaction
ALTER TABLE carrier_state ADD COLUMN unusable jsonb;

-- next transaction
CREATE TABLE tally_keyless_hour (
  account_id             text COLLATE "C" NOT NULL,
  at                     bigint NOT NULL,
  test                   boolean NOT NULL,
  channel                text COLLATE "C" NOT NULL,
  country                text COLLATE "C" NOT NULL,
  carrier                text COLLATE "C" NOT NULL,
  requested              integer NOT NULL,
  failed_attempts        integer NOT NULL,
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  PRIMARY KEY (account_id, at, test, channel, country, carrier)
) WITH (fillfactor = 80);

CREATE TABLE tally_keyless_day (
  account_id             text COLLATE "C" NOT NULL,
  at                     bigint NOT NULL,
  test                   boolean NOT NULL,
  channel                text COLLATE "C" NOT NULL,
  country                text COLLATE "C" NOT NULL,
  carrier                text COLLATE "C" NOT NULL,
  requested              integer NOT NULL,
  failed_attempts        integer NOT NULL,
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  PRIMARY KEY (account_id, at, test, channel, country, carrier)
) WITH (fillfactor = 80);

CREATE TABLE tally_key_day (
  account_id             text COLLATE "C" NOT NULL,
  at                     bigint NOT NULL,
  test                   boolean NOT NULL,
  key_id                 text COLLATE "C" NOT NULL,
  requested              integer NOT NULL,
  failed_attempts        integer NOT NULL,
  submitted              integer NOT NULL,
  delivered              integer NOT NULL,
  undelivered            integer NOT NULL,
  failed                 integer NOT NULL,
  confirmed              integer NOT NULL,
  limited_by_key         integer NOT NULL,
  limited_by_destination integer NOT NULL,
  mismatched             integer NOT NULL,
  cost                   bigint NOT NULL,
  PRIMARY KEY (account_id, at, test, key_id)
) WITH (fillfactor = 80);

CREATE FUNCTION add_to_narrow_tallies() RETURNS trigger
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tally_keyless_hour AS held (
      account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
      failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
    SELECT
      account_id, at, test, channel, country, carrier, sum(requested), sum(failed_attempts), sum(submitted),
      sum(delivered), sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key), sum(limited_by_destination),
      sum(mismatched), sum(cost)
    FROM added WHERE width = 3600000 GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, at, test, channel, country, carrier) DO UPDATE SET
      requested = held.requested + excluded.requested,
      failed_attempts = held.failed_attempts + excluded.failed_attempts,
      submitted = held.submitted + excluded.submitted, delivered = held.delivered + excluded.delivered,
      undelivered = held.undelivered + excluded.undelivered, failed = held.failed + excluded.failed,
      confirmed = held.confirmed + excluded.confirmed, limited_by_key = held.limited_by_key + excluded.limited_by_key,
      limited_by_destination = held.limited_by_destination + excluded.limited_by_destination,
      mismatched = held.mismatched + excluded.mismatched, cost = held.cost + excluded.cost;
    INSERT INTO tally_keyless_day AS held (
      account_id, at, test, channel, country, carrier, requested, failed_attempts, submitted, delivered, undelivered,
      failed, confirmed, limited_by_key, limited_by_destination, mismatched, cost)
    SELECT
      account_id, at - at % 86400000, test, channel, country, carrier, sum(requested), sum(failed_attempts),
      sum(submitted), sum(delivered), sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key),
      sum(limited_by_destination), sum(mismatched), sum(cost)
    FROM added WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (account_id, at, test, channel, country, carrier) DO UPDATE SET
      requested = held.requested + excluded.requested,
      failed_attempts = held.failed_attempts + excluded.failed_attempts,
      submitted = held.submitted + excluded.submitted, delivered = held.delivered + excluded.delivered,
      undelivered = held.undelivered + excluded.undelivered, failed = held.failed + excluded.failed,
      confirmed = held.confirmed + excluded.confirmed, limited_by_key = held.limited_by_key + excluded.limited_by_key,
      limited_by_destination = held.limited_by_destination + excluded.limited_by_destination,
      mismatched = held.mismatched + excluded.mismatched, cost = held.cost + excluded.cost;
    INSERT INTO tally_key_day AS held (
      account_id, at, test, key_id, requested, failed_attempts, submitted, delivered, undelivered, failed, confirmed,
      limited_by_key, limited_by_destination, mismatched, cost)
    SELECT
      account_id, at - at % 86400000, test, key_id, sum(requested), sum(failed_attempts), sum(submitted),
      sum(delivered), sum(undelivered), sum(failed), sum(confirmed), sum(limited_by_key), sum(limited_by_destination),
      sum(mismatched), sum(cost)
    FROM added WHERE width <> 10000 GROUP BY 1, 2, 3, 4
    ON CONFLICT (account_id, at, test, key_id) DO UPDATE SET
      requested = held.requested + excluded.requested,
      failed_attempts = held.failed_attempts + excluded.failed_attempts,
      submitted = held.submitted + excluded.submitted, delivered = held.delivered + excluded.delivered,
      undelivered = held.undelivered + excluded.undelivered, failed = held.failed + excluded.failed,
      confirmed = held.confirmed + excluded.confirmed, limited_by_key = held.limited_by_key + excluded.limited_by_key,
      limited_by_destination = held.limited_by_destination + excluded.limited_by_destination,
      mismatched = held.mismatched + excluded.mismatched, cost = held.cost + excluded.cost;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    UPDATE tally_keyless_hour AS held SET
      requested = held.requested - gone.requested, failed_attempts = held.failed_attempts - gone.failed_attempts,
      submitted = held.submitted - gone.submitted, delivered = held.delivered - gone.delivered,
      undelivered = held.undelivered - gone.undelivered, failed = held.failed - gone.failed,
      confirmed = held.confirmed - gone.confirmed, limited_by_key = held.limited_by_key - gone.limited_by_key,
      limited_by_destination = held.limited_by_destination - gone.limited_by_destination,
      mismatched = held.mismatched - gone.mismatched, cost = held.cost - gone.cost
    FROM (
      SELECT
        account_id, at, test, channel, country, carrier, sum(requested) AS requested,
        sum(failed_attempts) AS failed_attempts, sum(submitted) AS submitted, sum(delivered) AS delivered,
        sum(undelivered) AS undelivered, sum(failed) AS failed, sum(confirmed) AS confirmed,
        sum(limited_by_key) AS limited_by_key, sum(limited_by_destination) AS limited_by_destination,
        sum(mismatched) AS mismatched, sum(cost) AS cost
      FROM removed WHERE width = 3600000 GROUP BY 1, 2, 3, 4, 5, 6
    ) AS gone
    WHERE (held.account_id, held.at, held.test, held.channel, held.country, held.carrier)
      = (gone.account_id, gone.at, gone.test, gone.channel, gone.country, gone.carrier);
    DELETE FROM tally_keyless_hour AS held
    USING (SELECT DISTINCT account_id, at FROM removed WHERE width = 3600000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
      AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
    UPDATE tally_keyless_day AS held SET
      requested = held.requested - gone.requested, failed_attempts = held.failed_attempts - gone.failed_attempts,
      submitted = held.submitted - gone.submitted, delivered = held.delivered - gone.delivered,
      undelivered = held.undelivered - gone.undelivered, failed = held.failed - gone.failed,
      confirmed = held.confirmed - gone.confirmed, limited_by_key = held.limited_by_key - gone.limited_by_key,
      limited_by_destination = held.limited_by_destination - gone.limited_by_destination,
      mismatched = held.mismatched - gone.mismatched, cost = held.cost - gone.cost
    FROM (
      SELECT
        account_id, at - at % 86400000 AS at, test, channel, country, carrier, sum(requested) AS requested,
        sum(failed_attempts) AS failed_attempts, sum(submitted) AS submitted, sum(delivered) AS delivered,
        sum(undelivered) AS undelivered, sum(failed) AS failed, sum(confirmed) AS confirmed,
        sum(limited_by_key) AS limited_by_key, sum(limited_by_destination) AS limited_by_destination,
        sum(mismatched) AS mismatched, sum(cost) AS cost
      FROM removed WHERE width <> 10000 GROUP BY 1, 2, 3, 4, 5, 6
    ) AS gone
    WHERE (held.account_id, held.at, held.test, held.channel, held.country, held.carrier)
      = (gone.account_id, gone.at, gone.test, gone.channel, gone.country, gone.carrier);
    DELETE FROM tally_keyless_day AS held
    USING (SELECT DISTINCT account_id, at - at % 86400000 AS at FROM removed WHERE width <> 10000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
      AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
    UPDATE tally_key_day AS held SET
      requested = held.requested - gone.requested, failed_attempts = held.failed_attempts - gone.failed_attempts,
      submitted = held.submitted - gone.submitted, delivered = held.delivered - gone.delivered,
      undelivered = held.undelivered - gone.undelivered, failed = held.failed - gone.failed,
      confirmed = held.confirmed - gone.confirmed, limited_by_key = held.limited_by_key - gone.limited_by_key,
      limited_by_destination = held.limited_by_destination - gone.limited_by_destination,
      mismatched = held.mismatched - gone.mismatched, cost = held.cost - gone.cost
    FROM (
      SELECT
        account_id, at - at % 86400000 AS at, test, key_id, sum(requested) AS requested,
        sum(failed_attempts) AS failed_attempts, sum(submitted) AS submitted, sum(delivered) AS delivered,
        sum(undelivered) AS undelivered, sum(failed) AS failed, sum(confirmed) AS confirmed,
        sum(limited_by_key) AS limited_by_key, sum(limited_by_destination) AS limited_by_destination,
        sum(mismatched) AS mismatched, sum(cost) AS cost
      FROM removed WHERE width <> 10000 GROUP BY 1, 2, 3, 4
    ) AS gone
    WHERE (held.account_id, held.at, held.test, held.key_id)
      = (gone.account_id, gone.at, gone.test, gone.key_id);
    DELETE FROM tally_key_day AS held
    USING (SELECT DISTINCT account_id, at - at % 86400000 AS at FROM removed WHERE width <> 10000) AS gone
    WHERE (held.account_id, held.at) = (gone.account_id, gone.at)
      AND requested = 0 AND failed_attempts = 0 AND submitted = 0 AND delivered = 0 AND undelivered = 0 AND failed = 0
      AND confirmed = 0 AND limited_by_key = 0 AND limited_by_destination = 0 AND mismatched = 0 AND cost = 0;
  END IF;
  RETURN NULL;
END
$$;

CREATE TRIGGER tally_narrow_added AFTER INSERT ON tally
REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_narrow_tallies();
CREATE TRIGGER tally_narrow_changed AFTER UPDATE ON tally
REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_to_narrow_tallies();
CREATE TRIGGER tally_narrow_removed AFTER DELETE ON tally
REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION add_to_narrow_tallies();

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
