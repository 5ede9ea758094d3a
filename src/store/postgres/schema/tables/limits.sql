-- What the limits of a destination look back at: one row, so that whoever holds it knows all of it. `granted` is how
-- many places its last writer got. The index finds what is too old to count; a day is coarse enough that most
-- updates leave it alone and stay on their page.
CREATE TABLE destination (
  hash     text COLLATE "C" PRIMARY KEY,
  sends    bigint[] NOT NULL,
  failures bigint[] NOT NULL DEFAULT '{}',
  granted  integer NOT NULL DEFAULT 0,
  last_day bigint NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX destination_last_day ON destination (last_day);

-- Requests of a key are numbered; the log says when they came, a row for all that came in one moment.
-- Request number n may come once number n - max has left the window.
CREATE TABLE key_usage (
  key_id   text COLLATE "C" PRIMARY KEY,
  requests bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE request_log (
  key_id       text COLLATE "C" NOT NULL,
  first_number bigint NOT NULL,
  last_number  bigint NOT NULL,
  requested_at bigint NOT NULL,
  PRIMARY KEY (key_id, last_number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What an account sends nothing to. Numbers are kept like those of verifications: hashed as they are counted, and sealed, so
-- that they can be hashed again when the secret is rotated or a country renumbers. `secret_id` names the secret of both,
-- `plans` the numbering plans that the hash follows.
CREATE TABLE blocked_number (
  id            text COLLATE "C" PRIMARY KEY,
  account_id    text COLLATE "C" NOT NULL REFERENCES account (id),
  hash          text COLLATE "C" NOT NULL UNIQUE,
  number_sealed text NOT NULL,
  secret_id     text COLLATE "C" NOT NULL,
  source        text NOT NULL,
  created_at    bigint NOT NULL,
  plans         text COLLATE "C" NOT NULL DEFAULT 'unknown'
);

-- Ids are in order of time, and lists begin with the newest.
CREATE INDEX blocked_number_account ON blocked_number (account_id, id);
CREATE INDEX blocked_number_hashed ON blocked_number (secret_id, plans, id);

-- The beginnings of numbers, in clear: none is the number of a person.
CREATE TABLE blocked_range (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  prefix     text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, prefix)
);

-- The end of a number that a missed call came from, as a keyed hash, until its code has expired, and whose code it is.
CREATE TABLE used_ending (
  hash       text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  ends_at    bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX used_ending_ends ON used_ending (ends_at, account_id);
