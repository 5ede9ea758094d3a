-- Where an account wants to be told what happens. `types` is a JSON list, empty for all. Secrets are sealed; the one before goes on
-- signing until `previous_until`. `failing_since` is null while the last try was a success. Of several nodes, the one that holds the
-- lease sends; `fence` rises with every new holder, and when the endpoint begins anew: at another address, or when it is enabled.
CREATE TABLE webhook (
  id                     TEXT NOT NULL PRIMARY KEY,
  account_id             TEXT NOT NULL REFERENCES account (id),
  url                    TEXT NOT NULL,
  types                  TEXT NOT NULL,
  full_numbers           INTEGER NOT NULL DEFAULT 0,
  secret_sealed          TEXT NOT NULL,
  previous_secret_sealed TEXT,
  previous_until         INTEGER,
  created_at             INTEGER NOT NULL,
  failing_since          INTEGER,
  last_success_at        INTEGER,
  last_failure_at        INTEGER,
  last_failure           TEXT,
  disabled_at            INTEGER,
  disabled_why           TEXT,
  leased_by              TEXT,
  leased_until           INTEGER NOT NULL DEFAULT 0,
  fence                  INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX webhook_account ON webhook (account_id, id);

-- One event for one endpoint. It names its verification and copies nothing from it: what is erased there is gone here. `due_at`
-- is 0 before the first try, and null when nothing is left to do: sent if `sent_at` is set, and otherwise given up. `failures` has a line of JSON for each try that failed.
-- `channel` is null where it is that of the verification.
CREATE TABLE webhook_message (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  webhook_id      TEXT NOT NULL,
  type            TEXT NOT NULL,
  verification_id TEXT,
  carrier         TEXT,
  reason          TEXT,
  channel         TEXT,
  at              INTEGER NOT NULL,
  due_at          INTEGER,
  tries           INTEGER NOT NULL DEFAULT 0,
  last_try_at     INTEGER,
  last_answer     TEXT,
  failures        TEXT,
  sent_at         INTEGER
) STRICT;

CREATE INDEX webhook_message_due ON webhook_message (webhook_id, due_at, seq) WHERE due_at IS NOT NULL;
CREATE INDEX webhook_message_webhook ON webhook_message (webhook_id, seq);

-- Verifications whose end an endpoint wants to hear of, until then.
CREATE TABLE webhook_expiry (
  expires_at      INTEGER NOT NULL,
  verification_id TEXT NOT NULL,
  PRIMARY KEY (expires_at, verification_id)
) STRICT, WITHOUT ROWID;
