-- A rule of the guard may be about a country. A check of a column changes only with its table.
CREATE TABLE guard_rule_new (
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

INSERT INTO guard_rule_new SELECT * FROM guard_rule;
DROP TABLE guard_rule;
ALTER TABLE guard_rule_new RENAME TO guard_rule;
