-- Written when it is issued, when a guess is judged and when its account says what it was, and never for what becomes of the message: that is what its attempts say.
-- A table with a rowid: rows are wide, and with rowids in order of time the purge finds the oldest without an index.
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
  guesses_left              INTEGER NOT NULL,
  created_at                INTEGER NOT NULL,
  expires_at                INTEGER NOT NULL,
  confirmed_at              INTEGER,
  -- When it was ended before its time: canceled, or another code of its number was confirmed. This is a state: no clock takes
  -- it back. `expires_at` is `created_at` then, for whoever compares only times.
  ended_at                  INTEGER,
  -- Whether it may be confirmed by its number.
  by_number                 INTEGER NOT NULL DEFAULT 0,
  -- The client brought the code, and may have it confirmed elsewhere.
  brought                   INTEGER NOT NULL DEFAULT 0,
  -- Keyed hash of the network of the person's device; null if the client did not say.
  client_network            TEXT,
  -- JSON of what is known of the person's device, hashed or cut.
  signals                   TEXT,
  -- Wording and metadata, in one sealed text.
  details_sealed            TEXT,
  -- What its account said of it, `fraud` or `good`, when, and how many codes that counts in the guard. All null if nothing.
  verdict                   TEXT,
  verdict_at                INTEGER,
  verdict_weight            INTEGER
) STRICT;

-- Hashes are random, so an index led by them would touch a cold page at each insert once it outgrows the cache.
-- Led by the day, inserts stay within one day's warm part, however many days are kept. Answers the send limits alone.
CREATE INDEX verification_destination ON verification (created_at / 86400000, destination_hash, created_at);

-- What is left of erased verifications, for the purge; it holds no other row.
CREATE INDEX verification_erased ON verification (created_at) WHERE account_id = '';

-- A round of attempts has one fence, so that a settlement written twice is written once.
CREATE TABLE attempt (
  verification_id TEXT NOT NULL,
  fence           INTEGER NOT NULL,
  position        INTEGER NOT NULL,
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
  choice          TEXT,
  cost            INTEGER NOT NULL DEFAULT 0,
  -- What its receipt says about the price, in millionths, and about the network of the telephone. No currency is the configured one:
  -- the price is then the cost of the attempt, too.
  price           INTEGER,
  currency        TEXT,
  network         TEXT,
  -- Null: that of the verification.
  channel         TEXT,
  PRIMARY KEY (verification_id, fence, position)
) STRICT, WITHOUT ROWID;

-- A message without a recipient is one of which nothing comes back: no receipt is looked for, and its reference, which is random as a
-- rule, costs no page of this index.
CREATE INDEX attempt_reference ON attempt (ended_at / 86400000, carrier, reference)
  WHERE reference IS NOT NULL AND recipient_tag IS NOT NULL;

-- Who sent the message that somebody answers. Led by the day, as all indexes of hashes.
CREATE INDEX attempt_recipient ON attempt (ended_at / 86400000, carrier, recipient_tag) WHERE recipient_tag IS NOT NULL;

-- What the simulator delivered.
CREATE TABLE inbox_message (
  account_id      TEXT NOT NULL,
  verification_id TEXT NOT NULL,
  code_sealed     TEXT NOT NULL,
  received_at     INTEGER NOT NULL,
  PRIMARY KEY (account_id, verification_id)
) STRICT, WITHOUT ROWID;

-- The queue. A row lives while its code may still have to be sent; its end erases the sealed code.
-- due_at is lease and schedule in one: when somebody may (again) take the row up.
-- `leg` is the channel that is next or under way: 0 is the one that was asked for. While the message waits for a receipt (due_at is
-- expires_at), `fallback_at` is when it goes by the next channel without one.
CREATE TABLE delivery (
  verification_id TEXT NOT NULL PRIMARY KEY,
  code_sealed     TEXT NOT NULL,
  due_at          INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL,
  fence           INTEGER NOT NULL DEFAULT 0,
  rounds          INTEGER NOT NULL DEFAULT 0,
  leg             INTEGER NOT NULL DEFAULT 0,
  fallback_at     INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX delivery_due ON delivery (due_at, expires_at);

CREATE INDEX delivery_fallback ON delivery (fallback_at) WHERE fallback_at IS NOT NULL;

-- Receipts that overtook our own write of the carrier's reference; one row for each spelling of it.
CREATE TABLE early_receipt (
  receipt_id     TEXT NOT NULL,
  carrier        TEXT NOT NULL,
  reference      TEXT NOT NULL,
  recipient_tags TEXT NOT NULL,
  status         TEXT NOT NULL,
  reason         TEXT,
  received_at    INTEGER NOT NULL,
  price          INTEGER,
  currency       TEXT,
  network        TEXT
) STRICT;

CREATE INDEX early_receipt_reference ON early_receipt (carrier, reference);
CREATE INDEX early_receipt_id ON early_receipt (receipt_id);

CREATE TABLE idempotency (
  account_id         TEXT NOT NULL,
  key_hash           TEXT NOT NULL,
  body_hash          TEXT NOT NULL,
  verification_id    TEXT NOT NULL,
  created_at         INTEGER NOT NULL,
  -- Of a guess that was judged wrong: how many were left after it. Null where the key is that of a confirmation, or of a request
  -- for a code.
  attempts_remaining INTEGER,
  UNIQUE (account_id, key_hash)
) STRICT;

-- Finds what belongs to an erased verification. Ids are in order of time, so the index grows at its end.
CREATE INDEX idempotency_verification ON idempotency (verification_id);

-- Which span of which trace a message belongs to, while tracing is on: `name` is the verification's id, or the hash of a
-- carrier and the reference that its receipt will name; `context` is written as in a `traceparent`.
CREATE TABLE trace_link (
  name     TEXT NOT NULL PRIMARY KEY,
  context  TEXT NOT NULL,
  noted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX trace_link_noted ON trace_link (noted_at);

-- Whom a messenger calls by a name of its own, hashed, and the last message to them that it reported: STOP may come without a
-- number. Nothing is known without the verification.
CREATE TABLE messenger_user (
  user_tag        TEXT PRIMARY KEY,
  verification_id TEXT NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX messenger_user_verification ON messenger_user (verification_id);
CREATE INDEX messenger_user_created ON messenger_user (created_at);
