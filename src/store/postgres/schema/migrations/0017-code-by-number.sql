-- Where to find live codes by their number: only of accounts that ask for it, so that others pay for no random index. A row may
-- outlive its code; what is confirmed and what has expired is told by the verification.
CREATE TABLE code_by_number (
  destination_hash text COLLATE "C" NOT NULL,
  verification_id  uuid NOT NULL,
  channel          text NOT NULL,
  expires_at       bigint NOT NULL,
  PRIMARY KEY (destination_hash, verification_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX code_by_number_expires ON code_by_number (expires_at);
