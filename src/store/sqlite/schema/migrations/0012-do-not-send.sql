-- What an account sends nothing to. Numbers are kept like those of verifications: hashed as they are counted, and sealed, so
-- that they can be hashed again when the secret is rotated. `secret_id` names the secret of both.
CREATE TABLE blocked_number (
  id            TEXT NOT NULL PRIMARY KEY,
  account_id    TEXT NOT NULL REFERENCES account (id),
  hash          TEXT NOT NULL UNIQUE,
  number_sealed TEXT NOT NULL,
  secret_id     TEXT NOT NULL,
  source        TEXT NOT NULL,
  created_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Ids are in order of time, and lists begin with the newest.
CREATE INDEX blocked_number_account ON blocked_number (account_id, id);
CREATE INDEX blocked_number_secret ON blocked_number (secret_id, id);

-- The beginnings of numbers, in clear: none is the number of a person.
CREATE TABLE blocked_range (
  account_id TEXT NOT NULL REFERENCES account (id),
  prefix     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, prefix)
) STRICT, WITHOUT ROWID;

-- Who sent the message that somebody answers. Led by the day, as all indexes of hashes.
CREATE INDEX attempt_recipient ON attempt (ended_at / 86400000, carrier, recipient_tag) WHERE recipient_tag IS NOT NULL;
