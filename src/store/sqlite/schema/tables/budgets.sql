-- What is used of a budget in one period, reserved amounts included: money in millionths of the currency. `warned_money` and
-- `warned_messages` are the highest limits that were told to be nearly used.
CREATE TABLE budget_use (
  kind            TEXT NOT NULL,
  subject         TEXT NOT NULL,
  per             TEXT NOT NULL,
  starts_at       INTEGER NOT NULL,
  ends_at         INTEGER NOT NULL,
  money           INTEGER NOT NULL,
  messages        INTEGER NOT NULL,
  warned_money    INTEGER NOT NULL DEFAULT 0,
  warned_messages INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject, per, starts_at)
) STRICT, WITHOUT ROWID;

-- What a verification has taken from budgets, until it is settled for good. `charges` and `prices` are JSON; `held` is what
-- is counted in `budget_use`; `spent` is what rounds of attempts that are over may have cost, null if they sent nothing.
-- While `under_way`, the round of the lease `fence` may cost any of the prices once more.
CREATE TABLE reservation (
  verification_id TEXT NOT NULL PRIMARY KEY,
  charges         TEXT NOT NULL,
  prices          TEXT NOT NULL,
  held            INTEGER NOT NULL,
  spent           INTEGER,
  fence           INTEGER NOT NULL,
  under_way       INTEGER NOT NULL,
  expires_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX reservation_expires ON reservation (expires_at);

-- What was taken of a day's quota; `granted` is what its last taker got.
CREATE TABLE quota (
  name    TEXT NOT NULL,
  day     INTEGER NOT NULL,
  taken   INTEGER NOT NULL,
  granted INTEGER NOT NULL,
  PRIMARY KEY (name, day)
) STRICT, WITHOUT ROWID;
