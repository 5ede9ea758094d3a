-- People of the portal and what they sign in with. Passwords are argon2id, tokens and recovery codes SHA-256, TOTP
-- secrets sealed.

CREATE TABLE person (
  id         text COLLATE "C" PRIMARY KEY,
  -- In lower case.
  email      text COLLATE "C" NOT NULL UNIQUE,
  name       text NOT NULL,
  -- Null for who signs in by single sign-on alone.
  password   text,
  -- What the person's devices are known by: another value makes every device's cookie void.
  devices    text COLLATE "C" NOT NULL DEFAULT '',
  created_at bigint NOT NULL,
  -- Whether a provider of single sign-on ever said that the address is this person's.
  vouched    boolean NOT NULL DEFAULT false
);

CREATE TABLE passkey (
  id           text COLLATE "C" PRIMARY KEY,
  person_id    text COLLATE "C" NOT NULL REFERENCES person (id),
  name         text NOT NULL,
  public_key   text NOT NULL,
  counter      bigint NOT NULL,
  transports   text NOT NULL,
  created_at   bigint NOT NULL,
  last_used_at bigint
);

CREATE INDEX passkey_person ON passkey (person_id);

-- In force once confirmed. A code is good once: only steps past last_step count.
CREATE TABLE totp (
  person_id    text COLLATE "C" PRIMARY KEY REFERENCES person (id),
  sealed       text NOT NULL,
  last_step    bigint NOT NULL,
  confirmed_at bigint
);

CREATE TABLE recovery_code (
  person_id text COLLATE "C" NOT NULL REFERENCES person (id),
  hash      text COLLATE "C" NOT NULL,
  PRIMARY KEY (person_id, hash)
);

-- Whom a provider of single sign-on knows a person as. Its word on e-mail addresses may change; issuer and subject do not.
CREATE TABLE identity (
  issuer       text COLLATE "C" NOT NULL,
  subject      text COLLATE "C" NOT NULL,
  id           text COLLATE "C" NOT NULL UNIQUE,
  person_id    text COLLATE "C" NOT NULL REFERENCES person (id),
  created_at   bigint NOT NULL,
  last_used_at bigint NOT NULL,
  PRIMARY KEY (issuer, subject),
  -- Whoever is given the address of somebody that left is not them.
  UNIQUE (person_id, issuer)
);

CREATE TABLE session (
  hash         text COLLATE "C" PRIMARY KEY,
  id           text COLLATE "C" NOT NULL UNIQUE,
  person_id    text COLLATE "C" NOT NULL REFERENCES person (id),
  method       text NOT NULL,
  address      text NOT NULL,
  agent        text NOT NULL,
  created_at   bigint NOT NULL,
  last_used_at bigint NOT NULL,
  -- When the person last proved who they are. Who never did has to before they change what signs them in.
  proven_at    bigint NOT NULL DEFAULT 0
);

CREATE INDEX session_person ON session (person_id);
CREATE INDEX session_last_used ON session (last_used_at);

CREATE TABLE member (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  person_id  text COLLATE "C" NOT NULL REFERENCES person (id),
  role       text NOT NULL,
  since      bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);

CREATE INDEX member_person ON member (person_id);

CREATE TABLE invitation (
  id         text COLLATE "C" PRIMARY KEY,
  hash       text COLLATE "C" NOT NULL UNIQUE,
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  email      text COLLATE "C" NOT NULL,
  role       text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- The person; null for the command line.
  invited_by text COLLATE "C",
  UNIQUE (account_id, email)
);

CREATE INDEX invitation_expires ON invitation (expires_at);

-- What is good once, and until a time: deleting the row is using it. Of a passkey's challenge the row says that it was used.
CREATE TABLE one_time (
  hash       text COLLATE "C" PRIMARY KEY,
  purpose    text NOT NULL,
  person_id  text COLLATE "C" REFERENCES person (id),
  expires_at bigint NOT NULL
);

CREATE INDEX one_time_expires ON one_time (expires_at);
CREATE INDEX one_time_person ON one_time (person_id);

-- Guesses of a password or a code, by what they were guessed for or whence.
CREATE TABLE throttle (
  subject   text COLLATE "C" PRIMARY KEY,
  guesses   bigint NOT NULL,
  next_at   bigint NOT NULL,
  forget_at bigint NOT NULL
);

CREATE INDEX throttle_forget ON throttle (forget_at);
