-- When a code was ended before its time: canceled, or another code of its number was confirmed. This is a state: no clock takes it
-- back. `expires_at` is `created_at` then.
ALTER TABLE verification ADD COLUMN ended_at INTEGER;

-- Whether a code may be confirmed by its number. Of the codes that may still be valid it is known by the account.
ALTER TABLE verification ADD COLUMN by_number INTEGER NOT NULL DEFAULT 0;
UPDATE verification SET by_number = 1
WHERE created_at / 86400000 IN (unixepoch() / 86400, unixepoch() / 86400 - 1)
  AND created_at > unixepoch() * 1000 - 3600000
  AND account_id IN (SELECT account_id FROM account_setting WHERE settings ->> 'twilio')
  AND key_id <> 'none';
