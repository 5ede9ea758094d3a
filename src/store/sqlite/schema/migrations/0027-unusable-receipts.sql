-- Receipts of the last hour that were of no use, counted by why: a JSON object, or null.
ALTER TABLE carrier_state ADD COLUMN unusable TEXT;
