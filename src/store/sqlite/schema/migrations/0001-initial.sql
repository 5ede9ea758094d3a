-- Times are Unix milliseconds. Codes, destinations and messages are sealed or hashed before they come here.

CREATE TABLE account (
  id         TEXT NOT NULL PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  id           TEXT NOT NULL PRIMARY KEY,
  account_id   TEXT NOT NULL REFERENCES account (id),
  name         TEXT NOT NULL,
  test         INTEGER NOT NULL,
  prefix       TEXT NOT NULL UNIQUE,
  hash         TEXT NOT NULL UNIQUE,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at   INTEGER
) STRICT, WITHOUT ROWID;

-- A table with a rowid: rows are wide, and with rowids in order of time the purge finds the oldest without an index.
-- The queue is part of it: due_at is lease and schedule in one, when somebody may (again) take the delivery up, and null
-- when there is nothing left to send; then code_sealed is erased, too, unless the simulator delivered it (inbox_at).
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
  code_sealed               TEXT,
  guesses_left              INTEGER NOT NULL,
  state                     TEXT NOT NULL DEFAULT 'queued',
  carrier                   TEXT,
  due_at                    INTEGER,
  fence                     INTEGER NOT NULL DEFAULT 0,
  rounds                    INTEGER NOT NULL DEFAULT 0,
  inbox_at                  INTEGER,
  created_at                INTEGER NOT NULL,
  expires_at                INTEGER NOT NULL,
  confirmed_at              INTEGER
) STRICT;

-- Hashes are random, so an index led by them would touch a cold page at each insert once it outgrows the cache.
-- Led by the day, inserts stay within one day's warm part, however many days are kept. Answers the send limits alone.
CREATE INDEX verification_destination ON verification (created_at / 86400000, destination_hash, created_at);

CREATE INDEX verification_due ON verification (due_at, expires_at) WHERE due_at IS NOT NULL;

-- Entries of an account stand in the order of their rowids, so its newest messages are the last.
CREATE INDEX verification_inbox ON verification (account_id) WHERE inbox_at IS NOT NULL;

CREATE TABLE attempt (
  verification_id TEXT NOT NULL,
  number          INTEGER NOT NULL,
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
  PRIMARY KEY (verification_id, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX attempt_reference ON attempt (ended_at / 86400000, carrier, reference) WHERE reference IS NOT NULL;

-- Receipts that overtook our own write of the carrier's reference; one row for each spelling of it.
CREATE TABLE early_receipt (
  receipt_id     TEXT NOT NULL,
  carrier        TEXT NOT NULL,
  reference      TEXT NOT NULL,
  recipient_tags TEXT NOT NULL,
  status         TEXT NOT NULL,
  reason         TEXT,
  received_at    INTEGER NOT NULL
) STRICT;

CREATE INDEX early_receipt_reference ON early_receipt (carrier, reference);
CREATE INDEX early_receipt_id ON early_receipt (receipt_id);

-- One row for each failed guess: the budget of a destination counts them over all its codes.
CREATE TABLE failed_guess (
  day              INTEGER NOT NULL,
  destination_hash TEXT NOT NULL,
  verification_id  TEXT NOT NULL,
  guesses_left     INTEGER NOT NULL,
  failed_at        INTEGER NOT NULL,
  PRIMARY KEY (day, destination_hash, verification_id, guesses_left)
) STRICT, WITHOUT ROWID;

-- A limit of `max` requests in any window is a ring of `max` times: a request takes the oldest place if that has
-- left the window. Exact for every window at the cost of two small writes, whatever `max` is.
CREATE TABLE request_ring (
  key_id    TEXT NOT NULL,
  max       INTEGER NOT NULL,
  window_ms INTEGER NOT NULL,
  requests  INTEGER NOT NULL,
  PRIMARY KEY (key_id, max, window_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE request_place (
  key_id       TEXT NOT NULL,
  max          INTEGER NOT NULL,
  window_ms    INTEGER NOT NULL,
  place        INTEGER NOT NULL,
  requested_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, max, window_ms, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE idempotency (
  account_id      TEXT NOT NULL,
  key_hash        TEXT NOT NULL,
  body_hash       TEXT NOT NULL,
  verification_id TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  UNIQUE (account_id, key_hash)
) STRICT;
