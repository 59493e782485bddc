-- Owner: packages/labs.
-- Appointments that were no longer followed although their partner had not reported their end: they expire now, and no longer keep their
-- patients from making others.
INSERT INTO lab_partner_jobs (job_id, team_id, partner, kind, order_id, appointment_id, idempotency_key, due_at, created_at)
SELECT gen_random_uuid(), a.team_id, a.provider, 'watch_appointment', a.order_id, a.appointment_id, gen_random_uuid()::text, now(), now()
FROM lab_appointments a
WHERE a.status NOT IN ('cancelled', 'completed') AND a.user_id IS NOT NULL
  AND NOT EXISTS (
    SELECT FROM lab_partner_jobs j WHERE j.appointment_id = a.appointment_id AND j.kind IN ('watch_appointment', 'book_appointment'));
