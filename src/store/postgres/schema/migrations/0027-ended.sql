-- When a code was ended before its time: canceled, or another code of its number was confirmed. This is a state: no clock takes it
-- back. `expires_at` is `created_at` then, so that a node of the version before, which compares times, finds it over as well.
ALTER TABLE verification ADD COLUMN ended_at bigint;
