-- What is used of a budget in one period, reserved amounts included: money in millionths of the currency. `warned_money` and
-- `warned_messages` are the highest limits that were told to be nearly used.
CREATE TABLE budget_use (
  kind            text COLLATE "C" NOT NULL,
  subject         text COLLATE "C" NOT NULL,
  per             text COLLATE "C" NOT NULL,
  starts_at       bigint NOT NULL,
  ends_at         bigint NOT NULL,
  money           bigint NOT NULL DEFAULT 0,
  messages        bigint NOT NULL DEFAULT 0,
  warned_money    bigint NOT NULL DEFAULT 0,
  warned_messages bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, subject, per, starts_at)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

-- What a verification has taken from budgets, until it is settled for good. `held` is what is counted in `budget_use`;
-- `spent` is what rounds of attempts that are over may have cost, null if they sent nothing. While `under_way`, the round of
-- the lease `fence` may cost any of the prices once more.
CREATE TABLE reservation (
  verification_id uuid PRIMARY KEY,
  charges         jsonb NOT NULL,
  prices          jsonb NOT NULL,
  held            bigint NOT NULL,
  spent           bigint,
  fence           integer NOT NULL,
  under_way       boolean NOT NULL,
  expires_at      bigint NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX reservation_expires ON reservation (expires_at);

-- What was taken of a day's quota; `granted` is what its last taker got.
CREATE TABLE quota (
  name    text COLLATE "C" NOT NULL,
  day     integer NOT NULL,
  taken   bigint NOT NULL,
  granted bigint NOT NULL,
  PRIMARY KEY (name, day)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
