-- Owner: packages/connections.

-- What an operator enables for a team in lab testing: events and results before all results are there, orders for minors with a medical
-- proxy, and reviews of parsed reports by people.
ALTER TABLE teams
  ADD COLUMN partial_results boolean NOT NULL DEFAULT false,
  ADD COLUMN minor_ordering boolean NOT NULL DEFAULT false,
  ADD COLUMN human_review boolean NOT NULL DEFAULT false;
