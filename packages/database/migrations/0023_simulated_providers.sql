-- Owner: packages/connections.

-- Providers whose connections in this database belong to the demo's simulators. Their tokens must never be sent to the
-- real service, nor tokens of real connections to a simulator.
CREATE TABLE simulated_providers (
  provider text PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);
