-- The ids of the keys that a key came from by rotation, as far as they are still there.
ALTER TABLE api_key ADD COLUMN predecessors text;

-- next transaction
WITH RECURSIVE line (id, before) AS (
  SELECT replaced_by, '"' || id || '"' FROM api_key AS first
  WHERE replaced_by IS NOT NULL AND NOT EXISTS (SELECT 1 FROM api_key AS earlier WHERE earlier.replaced_by = first.id)
  UNION ALL
  SELECT api_key.replaced_by, line.before || ',"' || api_key.id || '"' FROM line JOIN api_key ON api_key.id = line.id
  WHERE api_key.replaced_by IS NOT NULL
)
UPDATE api_key SET predecessors = '[' || line.before || ']' FROM line WHERE line.id = api_key.id;
