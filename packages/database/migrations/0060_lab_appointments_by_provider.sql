-- Owner: packages/labs.
-- Webhooks of partners name appointments by the partner's id.
CREATE INDEX lab_appointments_by_provider ON lab_appointments (provider, provider_id) WHERE provider_id <> '';
