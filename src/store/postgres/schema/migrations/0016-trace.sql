-- Which span of which trace a message belongs to, while tracing is on: `name` is the verification's id, or the hash of a
-- carrier and the reference that its receipt will name; `context` is written as in a `traceparent`. A crash of the server
-- empties the table: what is lost is a link.
CREATE UNLOGGED TABLE trace_link (
  name     text COLLATE "C" PRIMARY KEY,
  context  text COLLATE "C" NOT NULL,
  noted_at bigint NOT NULL
);

CREATE INDEX trace_link_noted ON trace_link (noted_at);
