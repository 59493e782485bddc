-- Owner: packages/connections.

-- Tokens of recipes that have expired are refreshed before the recipe counts as imported. `check_sent_at`: when the request was sent, also if
-- its outcome was lost. `check_outcome`: null until it is known.
ALTER TABLE bulk_items ADD COLUMN check_sent_at timestamptz,
  ADD COLUMN check_outcome text CHECK (check_outcome IN ('refreshed', 'refused', 'unclear'));
