-- Owner: packages/labs.
-- Booking keys that were used, until they expire: each is for one booking.
CREATE TABLE lab_used_booking_keys (
  key_hash text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX lab_used_booking_keys_by_expiry ON lab_used_booking_keys (expires_at);
CREATE INDEX lab_partner_jobs_by_appointment ON lab_partner_jobs (appointment_id) WHERE appointment_id IS NOT NULL;
