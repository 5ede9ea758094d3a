-- Who put the first steps of an account away. It is about what they see, not about the account.
CREATE TABLE start_dismissal (
  account_id   text COLLATE "C" NOT NULL REFERENCES account (id),
  person_id    text COLLATE "C" NOT NULL,
  dismissed_at bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);
