-- Times are Unix milliseconds. Codes, destinations and messages are sealed or hashed before they come here. Keys and
-- hashes are compared byte by byte (COLLATE "C"): cheaper, and the same order for everybody who locks rows in it.

CREATE TABLE account (
  id         text COLLATE "C" PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL
);

CREATE TABLE api_key (
  id             text COLLATE "C" PRIMARY KEY,
  account_id     text COLLATE "C" NOT NULL REFERENCES account (id),
  name           text NOT NULL,
  test           boolean NOT NULL,
  prefix         text COLLATE "C" NOT NULL UNIQUE,
  hash           text COLLATE "C" NOT NULL UNIQUE,
  created_at     bigint NOT NULL,
  last_used_at   bigint,
  revoked_at     bigint,
  expires_at     bigint,
  -- Names are written out: who made a key stays known when they are gone.
  created_by     text,
  last_used_from text,
  restrictions   text NOT NULL DEFAULT '{"channels":[],"countries":[],"sources":[]}',
  replaced_by    text,
  -- Whether it may bring codes.
  custom_codes   boolean NOT NULL DEFAULT false,
  -- The ids of the keys that it came from by rotation, the first one first, as JSON. Their rows may be gone.
  predecessors   text
);

CREATE INDEX api_key_account ON api_key (account_id);

-- What accounts set for themselves, as JSON; those that set nothing have no row.
CREATE TABLE account_setting (
  account_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES account (id),
  settings   text NOT NULL
);

-- One row, which rises with every key that is made or revoked. `probed_at` is written to see whether a commit is possible.
-- `senders_from` is the lowest id that is looked for among those who sent a message; null: every one.
CREATE TABLE installation (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  keys_revision bigint NOT NULL DEFAULT 0,
  probed_at     bigint NOT NULL DEFAULT 0,
  senders_from  uuid
);
INSERT INTO installation DEFAULT VALUES;

-- Who put the first steps of an account away. It is about what they see, not about the account.
CREATE TABLE start_dismissal (
  account_id   text COLLATE "C" NOT NULL REFERENCES account (id),
  person_id    text COLLATE "C" NOT NULL,
  dismissed_at bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);
