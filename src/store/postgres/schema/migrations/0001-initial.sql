-- Times are Unix milliseconds. Codes, destinations and messages are sealed or hashed before they come here. Keys and
-- hashes are compared byte by byte (COLLATE "C"): cheaper, and the same order for everybody who locks rows in it.

CREATE TABLE account (
  id         text COLLATE "C" PRIMARY KEY,
  name       text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL
);

CREATE TABLE api_key (
  id           text COLLATE "C" PRIMARY KEY,
  account_id   text COLLATE "C" NOT NULL REFERENCES account (id),
  name         text NOT NULL,
  test         boolean NOT NULL,
  prefix       text COLLATE "C" NOT NULL UNIQUE,
  hash         text COLLATE "C" NOT NULL UNIQUE,
  created_at   bigint NOT NULL,
  last_used_at bigint,
  revoked_at   bigint
);

-- One row, which rises with every key that is made or revoked. `probed_at` is written to see whether a commit is possible.
CREATE TABLE installation (
  only_row      boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  keys_revision bigint NOT NULL DEFAULT 0,
  probed_at     bigint NOT NULL DEFAULT 0
);
INSERT INTO installation DEFAULT VALUES;

-- Written when it is issued and when a guess is judged, and never for what becomes of the message: that is what its
-- attempts say. Ids are UUIDv7 and begin with their time, so a partition is a day, and the id alone says which. Partitions are made
-- and dropped by the program (partitions.ts); what one is made of is said there too.
CREATE TABLE verification (
  id                        uuid PRIMARY KEY,
  account_id                text COLLATE "C" NOT NULL,
  key_id                    text COLLATE "C" NOT NULL,
  test                      boolean NOT NULL,
  channel                   text NOT NULL,
  country                   text NOT NULL,
  destination_hash          text COLLATE "C" NOT NULL,
  previous_destination_hash text COLLATE "C",
  destination_sealed        text NOT NULL,
  code_mac                  text COLLATE "C" NOT NULL,
  guesses_left              integer NOT NULL,
  created_at                bigint NOT NULL,
  expires_at                bigint NOT NULL,
  confirmed_at              bigint
) PARTITION BY RANGE (id);

-- A round of attempts has one fence, so that a settlement written twice is written once.
CREATE TABLE attempt (
  verification_id uuid NOT NULL,
  fence           integer NOT NULL,
  position        integer NOT NULL,
  carrier         text COLLATE "C" NOT NULL,
  started_at      bigint NOT NULL,
  ended_at        bigint NOT NULL,
  outcome         text NOT NULL,
  reference       text COLLATE "C",
  recipient_tag   text COLLATE "C",
  reason          text,
  receipt         text,
  receipt_reason  text,
  receipt_at      bigint,
  PRIMARY KEY (verification_id, fence, position)
) PARTITION BY RANGE (verification_id);

CREATE INDEX attempt_reference ON attempt (carrier, reference) WHERE reference IS NOT NULL;

-- What the simulator delivered.
CREATE TABLE inbox_message (
  account_id       text COLLATE "C" NOT NULL,
  verification_id  uuid NOT NULL,
  destination_hash text COLLATE "C" NOT NULL,
  code_sealed      text NOT NULL,
  received_at      bigint NOT NULL,
  PRIMARY KEY (account_id, verification_id)
) PARTITION BY RANGE (verification_id);

CREATE INDEX inbox_message_destination ON inbox_message (destination_hash, account_id);

-- The queue. A row lives while its code may still have to be sent; its end erases the sealed code.
-- due_at is lease and schedule in one: when somebody may (again) take the row up.
-- Small and busy, so it is vacuumed by the number of dead rows, not by their share.
CREATE TABLE delivery (
  verification_id uuid PRIMARY KEY,
  code_sealed     text NOT NULL,
  due_at          bigint NOT NULL,
  expires_at      bigint NOT NULL,
  fence           integer NOT NULL DEFAULT 0,
  rounds          integer NOT NULL DEFAULT 0
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1);

CREATE INDEX delivery_due ON delivery (due_at);

-- What the limits of a destination look back at: one row, so that whoever holds it knows all of it. `granted` is how
-- many places its last writer got. The index finds what is too old to count; a day is coarse enough that most
-- updates leave it alone and stay on their page.
CREATE TABLE destination (
  hash     text COLLATE "C" PRIMARY KEY,
  sends    bigint[] NOT NULL,
  failures bigint[] NOT NULL DEFAULT '{}',
  granted  integer NOT NULL DEFAULT 0,
  last_day bigint NOT NULL
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX destination_last_day ON destination (last_day);

-- Requests of a key are numbered; the log says when they came, a row for all that came in one moment.
-- Request number n may come once number n - max has left the window.
CREATE TABLE key_usage (
  key_id   text COLLATE "C" PRIMARY KEY,
  requests bigint NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE request_log (
  key_id       text COLLATE "C" NOT NULL,
  first_number bigint NOT NULL,
  last_number  bigint NOT NULL,
  requested_at bigint NOT NULL,
  PRIMARY KEY (key_id, last_number)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE TABLE idempotency (
  account_id      text COLLATE "C" NOT NULL,
  key_hash        text COLLATE "C" NOT NULL,
  body_hash       text COLLATE "C" NOT NULL,
  verification_id uuid NOT NULL,
  created_at      bigint NOT NULL,
  PRIMARY KEY (account_id, key_hash)
);

CREATE INDEX idempotency_created ON idempotency (created_at);

-- Receipts that overtook our own write of the carrier's reference; one row for each spelling of it.
CREATE TABLE early_receipt (
  carrier        text COLLATE "C" NOT NULL,
  reference      text COLLATE "C" NOT NULL,
  receipt_id     uuid NOT NULL,
  spellings      text[] NOT NULL,
  recipient_tags text[] NOT NULL,
  status         text NOT NULL,
  reason         text,
  received_at    bigint NOT NULL,
  PRIMARY KEY (carrier, reference, receipt_id)
);

CREATE INDEX early_receipt_received ON early_receipt (received_at);

-- When a carrier may be sent its next message, in Unix ms with fractions, by the clock of the database.
CREATE TABLE carrier_schedule (
  carrier text COLLATE "C" PRIMARY KEY,
  next_at double precision NOT NULL
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
