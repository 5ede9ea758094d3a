-- The end of a number that a missed call came from, as a keyed hash, until its code has expired, and whose code it is.
CREATE TABLE used_ending (
  hash       text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  ends_at    bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX used_ending_ends ON used_ending (ends_at, account_id);
