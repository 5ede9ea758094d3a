-- Whom a messenger calls by a name of its own, hashed, and the last message to them that it reported: STOP may come without a
-- number. Nothing is known without the verification.
CREATE TABLE messenger_user (
  user_tag        TEXT PRIMARY KEY,
  verification_id TEXT NOT NULL,
  created_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX messenger_user_verification ON messenger_user (verification_id);
CREATE INDEX messenger_user_created ON messenger_user (created_at);

ALTER TABLE blocked_number ADD COLUMN plans TEXT NOT NULL DEFAULT 'unknown';
DROP INDEX blocked_number_secret;
CREATE INDEX blocked_number_hashed ON blocked_number (secret_id, plans, id);
