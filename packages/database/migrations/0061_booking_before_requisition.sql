-- Owner: packages/connections.

-- What an operator enables for a team in lab testing: appointments for orders whose requisition is not there yet.
ALTER TABLE teams ADD COLUMN booking_before_requisition boolean NOT NULL DEFAULT false;
