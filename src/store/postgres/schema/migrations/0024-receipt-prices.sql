-- What a receipt says about the price, in millionths, and about the network of the telephone. No currency is the configured
-- one: the price is then the cost of the attempt, too.
ALTER TABLE attempt ADD COLUMN price bigint, ADD COLUMN currency text, ADD COLUMN network text;
-- next transaction
ALTER TABLE early_receipt ADD COLUMN price bigint, ADD COLUMN currency text, ADD COLUMN network text;
