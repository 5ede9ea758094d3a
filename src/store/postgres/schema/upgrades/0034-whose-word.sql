-- Whose address a provider vouched for, and who invited whom.
ALTER TABLE person ADD COLUMN vouched boolean NOT NULL DEFAULT false;
UPDATE person SET vouched = true WHERE id IN (SELECT person_id FROM identity);

ALTER TABLE invitation ADD COLUMN invited_by text COLLATE "C";
