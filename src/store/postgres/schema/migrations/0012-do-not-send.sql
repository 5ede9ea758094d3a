-- What an account sends nothing to. Numbers are kept like those of verifications: hashed as they are counted, and sealed, so
-- that they can be hashed again when the secret is rotated. `secret_id` names the secret of both.
CREATE TABLE blocked_number (
  id            text COLLATE "C" PRIMARY KEY,
  account_id    text COLLATE "C" NOT NULL REFERENCES account (id),
  hash          text COLLATE "C" NOT NULL UNIQUE,
  number_sealed text NOT NULL,
  secret_id     text COLLATE "C" NOT NULL,
  source        text NOT NULL,
  created_at    bigint NOT NULL
);

-- Ids are in order of time, and lists begin with the newest.
CREATE INDEX blocked_number_account ON blocked_number (account_id, id);
CREATE INDEX blocked_number_secret ON blocked_number (secret_id, id);

-- The beginnings of numbers, in clear: none is the number of a person.
CREATE TABLE blocked_range (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  prefix     text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (account_id, prefix)
);

-- next transaction
-- `senders_from` is the lowest id that is looked for among those who sent a message; null: every one.
ALTER TABLE installation ADD COLUMN senders_from uuid;

-- next transaction
-- Who sent the message that somebody answers. Earlier days go without: to index all that is kept could take longer than a start
-- may, and would hold up the settlements of other nodes.
CREATE INDEX attempt_recipient ON ONLY attempt (carrier, recipient_tag, verification_id) WHERE recipient_tag IS NOT NULL;

DO $$
DECLARE
  today text := 'attempt_' || to_char(now() AT TIME ZONE 'UTC', 'YYYYMMDD');
  part record;
  midnight bigint := extract(epoch FROM date_trunc('day', now() AT TIME ZONE 'UTC'))::bigint * 1000;
  has_earlier boolean := false;
BEGIN
  FOR part IN
    SELECT relname FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid WHERE inhparent = 'attempt'::regclass
  LOOP
    IF part.relname >= today THEN
      EXECUTE format('CREATE INDEX %I ON %I (carrier, recipient_tag, verification_id) WHERE recipient_tag IS NOT NULL',
        part.relname || '_recipient', part.relname);
      EXECUTE format('ALTER INDEX attempt_recipient ATTACH PARTITION %I', part.relname || '_recipient');
    ELSE
      has_earlier := true;
    END IF;
  END LOOP;
  -- Last: every node writes to this row now and then.
  IF has_earlier THEN
    UPDATE installation SET senders_from = (lpad(to_hex(midnight), 12, '0') || repeat('0', 20))::uuid;
  END IF;
END
$$;
