import type { Static } from 'typebox';
import type { Appointment } from '../labs/appointments.ts';
import { exampleIds } from './example-ids.ts';

/** `data` of the events of an appointment. */
export const appointmentExample: Static<typeof Appointment> = {
  id: '019b8f00-0000-7000-8000-0000000000c1',
  user_id: exampleIds.user,
  order_id: '019b8f00-0000-7000-8000-0000000000b1',
  order_transaction_id: '019b8f00-0000-7000-8000-0000000000b4',
  address: {
    first_line: '1 Main St',
    second_line: null,
    city: 'Phoenix',
    state: 'AZ',
    zip_code: '85004',
    unit: null,
    access_notes: 'Gate code 1234',
  },
  location: { lng: -112.07, lat: 33.44 },
  start_at: '2026-01-07T16:00:00+00:00',
  end_at: '2026-01-07T18:00:00+00:00',
  iana_timezone: 'America/Phoenix',
  type: 'phlebotomy',
  provider: 'getlabs',
  status: 'confirmed',
  provider_id: 'A-1',
  external_id: null,
  can_reschedule: true,
  appointment_notes: 'Bring photo ID',
  event_status: 'scheduled',
  event_data: null,
  events: [
    { created_at: '2026-01-05T10:05:00+00:00', status: 'pending', data: null },
    { created_at: '2026-01-05T10:05:02+00:00', status: 'scheduled', data: null },
  ],
};
