-- What requests may say in addition. `details_sealed`: wording and metadata, in one sealed text. `brought`: the client brought the
-- code, and may have it confirmed elsewhere. `signals`: JSON of what is known of the person's device, hashed or cut.
ALTER TABLE verification
  ADD COLUMN details_sealed text,
  ADD COLUMN brought boolean NOT NULL DEFAULT false,
  ADD COLUMN signals text;

-- next transaction
-- Whether a key may bring codes.
ALTER TABLE api_key ADD COLUMN custom_codes boolean NOT NULL DEFAULT false;
