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
