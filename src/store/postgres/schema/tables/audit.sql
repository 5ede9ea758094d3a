-- Ids are in order of time. Names are written out: what was done stays readable when who did it is gone.
CREATE TABLE audit_entry (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  id         text COLLATE "C" NOT NULL,
  at         bigint NOT NULL,
  who        text NOT NULL,
  address    text,
  action     text NOT NULL,
  subject    text NOT NULL,
  detail     text NOT NULL,
  -- How often it was done, where entries of one kind are one.
  times      bigint NOT NULL DEFAULT 1,
  -- Null only until the trigger has run.
  seq        bigint,
  hash       text,
  PRIMARY KEY (account_id, id)
);

CREATE INDEX audit_entry_at ON audit_entry (at);

-- Not unique: rows that somebody tampered with must be found, and must not stop the service.
CREATE INDEX audit_entry_seq ON audit_entry (account_id, seq, id);
CREATE INDEX audit_entry_unchained ON audit_entry (account_id, id) WHERE seq IS NULL;

-- The end of each account's audit log as a chain: the number and the hash of its last entry, and of the last that was deleted
-- with age. The lock of its row puts writers in order.
-- `removed_entry` is what the hash of the last entry that was deleted covers: it shows how old the entry was. Null where
-- nothing was deleted since; what version 0.2.0 deleted has none.
CREATE TABLE audit_head (
  account_id    text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  seq           bigint NOT NULL,
  hash          text NOT NULL,
  removed_seq   bigint NOT NULL DEFAULT 0,
  removed_hash  text NOT NULL DEFAULT '',
  removed_entry text
) WITH (fillfactor = 50);

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

-- At the commit: the heads are the last rows that a transaction locks, and are held no longer than it commits. Also serves nodes
-- of the version before. An entry that is moved from another store brings its number and hash.
CREATE CONSTRAINT TRIGGER audit_entry_chained AFTER INSERT ON audit_entry
DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.seq IS NULL)
EXECUTE FUNCTION chain_audit_entries_of_transaction();
