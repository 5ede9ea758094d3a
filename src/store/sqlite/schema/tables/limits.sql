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

-- What an account sends nothing to. Numbers are kept like those of verifications: hashed as they are counted, and sealed, so
-- that they can be hashed again when the secret is rotated or a country renumbers. `secret_id` names the secret of both,
-- `plans` the numbering plans that the hash follows.
CREATE TABLE blocked_number (
  id            TEXT NOT NULL PRIMARY KEY,
  account_id    TEXT NOT NULL REFERENCES account (id),
  hash          TEXT NOT NULL UNIQUE,
  number_sealed TEXT NOT NULL,
  secret_id     TEXT NOT NULL,
  source        TEXT NOT NULL,
  created_at    INTEGER NOT NULL,
  plans         TEXT NOT NULL DEFAULT 'unknown'
) STRICT, WITHOUT ROWID;

-- Ids are in order of time, and lists begin with the newest.
CREATE INDEX blocked_number_account ON blocked_number (account_id, id);
CREATE INDEX blocked_number_hashed ON blocked_number (secret_id, plans, id);

-- The beginnings of numbers, in clear: none is the number of a person.
CREATE TABLE blocked_range (
  account_id TEXT NOT NULL REFERENCES account (id),
  prefix     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, prefix)
) STRICT, WITHOUT ROWID;

-- The end of a number that a missed call came from, as a keyed hash, until its code has expired, and whose code it is.
CREATE TABLE used_ending (
  hash       TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  ends_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX used_ending_ends ON used_ending (ends_at, account_id);
