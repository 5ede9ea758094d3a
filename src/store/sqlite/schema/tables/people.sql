-- People of the portal and what they sign in with. Passwords are argon2id, tokens and recovery codes SHA-256, TOTP
-- secrets sealed.

CREATE TABLE person (
  id         TEXT NOT NULL PRIMARY KEY,
  -- In lower case.
  email      TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  -- Null for who signs in by single sign-on alone.
  password   TEXT,
  -- What the person's devices are known by: another value makes every device's cookie void.
  devices    TEXT NOT NULL DEFAULT '',
  created_at INTEGER NOT NULL,
  -- Whether a provider of single sign-on ever said that the address is this person's.
  vouched    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE TABLE passkey (
  id           TEXT NOT NULL PRIMARY KEY,
  person_id    TEXT NOT NULL REFERENCES person (id),
  name         TEXT NOT NULL,
  public_key   TEXT NOT NULL,
  counter      INTEGER NOT NULL,
  transports   TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX passkey_person ON passkey (person_id);

-- In force once confirmed. A code is good once: only steps past last_step count.
CREATE TABLE totp (
  person_id    TEXT NOT NULL PRIMARY KEY REFERENCES person (id),
  sealed       TEXT NOT NULL,
  last_step    INTEGER NOT NULL,
  confirmed_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE recovery_code (
  person_id TEXT NOT NULL REFERENCES person (id),
  hash      TEXT NOT NULL,
  PRIMARY KEY (person_id, hash)
) STRICT, WITHOUT ROWID;

-- Whom a provider of single sign-on knows a person as. Its word on e-mail addresses may change; issuer and subject do not.
CREATE TABLE identity (
  issuer       TEXT NOT NULL,
  subject      TEXT NOT NULL,
  id           TEXT NOT NULL UNIQUE,
  person_id    TEXT NOT NULL REFERENCES person (id),
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (issuer, subject),
  -- Whoever is given the address of somebody that left is not them.
  UNIQUE (person_id, issuer)
) STRICT, WITHOUT ROWID;

CREATE TABLE session (
  hash         TEXT NOT NULL PRIMARY KEY,
  id           TEXT NOT NULL UNIQUE,
  person_id    TEXT NOT NULL REFERENCES person (id),
  method       TEXT NOT NULL,
  address      TEXT NOT NULL,
  agent        TEXT NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  -- When the person last proved who they are. Who never did has to before they change what signs them in.
  proven_at    INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

CREATE INDEX session_person ON session (person_id);
CREATE INDEX session_last_used ON session (last_used_at);

CREATE TABLE member (
  account_id TEXT NOT NULL REFERENCES account (id),
  person_id  TEXT NOT NULL REFERENCES person (id),
  role       TEXT NOT NULL,
  since      INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX member_person ON member (person_id);

CREATE TABLE invitation (
  id         TEXT NOT NULL PRIMARY KEY,
  hash       TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES account (id),
  email      TEXT NOT NULL,
  role       TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- The person; null for the command line.
  invited_by TEXT,
  UNIQUE (account_id, email)
) STRICT, WITHOUT ROWID;

CREATE INDEX invitation_expires ON invitation (expires_at);

-- What is good once, and until a time: deleting the row is using it. Of a passkey's challenge the row says that it was used.
CREATE TABLE one_time (
  hash       TEXT NOT NULL PRIMARY KEY,
  purpose    TEXT NOT NULL,
  person_id  TEXT REFERENCES person (id),
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX one_time_expires ON one_time (expires_at);
CREATE INDEX one_time_person ON one_time (person_id);

-- Guesses of a password or a code, by what they were guessed for or whence.
CREATE TABLE throttle (
  subject   TEXT NOT NULL PRIMARY KEY,
  guesses   INTEGER NOT NULL,
  next_at   INTEGER NOT NULL,
  forget_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX throttle_forget ON throttle (forget_at);
