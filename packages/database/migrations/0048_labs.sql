-- Owner: packages/labs.
-- Patients, addresses, notes, insurance, results and reports are sealed (bytea). In the clear are ids, statuses, times and codes of the catalogue.

-- Which version of the data that comes with the release is loaded.
CREATE TABLE lab_data_loads (
  name text PRIMARY KEY,
  digest text NOT NULL,
  loaded_at timestamptz NOT NULL
);

CREATE TABLE labs (
  lab_id integer PRIMARY KEY,
  slug text NOT NULL UNIQUE,
  name text NOT NULL,
  first_line_address text NOT NULL,
  city text NOT NULL,
  zipcode text NOT NULL,
  collection_methods text[] NOT NULL,
  sample_types text[] NOT NULL,
  bill_types text[] NOT NULL,
  has_service_centers boolean NOT NULL
);

CREATE TABLE loinc_codes (
  loinc_id integer PRIMARY KEY,
  code text NOT NULL UNIQUE,
  name text NOT NULL,
  slug text NOT NULL,
  unit text
);

-- What a lab can be asked for, and the components of its panels (not orderable by themselves).
CREATE TABLE lab_markers (
  marker_id integer PRIMARY KEY,
  lab_id integer NOT NULL REFERENCES labs,
  provider_id text NOT NULL,
  name text NOT NULL,
  slug text NOT NULL,
  description text NOT NULL,
  type text NOT NULL,
  unit text,
  loinc_id integer REFERENCES loinc_codes,
  price_minor integer,
  sample_type text NOT NULL,
  is_orderable boolean NOT NULL,
  is_reflex boolean NOT NULL,
  a_la_carte_enabled boolean NOT NULL,
  common_tat_days integer,
  worst_case_tat_days integer,
  questions jsonb,
  range_min double precision,
  range_max double precision,
  UNIQUE (lab_id, provider_id)
);

CREATE TABLE lab_marker_results (
  marker_id integer NOT NULL REFERENCES lab_markers ON DELETE CASCADE,
  position smallint NOT NULL,
  result_id integer NOT NULL REFERENCES lab_markers,
  is_required boolean NOT NULL,
  PRIMARY KEY (marker_id, position)
);

CREATE TABLE lab_tests (
  lab_test_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  lab_id integer NOT NULL REFERENCES labs,
  slug text NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  method text NOT NULL,
  sample_type text NOT NULL,
  status text NOT NULL,
  fasting boolean NOT NULL DEFAULT false,
  auto_generated boolean NOT NULL DEFAULT false,
  -- Of an automatic test: its markers and method, so that equal orders share one.
  composition text,
  lab_account_id uuid,
  price_minor integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX lab_tests_by_team ON lab_tests (team_id, created_at, lab_test_id);
CREATE UNIQUE INDEX lab_tests_by_composition ON lab_tests (team_id, composition) WHERE composition IS NOT NULL;

CREATE TABLE lab_test_markers (
  lab_test_id uuid NOT NULL REFERENCES lab_tests ON DELETE CASCADE,
  position smallint NOT NULL,
  marker_id integer NOT NULL REFERENCES lab_markers,
  PRIMARY KEY (lab_test_id, position)
);

CREATE TABLE lab_accounts (
  lab_account_id uuid PRIMARY KEY,
  lab_id integer NOT NULL REFERENCES labs,
  org_id uuid,
  status text NOT NULL,
  delegated_flow text NOT NULL,
  provider_account_id text NOT NULL,
  account_name text,
  default_clinical_notes text,
  business_units text[],
  allowed_billing jsonb NOT NULL,
  -- Used by teams without an account of their own at this lab.
  is_platform boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX lab_accounts_of_platform ON lab_accounts (lab_id) WHERE is_platform;

CREATE TABLE lab_account_teams (
  team_id uuid NOT NULL,
  lab_account_id uuid NOT NULL REFERENCES lab_accounts ON DELETE CASCADE,
  PRIMARY KEY (team_id, lab_account_id)
);
CREATE INDEX lab_account_teams_by_account ON lab_account_teams (lab_account_id);

CREATE TABLE zip_areas (
  zip_code text PRIMARY KEY,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  iana_timezone text NOT NULL
);

CREATE TABLE lab_service_centers (
  lab_id integer NOT NULL REFERENCES labs,
  site_code text NOT NULL,
  name text NOT NULL,
  first_line text NOT NULL,
  second_line text,
  city text NOT NULL,
  state text NOT NULL,
  zip_code text NOT NULL,
  phone_number text,
  fax_number text,
  website text,
  hours jsonb,
  lat double precision NOT NULL,
  lng double precision NOT NULL,
  iana_timezone text NOT NULL,
  capabilities text[] NOT NULL,
  bill_types text[] NOT NULL,
  is_active boolean NOT NULL,
  -- synthetic: made up by us; imported: from an operator's file.
  origin text NOT NULL,
  PRIMARY KEY (lab_id, site_code)
);
CREATE INDEX lab_service_centers_by_place ON lab_service_centers (lab_id, lat, lng) WHERE is_active;

CREATE TABLE phlebotomy_areas (
  provider text NOT NULL,
  zip_prefix text NOT NULL,
  tiers text[] NOT NULL,
  PRIMARY KEY (provider, zip_prefix)
);

-- A random key per team, for searching names by their hashes.
CREATE TABLE lab_team_keys (
  team_id uuid PRIMARY KEY,
  search_key bytea NOT NULL
);

CREATE TABLE lab_user_info (
  user_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  details bytea NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE lab_user_insurance (
  user_id uuid NOT NULL,
  is_primary boolean NOT NULL,
  team_id uuid NOT NULL,
  insurance_id uuid NOT NULL,
  details bytea NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, is_primary)
);

CREATE TABLE lab_order_transactions (
  transaction_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid,
  created_at timestamptz NOT NULL
);
CREATE INDEX lab_order_transactions_by_user ON lab_order_transactions (user_id);

-- Rows are narrow, because lists filter them; what is personal is in lab_order_details. After an erasure user_id is null.
CREATE TABLE lab_orders (
  order_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid,
  transaction_id uuid NOT NULL REFERENCES lab_order_transactions,
  parent_id uuid,
  origin text NOT NULL,
  lab_id integer NOT NULL,
  lab_test_id uuid NOT NULL REFERENCES lab_tests,
  lab_account_id uuid,
  method text NOT NULL,
  status text NOT NULL,
  status_at timestamptz NOT NULL,
  interpretation text,
  has_missing_results boolean,
  has_abn boolean NOT NULL DEFAULT false,
  is_registrable boolean NOT NULL DEFAULT false,
  sample_id text,
  priority boolean NOT NULL DEFAULT false,
  billing_type text NOT NULL,
  activate_by date,
  was_scheduled boolean NOT NULL DEFAULT false,
  collected_on date,
  sms_enabled boolean NOT NULL DEFAULT true,
  -- Keyed hashes of the beginnings of names, and of the birth date.
  name_hashes bigint[] NOT NULL DEFAULT '{}',
  recipient_hashes bigint[] NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX lab_orders_by_team ON lab_orders (team_id, created_at DESC, order_id DESC) WHERE user_id IS NOT NULL;
CREATE INDEX lab_orders_by_update ON lab_orders (team_id, updated_at) WHERE user_id IS NOT NULL;
CREATE INDEX lab_orders_by_status ON lab_orders (team_id, status, created_at DESC) WHERE user_id IS NOT NULL;
CREATE INDEX lab_orders_by_user ON lab_orders (user_id, created_at DESC);
CREATE INDEX lab_orders_by_transaction ON lab_orders (transaction_id, created_at);
CREATE INDEX lab_orders_by_name ON lab_orders USING gin (name_hashes);
CREATE INDEX lab_orders_by_recipient ON lab_orders USING gin (recipient_hashes);
CREATE UNIQUE INDEX lab_orders_by_sample ON lab_orders (lab_id, sample_id) WHERE sample_id IS NOT NULL;
CREATE INDEX lab_orders_to_activate ON lab_orders (activate_by) WHERE status LIKE '%.ordered' AND activate_by IS NOT NULL;

CREATE TABLE lab_order_details (
  order_id uuid PRIMARY KEY REFERENCES lab_orders ON DELETE CASCADE,
  details bytea NOT NULL
);

CREATE TABLE lab_order_events (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES lab_orders ON DELETE CASCADE,
  status text NOT NULL,
  status_detail text,
  created_at timestamptz NOT NULL
);
CREATE INDEX lab_order_events_by_order ON lab_order_events (order_id, event_id);

-- Requests with an idempotency key. `status` is null while the first one runs.
CREATE TABLE lab_requests (
  team_id uuid NOT NULL,
  endpoint text NOT NULL,
  key_hash text NOT NULL,
  payload_hash text NOT NULL,
  attempt_id uuid NOT NULL,
  user_id uuid,
  status smallint,
  response bytea,
  running_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (team_id, endpoint, key_hash)
);
CREATE INDEX lab_requests_by_expiry ON lab_requests (expires_at);
CREATE INDEX lab_requests_by_user ON lab_requests (user_id);

CREATE TABLE lab_results (
  order_id uuid PRIMARY KEY REFERENCES lab_orders ON DELETE CASCADE,
  status text NOT NULL,
  interpretation text,
  version integer NOT NULL,
  details bytea NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);

CREATE TABLE lab_appointments (
  appointment_id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES lab_orders ON DELETE CASCADE,
  team_id uuid NOT NULL,
  user_id uuid,
  type text NOT NULL,
  provider text NOT NULL,
  status text NOT NULL,
  event_status text NOT NULL,
  provider_id text NOT NULL,
  external_id text,
  site_code text,
  start_at timestamptz,
  end_at timestamptz,
  iana_timezone text,
  can_reschedule boolean NOT NULL,
  -- Address, location, notes.
  details bytea NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX lab_appointments_active ON lab_appointments (order_id) WHERE status NOT IN ('cancelled', 'completed');
CREATE INDEX lab_appointments_by_order ON lab_appointments (order_id, created_at DESC);
CREATE INDEX lab_appointments_by_user ON lab_appointments (user_id);

CREATE TABLE lab_appointment_events (
  event_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  appointment_id uuid NOT NULL REFERENCES lab_appointments ON DELETE CASCADE,
  status text NOT NULL,
  data jsonb,
  created_at timestamptz NOT NULL
);
CREATE INDEX lab_appointment_events_by_appointment ON lab_appointment_events (appointment_id, event_id);

-- Calls to partners that have to happen, written with the change that demands them. Ids only: a worker reads the rest.
CREATE TABLE lab_partner_jobs (
  job_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  partner text NOT NULL,
  kind text NOT NULL,
  order_id uuid REFERENCES lab_orders ON DELETE CASCADE,
  appointment_id uuid REFERENCES lab_appointments ON DELETE CASCADE,
  -- The same for every attempt: a partner recognises a repeated call by it.
  idempotency_key text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz,
  deadline_at timestamptz,
  lease_until timestamptz,
  lease_epoch bigint NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL
);
CREATE INDEX lab_partner_jobs_due ON lab_partner_jobs (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX lab_partner_jobs_by_order ON lab_partner_jobs (order_id);

CREATE TABLE lab_reports (
  job_id uuid PRIMARY KEY,
  team_id uuid NOT NULL,
  user_id uuid NOT NULL,
  status text NOT NULL,
  failure_reason text,
  needs_human_review boolean NOT NULL,
  is_reviewed boolean NOT NULL DEFAULT false,
  content_types text[] NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  due_at timestamptz,
  lease_until timestamptz,
  lease_epoch bigint NOT NULL DEFAULT 0,
  data bytea,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX lab_reports_by_user ON lab_reports (user_id);
CREATE INDEX lab_reports_by_team ON lab_reports (team_id, created_at);
CREATE INDEX lab_reports_due ON lab_reports (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE lab_report_files (
  job_id uuid NOT NULL REFERENCES lab_reports ON DELETE CASCADE,
  part smallint NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (job_id, part)
);
