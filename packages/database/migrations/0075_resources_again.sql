-- Owner: packages/connections.

-- Resources whose history must be read once more, from the ending provider or from the successor: pages of it were left out while the
-- history of the other one was still being read.
ALTER TABLE resource_handovers ADD COLUMN ending_again text[] NOT NULL DEFAULT '{}', ADD COLUMN successor_again text[] NOT NULL DEFAULT '{}';
