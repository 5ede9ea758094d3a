-- Of a guess that was judged wrong: how many were left after it. Null where the key is that of a confirmation, or of a
-- request for a code.
ALTER TABLE idempotency ADD COLUMN attempts_remaining integer;
