-- Owner: packages/labs.
-- What service centers offer, as their partner said last, for requests that accept it.
CREATE TABLE lab_center_slots (
  provider text NOT NULL,
  is_simulated boolean NOT NULL,
  site_code text NOT NULL,
  -- Local days, both inclusive.
  first_day date NOT NULL,
  last_day date NOT NULL,
  slots jsonb NOT NULL,
  fetched_at timestamptz NOT NULL,
  PRIMARY KEY (provider, is_simulated, site_code)
);
