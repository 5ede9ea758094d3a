-- Says of one call of `issue` what that would answer now, and writes nothing but what a refusal writes. If it would be issued, the
-- price of asking about its number is taken from the budgets of its reservation, and counted; then there are only rows of the budgets
-- that it filled so far.
CREATE FUNCTION admit(
  ids uuid[], account_ids text[], key_ids text[], tests boolean[], channels text[], countries text[],
  hashes text[], earlier_hashes text[], destinations_sealed text[], code_macs text[], codes_sealed text[],
  guesses integer[], created bigint[], expires bigint[], leased bigint[],
  idempotency_keys text[], body_hashes text[], idempotency_windows bigint[],
  request_maxes integer[], request_windows bigint[], send_maxes integer[], send_windows bigint[],
  client_networks text[], details text[], brought_codes boolean[], all_signals text[], reservations jsonb[],
  by_number boolean[], ending boolean[], nearly_used double precision, price bigint)
RETURNS TABLE (
  call_number integer, outcome text, limit_number integer, retry_after bigint,
  first_id uuid, first_destination text, first_channel text)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  charges CONSTANT jsonb := reservations[1] -> 'charges';
  worst CONSTANT bigint := price_of(reservations[1] -> 'prices', NULL);
BEGIN
  LOOP
    BEGIN
      RETURN QUERY
      SELECT * FROM issue(
        ids, account_ids, key_ids, tests, channels, countries, hashes, earlier_hashes, destinations_sealed, code_macs,
        codes_sealed, guesses, created, expires, leased, idempotency_keys, body_hashes, idempotency_windows, request_maxes,
        request_windows, send_maxes, send_windows, client_networks, details, brought_codes, all_signals, reservations,
        by_number, ending, nearly_used) AS answer
      WHERE answer.outcome <> 'nearly-used';
      IF FOUND THEN
        RETURN;
      END IF;
      -- Undoes what was issued, with its locks.
      RAISE EXCEPTION USING ERRCODE = 'CSADM';
    EXCEPTION WHEN SQLSTATE 'CSADM' THEN
      NULL;
    END;
    EXIT WHEN charges IS NULL;
    BEGIN
      PERFORM lock_budgets(ARRAY[charges]);
      -- With room for the message, as when it was issued; where another call took that meanwhile, this one hears which budget is full.
      IF take_from_budgets(charges, worst, 1) THEN
        PERFORM take_from_budgets(charges, price - worst, -1);
        RETURN QUERY
        SELECT warned.call_number, warned.outcome, warned.charge_number, warned.retry_after, NULL::uuid, NULL::text, NULL::text
        FROM warn_of_budgets(reservations, ARRAY[1], nearly_used) AS warned;
        EXIT;
      END IF;
      -- Gives the rows free: `issue` locks others before them.
      RAISE EXCEPTION USING ERRCODE = 'CSADM';
    EXCEPTION WHEN SQLSTATE 'CSADM' THEN
      NULL;
    END;
  END LOOP;
  IF price > 0 THEN
    INSERT INTO tally_event (at, account_id, test, channel, country, carrier, key_id, event, amount)
    VALUES (created[1] - created[1] % 10000, account_ids[1], tests[1], channels[1], countries[1], '', key_ids[1], 'cost', price);
  END IF;
END
$$;
