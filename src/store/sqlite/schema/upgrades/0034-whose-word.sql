-- Whose address a provider vouched for, and who invited whom.
ALTER TABLE person ADD COLUMN vouched INTEGER NOT NULL DEFAULT 0;
UPDATE person SET vouched = 1 WHERE id IN (SELECT person_id FROM identity);

ALTER TABLE invitation ADD COLUMN invited_by TEXT;
