-- What an account says of a verification of its own, and how many such verdicts counted.
CREATE TABLE verdict_count (
  subject text COLLATE "C" NOT NULL,
  verdict text COLLATE "C" NOT NULL,
  day     bigint NOT NULL,
  counted bigint NOT NULL,
  PRIMARY KEY (subject, verdict, day)
);

ALTER TABLE verification ADD COLUMN verdict text, ADD COLUMN verdict_at bigint, ADD COLUMN verdict_weight smallint;
