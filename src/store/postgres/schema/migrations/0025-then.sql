-- Messages that go by another channel if the first does not reach. `leg` is the channel that is next or under way: 0 is the one that was
-- asked for. While a message waits for a receipt (due_at is expires_at), `fallback_at` is when it goes by the next channel without one.
ALTER TABLE delivery ADD COLUMN leg integer NOT NULL DEFAULT 0, ADD COLUMN fallback_at bigint;

CREATE INDEX delivery_fallback ON delivery (fallback_at) WHERE fallback_at IS NOT NULL;

-- next transaction
-- Null: that of the verification.
ALTER TABLE attempt ADD COLUMN channel text;
-- next transaction
ALTER TABLE webhook_message ADD COLUMN channel text;
