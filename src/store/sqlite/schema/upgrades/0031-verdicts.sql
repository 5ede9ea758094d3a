-- What an account says of a verification of its own, and how many such verdicts counted.
ALTER TABLE verification ADD COLUMN verdict TEXT;
ALTER TABLE verification ADD COLUMN verdict_at INTEGER;
ALTER TABLE verification ADD COLUMN verdict_weight INTEGER;

CREATE TABLE verdict_count (
  subject TEXT NOT NULL,
  verdict TEXT NOT NULL,
  day     INTEGER NOT NULL,
  counted INTEGER NOT NULL,
  PRIMARY KEY (subject, verdict, day)
) STRICT, WITHOUT ROWID;
