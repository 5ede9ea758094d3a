ALTER TABLE api_key ADD COLUMN expires_at bigint;
-- Names are written out: who made a key stays known when they are gone.
ALTER TABLE api_key ADD COLUMN created_by text;
ALTER TABLE api_key ADD COLUMN last_used_from text;
ALTER TABLE api_key ADD COLUMN restrictions text NOT NULL DEFAULT '{"channels":[],"countries":[],"sources":[]}';
ALTER TABLE api_key ADD COLUMN replaced_by text;

CREATE INDEX api_key_account ON api_key (account_id);

-- next transaction
-- What accounts set for themselves, as JSON; those that set nothing have no row.
CREATE TABLE account_setting (
  account_id text COLLATE "C" NOT NULL PRIMARY KEY REFERENCES account (id),
  settings   text NOT NULL
);
