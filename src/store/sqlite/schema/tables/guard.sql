-- What the guard has learnt, so that a restart does not forget it: each bucket holds a part, by the hash of the place or number.
CREATE TABLE guard_memory (
  bucket     INTEGER NOT NULL PRIMARY KEY,
  written_at INTEGER NOT NULL,
  learnt     TEXT NOT NULL
) STRICT;

-- What one node has learnt and others may not have heard of yet, for a minute. A sequence number is given under the lock of
-- its counter's row, so that whoever has read up to one has read all before it.
CREATE TABLE guard_news (
  sequence INTEGER NOT NULL PRIMARY KEY,
  node     TEXT NOT NULL,
  at       INTEGER NOT NULL,
  learnt   TEXT NOT NULL
) STRICT;

CREATE TABLE guard_counter (
  name  TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO guard_counter (name, value) VALUES ('news', 0), ('rules', 0);

-- The operator's own rules. `account_id` is null for those that hold for all accounts. A range is the beginning of numbers, in
-- clear; a number and an address are hashed as they are compared, and sealed, so that people can read them.
CREATE TABLE guard_rule (
  id           TEXT NOT NULL PRIMARY KEY,
  account_id   TEXT REFERENCES account (id),
  action       TEXT NOT NULL CHECK (action IN ('allow', 'deny', 'pause')),
  subject      TEXT NOT NULL CHECK (subject IN ('range', 'number', 'country', 'account', 'key', 'address')),
  value        TEXT NOT NULL,
  value_sealed TEXT,
  ends_at      INTEGER,
  reason       TEXT NOT NULL,
  made_by      TEXT NOT NULL,
  created_at   INTEGER NOT NULL
) STRICT;

-- What the guard refused, or would have. At most so many lines a second are kept; `guard_day` counts all. `masked` is a range, `place`
-- where the evidence lies (src/guard/live/place.ts).
CREATE TABLE guard_refusal (
  id         TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  key_id     TEXT NOT NULL,
  at         INTEGER NOT NULL,
  channel    TEXT NOT NULL,
  country    TEXT NOT NULL,
  masked     TEXT NOT NULL,
  place      TEXT NOT NULL,
  rule       TEXT NOT NULL,
  detail     TEXT NOT NULL,
  enforced   INTEGER NOT NULL,
  saved      INTEGER
) STRICT;

CREATE INDEX guard_refusal_account ON guard_refusal (account_id, at);
CREATE INDEX guard_refusal_place ON guard_refusal (account_id, place, at);
CREATE INDEX guard_refusal_at ON guard_refusal (at);

-- What was refused by day (UTC), and what it would have cost at least, in millionths of the currency.
CREATE TABLE guard_day (
  day        INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  country    TEXT NOT NULL,
  rule       TEXT NOT NULL,
  enforced   INTEGER NOT NULL,
  requests   INTEGER NOT NULL,
  saved      INTEGER NOT NULL,
  PRIMARY KEY (day, account_id, country, rule, enforced)
) STRICT, WITHOUT ROWID;

-- Evidence at places that looked suspicious, minute by minute. `probes` failed so far; the next one is about at `next_probe_at`,
-- null while the place is open.
CREATE TABLE guard_evidence (
  place         TEXT NOT NULL,
  minute        INTEGER NOT NULL,
  sent          REAL NOT NULL,
  confirmed     REAL NOT NULL,
  odds          REAL NOT NULL,
  closes_at     REAL NOT NULL,
  closed        INTEGER NOT NULL,
  probes        INTEGER NOT NULL,
  next_probe_at INTEGER,
  PRIMARY KEY (place, minute)
) STRICT, WITHOUT ROWID;

CREATE INDEX guard_evidence_minute ON guard_evidence (minute);

-- What happened that people want to hear of: a place closed or opened again.
CREATE TABLE guard_event (
  id         TEXT NOT NULL PRIMARY KEY,
  at         INTEGER NOT NULL,
  name       TEXT NOT NULL,
  account_id TEXT,
  place      TEXT NOT NULL,
  detail     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX guard_event_at ON guard_event (at);
CREATE INDEX guard_event_place ON guard_event (place, id);

-- How many verdicts of an account, and of a key or a person, counted on a day (UTC). `subject` is `account`, `key` or `person` and an id.
-- As the verdict `change`: how often an account changed what it says of live codes, and, as `tests` and its id, of test codes.
CREATE TABLE verdict_count (
  subject TEXT NOT NULL,
  verdict TEXT NOT NULL,
  day     INTEGER NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (subject, verdict, day)
) STRICT, WITHOUT ROWID;
