-- Owner: packages/connections.

-- Days of history that a team wants of every provider that lets them be read; null: what is usual at each.
ALTER TABLE teams ADD COLUMN history_days integer CHECK (history_days BETWEEN 1 AND 365);
