-- Who put the first steps of an account away. It is about what they see, not about the account.
CREATE TABLE start_dismissal (
  account_id   TEXT NOT NULL REFERENCES account (id),
  person_id    TEXT NOT NULL,
  dismissed_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, person_id)
) STRICT, WITHOUT ROWID;
