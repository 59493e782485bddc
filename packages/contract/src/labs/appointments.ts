import { Type } from 'typebox';
import { DateOnly, DateTime, nullable, openEnum, optional, Uuid } from '../fields/fields.ts';
import { LngLat } from './areas.ts';

export const appointmentProviders = ['getlabs', 'phlebfinders', 'quest', 'sonora_quest'] as const;
const eventStatuses = ['pending', 'reserved', 'scheduled', 'in_progress', 'completed', 'cancelled'];
const TimeZone = optional(Type.String({ description: 'IANA name.' }));

const AppointmentAddress = Type.Object(
  {
    first_line: Type.String(),
    second_line: optional(Type.String()),
    city: Type.String(),
    state: Type.String(),
    zip_code: Type.String(),
    unit: optional(Type.String(), { deprecated: true }),
    access_notes: optional(Type.String()),
  },
  { title: 'AppointmentAddress' },
);

const AppointmentEventData = Type.Object(
  {
    origin: optional(Type.String({ description: 'patient or provider.' })),
    is_reschedule: optional(Type.Boolean()),
    reason: optional(
      Type.String({ description: 'Why it was cancelled: refused, slot_gone, not_confirmed, unavailable or no_requisition.' }),
    ),
  },
  { title: 'AppointmentEventData' },
);
const AppointmentEvent = Type.Object(
  { created_at: DateTime, status: openEnum(eventStatuses), data: nullable(AppointmentEventData) },
  { title: 'AppointmentEvent' },
);

/** An appointment, and `data` of its events. */
export const Appointment = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    order_id: Uuid,
    order_transaction_id: optional(Uuid),
    address: AppointmentAddress,
    location: LngLat,
    start_at: nullable(DateTime),
    end_at: nullable(DateTime),
    iana_timezone: TimeZone,
    type: openEnum(['phlebotomy', 'patient_service_center']),
    provider: openEnum(appointmentProviders),
    status: openEnum(['confirmed', 'pending', 'reserved', 'in_progress', 'completed', 'cancelled']),
    provider_id: Type.String({ description: 'Id at the provider; empty until it has one.' }),
    external_id: optional(Type.String({ description: 'Confirmation number for the visit.' })),
    can_reschedule: Type.Boolean(),
    appointment_notes: optional(Type.String()),
    event_status: openEnum(eventStatuses),
    event_data: optional(AppointmentEventData),
    events: Type.Array(AppointmentEvent, { description: 'Oldest first.' }),
  },
  { title: 'Appointment' },
);

const TimeSlot = Type.Object(
  {
    booking_key: nullable(Type.String({ description: 'For one booking, until expires_at.' })),
    start: DateTime,
    end: DateTime,
    expires_at: nullable(DateTime),
    price: Type.Number({ description: 'In minor units.' }),
    is_priority: Type.Boolean(),
    num_appointments_available: Type.Integer(),
  },
  { title: 'TimeSlot' },
);
const AppointmentLocation = Type.Object(
  {
    location: LngLat,
    distance: optional(Type.Integer({ description: 'Miles.' })),
    address: AppointmentAddress,
    code: Type.String({ description: 'Site code.' }),
    name: Type.String(),
    iana_timezone: TimeZone,
  },
  { title: 'AppointmentLocation' },
);
const DaySlots = Type.Object(
  {
    location: nullable(AppointmentLocation, { description: 'Of a service center.' }),
    date: Type.Unsafe<string>({ ...DateOnly, description: 'Local day.' }),
    slots: Type.Array(TimeSlot),
  },
  { title: 'DaySlots' },
);
export const AvailabilityBody = Type.Object(
  { slots: Type.Array(DaySlots), timezone: nullable(Type.String({ description: 'Of the address; null for service centers.' })) },
  { title: 'AvailabilityBody' },
);

export const CancellationReasonsBody = Type.Array(
  Type.Object({ id: Uuid, name: Type.String(), is_refundable: Type.Boolean() }, { title: 'CancellationReason' }),
  { title: 'CancellationReasonsBody' },
);
