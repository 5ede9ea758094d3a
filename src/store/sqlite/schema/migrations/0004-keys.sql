ALTER TABLE api_key ADD COLUMN expires_at INTEGER;
-- Names are written out: who made a key stays known when they are gone.
ALTER TABLE api_key ADD COLUMN created_by TEXT;
ALTER TABLE api_key ADD COLUMN last_used_from TEXT;
ALTER TABLE api_key ADD COLUMN restrictions TEXT NOT NULL DEFAULT '{"channels":[],"countries":[],"sources":[]}';
ALTER TABLE api_key ADD COLUMN replaced_by TEXT;

CREATE INDEX api_key_account ON api_key (account_id);

-- What accounts set for themselves, as JSON; those that set nothing have no row.
CREATE TABLE account_setting (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  settings   TEXT NOT NULL
) STRICT, WITHOUT ROWID;
