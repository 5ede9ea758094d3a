-- Finds what belongs to an erased verification. Ids are in order of time, so the index grows at its end.
CREATE INDEX idempotency_verification ON idempotency (verification_id);

-- What is left of erased verifications, for the purge; it holds no other row.
CREATE INDEX verification_erased ON verification (created_at) WHERE account_id = '';
