-- A message without a recipient is one of which nothing comes back: no receipt is looked for, and its reference, which is random as a
-- rule, costs no page of this index.
DROP INDEX attempt_reference;
CREATE INDEX attempt_reference ON attempt (ended_at / 86400000, carrier, reference)
  WHERE reference IS NOT NULL AND recipient_tag IS NOT NULL;
