-- Owner: packages/labs.

-- Whether a slot of a service center is booked, for slots of the sandbox that sell out.
CREATE INDEX lab_appointments_by_slot ON lab_appointments (team_id, provider, start_at) WHERE status NOT IN ('cancelled', 'completed');
