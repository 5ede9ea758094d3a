-- Alerts that may fire, fire or fired. `account_id` is empty for those of the installation. `firing_since` is null while it is not
-- bad for long enough, `good_since` while it is bad, `told_at` until somebody was told; `over_at` until it is over.
CREATE TABLE alert (
  id           text COLLATE "C" PRIMARY KEY,
  account_id   text COLLATE "C" NOT NULL,
  rule         text COLLATE "C" NOT NULL,
  subject      text COLLATE "C" NOT NULL,
  detail       text COLLATE "C" NOT NULL,
  place        text COLLATE "C" NOT NULL,
  bad_since    bigint NOT NULL,
  firing_since bigint,
  good_since   bigint,
  told_at      bigint,
  over_at      bigint
);

CREATE UNIQUE INDEX alert_standing ON alert (account_id, rule, subject) WHERE over_at IS NULL;
CREATE INDEX alert_over ON alert (account_id, over_at) WHERE over_at IS NOT NULL;

-- What is to be told, and to whom. `account_id` is empty for places that the configuration names; `target` is a person, an address
-- of the configuration, or empty for a webhook. `facts` is JSON for the text. `due_at` is null when nothing is left to do: sent if
-- `sent_at` is set, and otherwise given up. What went in one letter has the same `letter`.
CREATE TABLE alert_notice (
  id          text COLLATE "C" PRIMARY KEY,
  alert_id    text COLLATE "C" NOT NULL,
  account_id  text COLLATE "C" NOT NULL,
  channel     text COLLATE "C" NOT NULL CHECK (channel IN ('email', 'webhook')),
  target      text COLLATE "C" NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  at          bigint NOT NULL,
  facts       text COLLATE "C" NOT NULL,
  due_at      bigint,
  tries       integer NOT NULL DEFAULT 0,
  last_try_at bigint,
  last_answer text COLLATE "C",
  sent_at     bigint,
  letter      text COLLATE "C"
);

CREATE INDEX alert_notice_due ON alert_notice (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX alert_notice_alert ON alert_notice (alert_id);
CREATE INDEX alert_notice_target ON alert_notice (account_id, channel, target, last_try_at);

-- Members who want mail to their own address.
CREATE TABLE alert_subscriber (
  account_id text COLLATE "C" NOT NULL REFERENCES account (id),
  person_id  text COLLATE "C" NOT NULL,
  since      bigint NOT NULL,
  PRIMARY KEY (account_id, person_id)
);

-- The webhook of an account: address and secret, sealed together.
CREATE TABLE alert_webhook (
  account_id text COLLATE "C" PRIMARY KEY REFERENCES account (id),
  sealed     text COLLATE "C" NOT NULL,
  host       text COLLATE "C" NOT NULL,
  added_by   text COLLATE "C" NOT NULL,
  added_at   bigint NOT NULL
);

-- Which node looks, and until when it may.
CREATE TABLE alert_turn (
  name    text COLLATE "C" PRIMARY KEY,
  holder  text COLLATE "C" NOT NULL,
  ends_at bigint NOT NULL
);

INSERT INTO alert_turn (name, holder, ends_at) VALUES ('turn', '', 0);
