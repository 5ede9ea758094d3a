-- Messages that go by another channel if the first does not reach. `leg` is the channel that is next or under way: 0 is the one that was
-- asked for. While a message waits for a receipt (due_at is expires_at), `fallback_at` is when it goes by the next channel without one.
ALTER TABLE verification ADD COLUMN leg INTEGER NOT NULL DEFAULT 0;
ALTER TABLE verification ADD COLUMN fallback_at INTEGER;

CREATE INDEX verification_fallback ON verification (fallback_at) WHERE fallback_at IS NOT NULL AND due_at IS NOT NULL;

-- Null: that of the verification.
ALTER TABLE attempt ADD COLUMN channel TEXT;
ALTER TABLE webhook_message ADD COLUMN channel TEXT;
