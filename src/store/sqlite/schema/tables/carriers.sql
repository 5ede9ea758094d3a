CREATE TABLE carrier_state (
  node         TEXT NOT NULL,
  carrier      TEXT NOT NULL,
  breaker      TEXT NOT NULL,
  error_reason TEXT,
  error_at     INTEGER,
  at           INTEGER NOT NULL,
  -- Receipts of the last hour that were of no use, counted by why: a JSON object, or null.
  unusable     TEXT,
  PRIMARY KEY (node, carrier)
) STRICT, WITHOUT ROWID;

-- Tests of carriers. `id` is that of the verification that the message is. `key_hash` is that of an Idempotency-Key, or the id again.
-- Neither a number nor its hash is here: it is in the verification, sealed, and erased with it.
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

-- What tests lock, so that they are counted one after the other.
CREATE TABLE carrier_test_counter (
  name  TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO carrier_test_counter (name, value) VALUES ('tests', 0);
