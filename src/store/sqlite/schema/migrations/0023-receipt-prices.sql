-- What a receipt says about the price, in millionths, and about the network of the telephone. No currency is the configured
-- one: the price is then the cost of the attempt, too.
ALTER TABLE attempt ADD COLUMN price INTEGER;
ALTER TABLE attempt ADD COLUMN currency TEXT;
ALTER TABLE attempt ADD COLUMN network TEXT;
ALTER TABLE early_receipt ADD COLUMN price INTEGER;
ALTER TABLE early_receipt ADD COLUMN currency TEXT;
ALTER TABLE early_receipt ADD COLUMN network TEXT;
