-- Owner: packages/connections.

-- Unknown API keys by the address that they came from (IPv6: its /64), counted by all processes together. A row counts for a minute.
CREATE TABLE failed_keys (
  address text PRIMARY KEY,
  failures int NOT NULL,
  -- Of the first failure that counts.
  since timestamptz NOT NULL
);
