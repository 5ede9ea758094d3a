CREATE TABLE carrier_state (
  node         text COLLATE "C" NOT NULL,
  carrier      text COLLATE "C" NOT NULL,
  breaker      text NOT NULL,
  error_reason text,
  error_at     bigint,
  at           bigint NOT NULL,
  -- Receipts of the last hour that were of no use, counted by why, or null.
  unusable     jsonb,
  PRIMARY KEY (node, carrier)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- When a carrier may be sent its next message, in Unix ms with fractions, by the clock of the database.
CREATE TABLE carrier_schedule (
  carrier text COLLATE "C" PRIMARY KEY,
  next_at double precision NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- Tests of carriers. `id` is that of the verification that the message is. `key_hash` is that of an Idempotency-Key, or the id again.
-- Neither a number nor its hash is here: it is in the verification, sealed, and erased with it.
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

-- What tests lock, so that they are counted one after the other.
CREATE TABLE carrier_test_counter (
  name  text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);

INSERT INTO carrier_test_counter (name, value) VALUES ('tests', 0);
