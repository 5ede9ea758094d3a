-- What the hash of the last entry that was deleted with age covers: it shows how old the entry was. Null where nothing was
-- deleted since; what the version before deleted has none.
ALTER TABLE audit_head ADD COLUMN removed_entry text;
