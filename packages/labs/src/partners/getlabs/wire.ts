import { addDays } from '@pulsewire/kernel';
import { localDayOf } from '../kit/local-time.ts';
import type { BookRequest, PartnerAddress, PartnerAppointment, PartnerPatient, Slot } from '../partner.ts';

/*
 * Verified with the company's public documentation or sample application: the sign-in, `POST /patient` with these fields and `id` in its
 * response, the paths of `GET /availability` and `POST /appointment`, `patientId` in the latter, and that webhooks are signed with a secret
 * and contain no health data, so that the appointment is fetched. The names of the cancellation form are those that a public reseller
 * passes on. Seen in a public client of the company, but not documented for partners: slots by day under `data`, with `key`, `start`,
 * `end`, `price`, `booked` and `priority`. Both forms of slots are read.
 *
 * Assumptions, to be compared with the company's documents for customers: the query of the availability, the other fields of slots,
 * bookings and appointments, the names of states, the paths of an appointment and its cancellation, the lookup by `externalId`, the header
 * and encoding of a webhook's signature, and its fields. Missing or unknown values in a response change nothing here.
 */

type Json = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): Json => (typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {});
const textOf = (value: unknown): string | null => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
};
const dateOf = (value: unknown): Date | null => {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return at >= Date.UTC(1900, 0) && at < Date.UTC(2200, 0) ? new Date(at) : null;
};
function listOf(body: unknown, name: string): readonly unknown[] {
  const list = Array.isArray(body) ? body : objectOf(body)[name];
  return Array.isArray(list) ? list : [];
}

const slotsMax = 2000;
const appointmentsMax = 100;

export const paths = {
  patient: '/patient',
  availability: '/availability',
  appointments: '/appointment',
  appointment: (id: string) => `/appointment/${encodeURIComponent(id)}`,
  cancellation: (id: string) => `/appointment/${encodeURIComponent(id)}/cancel`,
} as const;

export function patientBody({ firstName, lastName, birthDate, gender, phoneNumber, email }: PartnerPatient): Json {
  const digits = phoneNumber.replaceAll(/\D/g, '').replace(/^1(?=\d{10}$)/, '');
  return { firstName, lastName, dob: birthDate, birthSex: gender === 'male' ? 'male' : 'female', phoneNumber: digits, email };
}

export function availabilityQuery({ zipCode }: PartnerAddress, from: string, to: string): Readonly<Record<string, string>> {
  return { zipcode: zipCode.slice(0, 5), startDate: from, endDate: to };
}

/** The slots of a response within the requested days; slots without id or times are omitted. */
export function readSlots(
  body: unknown,
  asked: { readonly from: string; readonly to: string; readonly timeZone: string },
): readonly Slot[] {
  const slots = [
    ...listOf(body, 'slots'),
    ...listOf(objectOf(body)['data'], 'data').flatMap((day) => listOf(objectOf(day)['slots'], 'slots')),
  ]
    .slice(0, slotsMax)
    .flatMap((item): Slot[] => {
      const slot = objectOf(item);
      const [slotId, startAt, endAt] = [textOf(slot['id']) ?? textOf(slot['key']), dateOf(slot['start']), dateOf(slot['end'])];
      if (slotId === null || startAt === null || endAt === null || endAt <= startAt || slot['booked'] === true) return [];
      const { price, isPriority, priority, available } = slot;
      return [
        {
          slotId,
          startAt,
          endAt,
          expiresAt: dateOf(slot['expiresAt']),
          priceMinor: typeof price === 'number' && Number.isSafeInteger(price) ? price : 0,
          isPriority: isPriority === true || priority === true,
          available: typeof available === 'number' ? Math.max(0, Math.trunc(available)) : 1,
          siteCode: null,
        },
      ];
    });
  const { from, to, timeZone } = asked;
  const isWithin = ({ startAt }: Slot) => localDayOf(startAt, timeZone) >= from && localDayOf(startAt, timeZone) < addDays(to, 1);
  return slots.filter(isWithin).toSorted((a, b) => a.startAt.getTime() - b.startAt.getTime());
}

export function bookingBody({ slotId, appointmentId, address, notes, isFasting }: BookRequest, patientId: string): Json {
  const { firstLine, secondLine, city, state, zipCode, accessNotes } = address;
  return {
    patientId,
    slotId,
    // Our reference, by which a booking is found if its response was lost.
    externalId: appointmentId,
    address: { street: firstLine, unit: secondLine, city, state, zipcode: zipCode },
    locationNotes: accessNotes,
    notes,
    fasting: isFasting,
  };
}

const states: Readonly<Record<string, PartnerAppointment['state']>> = {
  pending: 'pending',
  requested: 'pending',
  scheduled: 'scheduled',
  confirmed: 'scheduled',
  rescheduled: 'scheduled',
  en_route: 'in_progress',
  arrived: 'in_progress',
  in_progress: 'in_progress',
  collected: 'completed',
  completed: 'completed',
  canceled: 'cancelled',
  cancelled: 'cancelled',
};

/** Null when a response contains no appointment. */
export function readAppointment(body: unknown): PartnerAppointment | null {
  const found = objectOf(body);
  const providerId = textOf(found['id']);
  if (providerId === null) return null;
  const state = states[(textOf(found['status']) ?? '').toLowerCase()] ?? 'unknown';
  const [startAt, endAt] = [dateOf(found['start']), dateOf(found['end'])];
  return { providerId, externalId: null, state, startAt, endAt, canReschedule: state === 'scheduled' };
}

/** The appointments of a list that are not cancelled. */
export function readAppointments(body: unknown): readonly PartnerAppointment[] {
  const found = listOf(body, 'appointments').slice(0, appointmentsMax);
  return found.flatMap((item) => readAppointment(item) ?? []).filter(({ state }) => state !== 'cancelled');
}

/** The appointment that a webhook concerns; null when it concerns something else. */
export function readNotice(body: unknown): string | null {
  const { data, appointmentId } = objectOf(body);
  return textOf(appointmentId) ?? textOf(objectOf(data)['id']);
}

/** The id of a patient. */
export function readId(body: unknown): string | null {
  return textOf(objectOf(body)['id']);
}

export const signatureHeader = 'x-getlabs-signature';
