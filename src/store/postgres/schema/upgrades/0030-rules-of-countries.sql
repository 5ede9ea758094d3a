-- A rule of the guard may be about a country.
ALTER TABLE guard_rule DROP CONSTRAINT guard_rule_subject_check,
  ADD CONSTRAINT guard_rule_subject_check
    CHECK (subject IN ('range', 'number', 'country', 'account', 'key', 'address'));
