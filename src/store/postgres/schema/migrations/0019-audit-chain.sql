-- The end of each account's audit log as a chain: the number and the hash of its last entry, and of the last that was deleted
-- with age. The lock of its row puts writers in order.
CREATE TABLE audit_head (
  account_id   text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  seq          bigint NOT NULL,
  hash         text NOT NULL,
  removed_seq  bigint NOT NULL DEFAULT 0,
  removed_hash text NOT NULL DEFAULT ''
) WITH (fillfactor = 50);

-- next transaction
-- Null only until the trigger has run.
ALTER TABLE audit_entry ADD COLUMN seq bigint, ADD COLUMN hash text;

-- The SHA-256 of a JSON array, byte for byte as the program makes it.
CREATE FUNCTION audit_hash(
  before text, seq bigint, account_id text, id text, at bigint, who text, address text, action text, subject text, detail text
) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(
    '[' || concat_ws(',',
      to_json(before)::text, seq::text, to_json(account_id)::text, to_json(id)::text, at::text, to_json(who)::text,
      coalesce(to_json(address)::text, 'null'), to_json(action)::text, to_json(subject)::text, to_json(detail)::text
    ) || ']', 'UTF8')), 'hex')
$$;

-- Chains what this transaction wrote: entries of others are chained, or not seen. Heads are locked in the order of their accounts,
-- so that no two transactions wait for each other.
CREATE FUNCTION chain_audit_entries() RETURNS void
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
DECLARE
  account text;
  entry audit_entry;
  head audit_head;
BEGIN
  FOR account IN SELECT DISTINCT account_id FROM audit_entry WHERE seq IS NULL ORDER BY account_id LOOP
    INSERT INTO audit_head AS held (account_id, seq, hash) VALUES (account, 0, '')
    ON CONFLICT (account_id) DO UPDATE SET seq = held.seq RETURNING * INTO head;
    FOR entry IN SELECT * FROM audit_entry WHERE account_id = account AND seq IS NULL ORDER BY id LOOP
      head.seq := head.seq + 1;
      head.hash := audit_hash(
        head.hash, head.seq, entry.account_id, entry.id, entry.at, entry.who, entry.address, entry.action, entry.subject,
        entry.detail);
      UPDATE audit_entry SET seq = head.seq, hash = head.hash WHERE account_id = account AND id = entry.id;
    END LOOP;
    UPDATE audit_head SET seq = head.seq, hash = head.hash WHERE account_id = account;
  END LOOP;
END
$$;

CREATE FUNCTION chain_audit_entries_of_transaction() RETURNS trigger
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
BEGIN
  -- The first of a transaction's entries chains all of them.
  IF EXISTS (SELECT FROM audit_entry WHERE account_id = NEW.account_id AND id = NEW.id AND seq IS NULL) THEN
    PERFORM chain_audit_entries();
  END IF;
  RETURN NULL;
END
$$;

-- What is there already is chained in the order of its ids, which is that of time: while nodes go on, in batches that begin where
-- the last one ended. What they write to accounts that it has passed is chained at the end.
CREATE TABLE audit_chain_progress (account_id text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL);
INSERT INTO audit_chain_progress (account_id, id) VALUES ('', '');

CREATE FUNCTION chain_earlier_entries(wanted integer) RETURNS boolean
SET search_path FROM CURRENT LANGUAGE plpgsql AS $$
DECLARE
  last audit_chain_progress;
  entry audit_entry;
  head audit_head;
  done integer := 0;
BEGIN
  SELECT * INTO last FROM audit_chain_progress;
  FOR entry IN
    SELECT * FROM audit_entry WHERE (account_id, id) > (last.account_id, last.id) ORDER BY account_id, id LIMIT wanted
    -- Not what a node deletes meanwhile: the chain would have a gap.
    FOR UPDATE
  LOOP
    IF head.account_id IS DISTINCT FROM entry.account_id THEN
      UPDATE audit_head SET seq = head.seq, hash = head.hash WHERE account_id = head.account_id;
      INSERT INTO audit_head AS held (account_id, seq, hash) VALUES (entry.account_id, 0, '')
      ON CONFLICT (account_id) DO UPDATE SET seq = held.seq RETURNING * INTO head;
    END IF;
    head.seq := head.seq + 1;
    head.hash := audit_hash(
      head.hash, head.seq, entry.account_id, entry.id, entry.at, entry.who, entry.address, entry.action, entry.subject,
      entry.detail);
    UPDATE audit_entry SET seq = head.seq, hash = head.hash WHERE account_id = entry.account_id AND id = entry.id;
    last.account_id := entry.account_id;
    last.id := entry.id;
    done := done + 1;
  END LOOP;
  UPDATE audit_head SET seq = head.seq, hash = head.hash WHERE account_id = head.account_id;
  UPDATE audit_chain_progress SET account_id = last.account_id, id = last.id;
  RETURN done > 0;
END
$$;

-- next transaction, again while it answers true
SELECT chain_earlier_entries(2000) AS more;

-- next transaction
-- Not unique: rows that somebody tampered with must be found, and must not stop the service.
CREATE INDEX audit_entry_seq ON audit_entry (account_id, seq, id);
CREATE INDEX audit_entry_unchained ON audit_entry (account_id, id) WHERE seq IS NULL;

-- next transaction
-- At the commit: the heads are the last rows that a transaction locks, and are held no longer than it commits. Also serves nodes
-- of the version before. An entry that is moved from another store brings its number and hash.
CREATE CONSTRAINT TRIGGER audit_entry_chained AFTER INSERT ON audit_entry
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.seq IS NULL)
EXECUTE FUNCTION chain_audit_entries_of_transaction();

SELECT chain_audit_entries();

DROP FUNCTION chain_earlier_entries(integer);
DROP TABLE audit_chain_progress;
