-- Finds what belongs to an erased verification. Ids are in order of time, so the index grows at its end.
CREATE INDEX idempotency_verification ON idempotency (verification_id);
