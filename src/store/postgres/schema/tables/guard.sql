-- What the guard has learnt, so that a restart does not forget it: each bucket holds a part, by the hash of the place or number.
CREATE TABLE guard_memory (
  bucket     bigint PRIMARY KEY,
  written_at bigint NOT NULL,
  learnt     text COLLATE "C" NOT NULL
);

-- What one node has learnt and others may not have heard of yet, for a minute. A sequence number is given under the lock of
-- its counter's row, so that whoever has read up to one has read all before it. A crash of the server empties the table, but not
-- the counter.
CREATE UNLOGGED TABLE guard_news (
  sequence bigint PRIMARY KEY,
  node     text COLLATE "C" NOT NULL,
  at       bigint NOT NULL,
  learnt   text COLLATE "C" NOT NULL
);

CREATE TABLE guard_counter (
  name  text COLLATE "C" PRIMARY KEY,
  value bigint NOT NULL
);

INSERT INTO guard_counter (name, value) VALUES ('news', 0), ('rules', 0);

-- The operator's own rules. `account_id` is null for those that hold for all accounts. A range is the beginning of numbers, in
-- clear; a number and an address are hashed as they are compared, and sealed, so that people can read them.
CREATE TABLE guard_rule (
  id           text COLLATE "C" PRIMARY KEY,
  account_id   text COLLATE "C" REFERENCES account (id),
  action       text COLLATE "C" NOT NULL CHECK (action IN ('allow', 'deny', 'pause')),
  subject      text COLLATE "C" NOT NULL CHECK (subject IN ('range', 'number', 'country', 'account', 'key', 'address')),
  value        text COLLATE "C" NOT NULL,
  value_sealed text COLLATE "C",
  ends_at      bigint,
  reason       text COLLATE "C" NOT NULL,
  made_by      text COLLATE "C" NOT NULL,
  created_at   bigint NOT NULL
);

-- What the guard refused, or would have. At most so many lines a second are kept; `guard_day` counts all. `masked` is a range, `place`
-- where the evidence lies (src/guard/live/place.ts).
CREATE TABLE guard_refusal (
  id         text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  key_id     text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  channel    text COLLATE "C" NOT NULL,
  country    text COLLATE "C" NOT NULL,
  masked     text COLLATE "C" NOT NULL,
  place      text COLLATE "C" NOT NULL,
  rule       text COLLATE "C" NOT NULL,
  detail     text COLLATE "C" NOT NULL,
  enforced   bigint NOT NULL,
  saved      bigint
);

CREATE INDEX guard_refusal_account ON guard_refusal (account_id, at);
CREATE INDEX guard_refusal_place ON guard_refusal (account_id, place, at);
CREATE INDEX guard_refusal_at ON guard_refusal (at);

-- What was refused by day (UTC), and what it would have cost at least, in millionths of the currency.
CREATE TABLE guard_day (
  day        bigint NOT NULL,
  account_id text COLLATE "C" NOT NULL,
  country    text COLLATE "C" NOT NULL,
  rule       text COLLATE "C" NOT NULL,
  enforced   bigint NOT NULL,
  requests   bigint NOT NULL,
  saved      bigint NOT NULL,
  PRIMARY KEY (day, account_id, country, rule, enforced)
);

-- Evidence at places that looked suspicious, minute by minute. `probes` failed so far; the next one is about at `next_probe_at`,
-- null while the place is open.
CREATE TABLE guard_evidence (
  place         text COLLATE "C" NOT NULL,
  minute        bigint NOT NULL,
  sent          double precision NOT NULL,
  confirmed     double precision NOT NULL,
  odds          double precision NOT NULL,
  closes_at     double precision NOT NULL,
  closed        bigint NOT NULL,
  probes        bigint NOT NULL,
  next_probe_at bigint,
  PRIMARY KEY (place, minute)
);

CREATE INDEX guard_evidence_minute ON guard_evidence (minute);

-- What happened that people want to hear of: a place closed or opened again.
CREATE TABLE guard_event (
  id         text COLLATE "C" PRIMARY KEY,
  at         bigint NOT NULL,
  name       text COLLATE "C" NOT NULL,
  account_id text COLLATE "C",
  place      text COLLATE "C" NOT NULL,
  detail     text COLLATE "C" NOT NULL
);

CREATE INDEX guard_event_at ON guard_event (at);
CREATE INDEX guard_event_place ON guard_event (place, id);

-- How many verdicts of an account, and of a key or a person, counted on a day (UTC). `subject` is `account`, `key` or `person` and an id.
-- As the verdict `change`: how often an account changed what it says of live codes, and, as `tests` and its id, of test codes.
CREATE TABLE verdict_count (
  subject text COLLATE "C" NOT NULL,
  verdict text COLLATE "C" NOT NULL,
  day     bigint NOT NULL,
  counted bigint NOT NULL,
  PRIMARY KEY (subject, verdict, day)
);
