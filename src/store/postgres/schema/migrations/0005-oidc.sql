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
