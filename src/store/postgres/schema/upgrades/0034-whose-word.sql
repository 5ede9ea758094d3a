-- Whose address a provider vouched for, and who invited whom.
ALTER TABLE person ADD COLUMN vouched boolean NOT NULL DEFAULT false;

-- next transaction
UPDATE person SET vouched = true WHERE id IN (SELECT person_id FROM identity);

-- next transaction
ALTER TABLE invitation ADD COLUMN invited_by text COLLATE "C";
