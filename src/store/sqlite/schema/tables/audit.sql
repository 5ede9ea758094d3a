-- Ids are in order of time. Names are written out: what was done stays readable when who did it is gone.
CREATE TABLE audit_entry (
  account_id TEXT NOT NULL REFERENCES account (id),
  id         TEXT NOT NULL,
  at         INTEGER NOT NULL,
  who        TEXT NOT NULL,
  address    TEXT,
  action     TEXT NOT NULL,
  subject    TEXT NOT NULL,
  detail     TEXT NOT NULL,
  -- How often it was done, where entries of one kind are one.
  times      INTEGER NOT NULL DEFAULT 1,
  -- Null only until the trigger has run.
  seq        INTEGER,
  hash       TEXT,
  PRIMARY KEY (account_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_entry_at ON audit_entry (at);

-- Not unique: rows that somebody tampered with must be found, and must not stop the service.
CREATE INDEX audit_entry_seq ON audit_entry (account_id, seq);

-- The end of each account's audit log as a chain: the number and the hash of its last entry, and of the last that was deleted
-- with age. Its row is what puts writers in order.
-- `removed_entry` is what the hash of the last entry that was deleted covers: it shows how old the entry was. Null where
-- nothing was deleted since; what version 0.2.0 deleted has none.
CREATE TABLE audit_head (
  account_id    TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  seq           INTEGER NOT NULL,
  hash          TEXT NOT NULL,
  removed_seq   INTEGER NOT NULL DEFAULT 0,
  removed_hash  TEXT NOT NULL DEFAULT '',
  removed_entry TEXT
) STRICT, WITHOUT ROWID;

-- `audit_hash` is a function of this program. An entry that is moved from another store brings its number and hash.
CREATE TRIGGER audit_entry_chained AFTER INSERT ON audit_entry WHEN NEW.seq IS NULL BEGIN
  INSERT INTO audit_head (account_id, seq, hash) VALUES (NEW.account_id, 0, '') ON CONFLICT (account_id) DO NOTHING;
  UPDATE audit_head SET
    seq = seq + 1,
    hash = audit_hash(hash, seq + 1, NEW.account_id, NEW.id, NEW.at, NEW.who, NEW.address, NEW.action, NEW.subject, NEW.detail)
  WHERE account_id = NEW.account_id;
  UPDATE audit_entry SET (seq, hash) = (SELECT seq, hash FROM audit_head WHERE account_id = NEW.account_id)
  WHERE account_id = NEW.account_id AND id = NEW.id;
END;
