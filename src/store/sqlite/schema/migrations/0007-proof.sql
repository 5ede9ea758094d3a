-- When the person last proved who they are. Sessions of before have to prove it before they change what signs them in.
ALTER TABLE session ADD COLUMN proven_at INTEGER NOT NULL DEFAULT 0;
