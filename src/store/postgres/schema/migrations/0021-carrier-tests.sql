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
