-- Times are Unix milliseconds. Codes, destinations and messages are sealed or hashed before they come here.

CREATE TABLE account (
  id         TEXT NOT NULL PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  id             TEXT NOT NULL PRIMARY KEY,
  account_id     TEXT NOT NULL REFERENCES account (id),
  name           TEXT NOT NULL,
  test           INTEGER NOT NULL,
  prefix         TEXT NOT NULL UNIQUE,
  hash           TEXT NOT NULL UNIQUE,
  created_at     INTEGER NOT NULL,
  last_used_at   INTEGER,
  revoked_at     INTEGER,
  expires_at     INTEGER,
  -- Names are written out: who made a key stays known when they are gone.
  created_by     TEXT,
  last_used_from TEXT,
  restrictions   TEXT NOT NULL DEFAULT '{"channels":[],"countries":[],"sources":[]}',
  replaced_by    TEXT,
  -- Whether it may bring codes.
  custom_codes   INTEGER NOT NULL DEFAULT 0,
  -- The ids of the keys that it came from by rotation, the first one first, as JSON. Their rows may be gone.
  predecessors   TEXT
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_account ON api_key (account_id);

-- What accounts set for themselves, as JSON; those that set nothing have no row.
CREATE TABLE account_setting (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  settings   TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- Who put the first steps of an account away. It is about what they see, not about the account.
CREATE TABLE start_dismissal (
  account_id   TEXT NOT NULL REFERENCES account (id),
  person_id    TEXT NOT NULL,
  dismissed_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;
