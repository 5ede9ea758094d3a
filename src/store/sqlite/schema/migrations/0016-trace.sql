-- Which span of which trace a message belongs to, while tracing is on: `name` is the verification's id, or the hash of a
-- carrier and the reference that its receipt will name; `context` is written as in a `traceparent`.
CREATE TABLE trace_link (
  name     TEXT NOT NULL PRIMARY KEY,
  context  TEXT NOT NULL,
  noted_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX trace_link_noted ON trace_link (noted_at);
