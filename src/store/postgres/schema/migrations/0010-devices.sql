-- What a person's devices are known by: another value makes every device's cookie void.
ALTER TABLE person ADD COLUMN devices text COLLATE "C" NOT NULL DEFAULT '';

-- next transaction
-- How often it was done, where entries of one kind are one.
ALTER TABLE audit_entry ADD COLUMN times bigint NOT NULL DEFAULT 1;
