-- The end of a number that a missed call came from, as a keyed hash, until its code has expired, and whose code it is.
CREATE TABLE used_ending (
  hash       TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  ends_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX used_ending_ends ON used_ending (ends_at, account_id);
