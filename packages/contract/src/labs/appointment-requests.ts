import { Type } from 'typebox';
import { closedEnum, DateOnly, optionalInput, PostalCode, Uuid, ZipCode } from '../fields/fields.ts';
import { appointmentProviders } from './appointments.ts';
import { addressStates, radii } from './enums.ts';

const line = Type.String({ minLength: 1, maxLength: 200, format: 'trimmed' });
const optionalLine = optionalInput(Type.String({ maxLength: 200, format: 'trimmed' }));
const notes = optionalInput(Type.String({ maxLength: 1000 }));
const bookingKey = Type.String({ minLength: 1, maxLength: 10_000, description: 'From a list of available slots.' });

/** Address of a phlebotomist's visit. */
export const AppointmentAddressInput = Type.Object(
  {
    first_line: line,
    second_line: optionalLine,
    city: line,
    state: closedEnum(addressStates),
    zip_code: PostalCode,
    unit: optionalInput(Type.String({ maxLength: 200, format: 'trimmed' }), { deprecated: true }),
    access_notes: notes,
  },
  { title: 'AppointmentAddressInput' },
);

/** POST /v3/order/phlebotomy/appointment/availability. */
export const HomeAvailabilityQuery = Type.Object(
  {
    start_date: Type.Optional(Type.Unsafe<string>({ ...DateOnly, description: 'First of the 14 days; default: tomorrow at the address.' })),
  },
  { title: 'HomeAvailabilityQuery' },
);

/** POST /v3/order/psc/appointment/availability. */
export const CenterAvailabilityQuery = Type.Object(
  {
    lab: closedEnum(['quest', 'sonora_quest']),
    start_date: Type.Optional(Type.Unsafe<string>({ ...DateOnly, description: 'First of the 14 days; default: today at the center.' })),
    site_codes: Type.Optional(Type.Array(Type.String({ maxLength: 50 }), { maxItems: 100, description: 'At most three.' })),
    zip_code: Type.Optional(ZipCode),
    radius: closedEnum(radii, { default: '25', description: 'Miles around the ZIP code.' }),
    allow_stale: Type.Boolean({ default: false }),
  },
  { title: 'CenterAvailabilityQuery' },
);

/** POST …/appointment/book. */
export const BookAppointmentBody = Type.Object(
  {
    booking_key: bookingKey,
    appointment_notes: notes,
    async_confirmation: Type.Boolean({
      default: false,
      description: 'false: waits for the confirmation of the provider, and responds with 500 when there is none.',
    }),
    sync_confirmation_timeout_millisecond: optionalInput(
      Type.Integer({ minimum: 1000, maximum: 10_000, description: 'With async_confirmation: how long the request waits. Default 2500.' }),
    ),
    async_confirmation_timeout_millisecond: optionalInput(
      Type.Integer({
        minimum: 60_000,
        maximum: 172_800_000,
        description: 'With async_confirmation: when an unconfirmed appointment is cancelled. Default 900000.',
      }),
    ),
  },
  { title: 'BookAppointmentBody' },
);

/** POST …/phlebotomy/appointment/request. */
export const RequestAppointmentBody = Type.Object(
  {
    address: AppointmentAddressInput,
    provider: closedEnum(appointmentProviders),
    appointment_notes: notes,
  },
  { title: 'RequestAppointmentBody' },
);

/** PATCH …/appointment/reschedule. */
export const RescheduleAppointmentBody = Type.Object(
  { booking_key: bookingKey, appointment_notes: notes },
  { title: 'RescheduleAppointmentBody' },
);

/** PATCH …/phlebotomy/appointment/cancel. */
export const CancelVisitBody = Type.Object({ cancellation_reason_id: Uuid, notes }, { title: 'CancelVisitBody' });

/** PATCH …/psc/appointment/cancel: its names differ from those of visits. */
export const CancelAtCenterBody = Type.Object(
  { cancellationReasonId: Uuid, note: optionalInput(Type.String({ maxLength: 1000 })) },
  { title: 'CancelAtCenterBody' },
);
