-- Owner: packages/labs.
-- The booking that a job removes at its partner. It outlives the appointment, which is erased with its user.
ALTER TABLE lab_partner_jobs ADD COLUMN booking jsonb;

-- When the lab last reported about an order, by the lab's clock: older reports are ignored.
ALTER TABLE lab_orders ADD COLUMN lab_noticed_at timestamptz;

-- Parcels of test kits, as their shipping company reports them.
CREATE TABLE lab_shipments (
  shipment_id uuid PRIMARY KEY,
  order_id uuid NOT NULL UNIQUE REFERENCES lab_orders ON DELETE CASCADE,
  team_id uuid NOT NULL,
  partner text NOT NULL,
  -- The company's id of the parcel.
  provider_id text NOT NULL,
  -- Tracking numbers and notes.
  details bytea NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX lab_shipments_by_provider ON lab_shipments (partner, provider_id);

-- Images of an order's insurance cards and signatures, and documents from its lab. Apart from lab_order_details, which every list reads.
CREATE TABLE lab_order_files (
  order_id uuid NOT NULL REFERENCES lab_orders ON DELETE CASCADE,
  part text NOT NULL,
  content_type text NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (order_id, part)
);
