-- Erases verifications of these destinations, sorted by id, and all that belongs to them. Answers how many. What counts against the limits
-- of a destination is in `destination`, which names no verification, and stays until it no longer counts.
--
-- Locks tables in the order of all functions (issue.sql), so a settlement or a receipt under way is waited for, and one that
-- comes later finds no verification.
CREATE FUNCTION erase(ids uuid[], hashes text[], receipts uuid[]) RETURNS integer
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  lowest CONSTANT uuid := ids[1];
  highest CONSTANT uuid := ids[cardinality(ids)];
  -- The hash of a verification never changes.
  wanted CONSTANT uuid[] := array(
    SELECT id FROM verification
    WHERE id = ANY (ids) AND id BETWEEN lowest AND highest AND destination_hash = ANY (hashes) ORDER BY id);
  erased integer;
BEGIN
  DELETE FROM idempotency WHERE verification_id = ANY (wanted);
  PERFORM FROM delivery WHERE verification_id = ANY (wanted) ORDER BY verification_id FOR UPDATE;
  DELETE FROM delivery WHERE verification_id = ANY (wanted);
  PERFORM FROM verification
  WHERE verification.id = ANY (wanted) AND verification.id BETWEEN lowest AND highest ORDER BY verification.id FOR UPDATE;
  DELETE FROM verification WHERE id = ANY (wanted) AND id BETWEEN lowest AND highest;
  GET DIAGNOSTICS erased = ROW_COUNT;
  DELETE FROM attempt WHERE verification_id = ANY (wanted) AND verification_id BETWEEN lowest AND highest;
  DELETE FROM inbox_message
  WHERE destination_hash = ANY (hashes) AND verification_id = ANY (wanted) AND verification_id BETWEEN lowest AND highest;
  -- The keys of guesses that were judged while this waited for the verification.
  DELETE FROM idempotency WHERE verification_id = ANY (wanted);
  DELETE FROM code_by_number WHERE destination_hash = ANY (hashes) AND verification_id = ANY (wanted);
  DELETE FROM messenger_user WHERE verification_id = ANY (wanted);
  DELETE FROM early_receipt WHERE receipt_id = ANY (receipts);
  PERFORM end_reservations(wanted);
  RETURN erased;
END
$$;
