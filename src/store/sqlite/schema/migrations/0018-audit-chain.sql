-- The end of each account's audit log as a chain: the number and the hash of its last entry, and of the last that was deleted
-- with age. Its row is what puts writers in order.
CREATE TABLE audit_head (
  account_id   TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  seq          INTEGER NOT NULL,
  hash         TEXT NOT NULL,
  removed_seq  INTEGER NOT NULL DEFAULT 0,
  removed_hash TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

-- Null only until the trigger has run.
ALTER TABLE audit_entry ADD COLUMN seq INTEGER;
ALTER TABLE audit_entry ADD COLUMN hash TEXT;

-- Not unique: rows that somebody tampered with must be found, and must not stop the service.
CREATE INDEX audit_entry_seq ON audit_entry (account_id, seq);

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

-- What is there already is chained in the order of its ids, which is that of time.
CREATE TABLE audit_entry_before AS SELECT * FROM audit_entry;
DELETE FROM audit_entry;
INSERT INTO audit_entry (account_id, id, at, who, address, action, subject, detail, times)
  SELECT account_id, id, at, who, address, action, subject, detail, times FROM audit_entry_before ORDER BY account_id, id;
DROP TABLE audit_entry_before;
