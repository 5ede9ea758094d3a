-- Written when it is issued, when a guess is judged and when its account says what it was, and never for what becomes of the message: that is what its
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
  confirmed_at              bigint,
  -- When it was ended before its time: canceled, or another code of its number was confirmed. This is a state: no clock takes
  -- it back. `expires_at` is `created_at` then, so that a node of the version before, which compares times, finds it over as well.
  ended_at                  bigint,
  -- The client brought the code, and may have it confirmed elsewhere.
  brought                   boolean NOT NULL DEFAULT false,
  -- Keyed hash of the network of the person's device; null if the client did not say.
  client_network            text,
  -- JSON of what is known of the person's device, hashed or cut.
  signals                   text,
  -- Wording and metadata, in one sealed text.
  details_sealed            text,
  -- What its account said of it, `fraud` or `good`, when, and how many codes that counts in the guard. All null if nothing.
  verdict                   text,
  verdict_at                bigint,
  verdict_weight            smallint
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
  choice          text,
  cost            bigint NOT NULL DEFAULT 0,
  -- What its receipt says about the price, in millionths, and about the network of the telephone. No currency is the configured one:
  -- the price is then the cost of the attempt, too.
  price           bigint,
  currency        text,
  network         text,
  -- Null: that of the verification.
  channel         text,
  PRIMARY KEY (verification_id, fence, position)
) PARTITION BY RANGE (verification_id);

CREATE INDEX attempt_reference ON attempt (carrier, reference) WHERE reference IS NOT NULL;

-- Who sent the message that somebody answers.
CREATE INDEX attempt_recipient ON attempt (carrier, recipient_tag, verification_id) WHERE recipient_tag IS NOT NULL;

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
-- `leg` is the channel that is next or under way: 0 is the one that was asked for. While the message waits for a receipt (due_at is
-- expires_at), `fallback_at` is when it goes by the next channel without one.
CREATE TABLE delivery (
  verification_id uuid PRIMARY KEY,
  code_sealed     text NOT NULL,
  due_at          bigint NOT NULL,
  expires_at      bigint NOT NULL,
  fence           integer NOT NULL DEFAULT 0,
  rounds          integer NOT NULL DEFAULT 0,
  leg             integer NOT NULL DEFAULT 0,
  fallback_at     bigint
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_insert_threshold = -1);

CREATE INDEX delivery_due ON delivery (due_at);

CREATE INDEX delivery_fallback ON delivery (fallback_at) WHERE fallback_at IS NOT NULL;

-- Where to find live codes by their number: only of accounts that ask for it, so that others pay for no random index. A row may
-- outlive its code; what is confirmed and what has expired is told by the verification.
CREATE TABLE code_by_number (
  destination_hash text COLLATE "C" NOT NULL,
  verification_id  uuid NOT NULL,
  channel          text NOT NULL,
  expires_at       bigint NOT NULL,
  PRIMARY KEY (destination_hash, verification_id)
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);

CREATE INDEX code_by_number_expires ON code_by_number (expires_at);

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
  price          bigint,
  currency       text,
  network        text,
  PRIMARY KEY (carrier, reference, receipt_id)
);

CREATE INDEX early_receipt_received ON early_receipt (received_at);

CREATE TABLE idempotency (
  account_id         text COLLATE "C" NOT NULL,
  key_hash           text COLLATE "C" NOT NULL,
  body_hash          text COLLATE "C" NOT NULL,
  verification_id    uuid NOT NULL,
  created_at         bigint NOT NULL,
  -- Of a guess that was judged wrong: how many were left after it. Null where the key is that of a confirmation, or of a request
  -- for a code.
  attempts_remaining integer,
  PRIMARY KEY (account_id, key_hash)
);

CREATE INDEX idempotency_created ON idempotency (created_at);

-- Finds what belongs to an erased verification. Ids are in order of time, so the index grows at its end.
CREATE INDEX idempotency_verification ON idempotency (verification_id);

-- Which span of which trace a message belongs to, while tracing is on: `name` is the verification's id, or the hash of a
-- carrier and the reference that its receipt will name; `context` is written as in a `traceparent`. A crash of the server
-- empties the table: what is lost is a link.
CREATE UNLOGGED TABLE trace_link (
  name     text COLLATE "C" PRIMARY KEY,
  context  text COLLATE "C" NOT NULL,
  noted_at bigint NOT NULL
);

CREATE INDEX trace_link_noted ON trace_link (noted_at);

-- Whom a messenger calls by a name of its own, hashed, and the last message to them that it reported: STOP may come without a
-- number. Nothing is known without the verification.
CREATE TABLE messenger_user (
  user_tag        text COLLATE "C" PRIMARY KEY,
  verification_id uuid NOT NULL,
  created_at      bigint NOT NULL
);

CREATE INDEX messenger_user_verification ON messenger_user (verification_id);
CREATE INDEX messenger_user_created ON messenger_user (created_at);
