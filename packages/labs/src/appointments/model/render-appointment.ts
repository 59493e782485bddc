import { renderDateTime } from '@pulsewire/contract';
import type { AppointmentEventData } from '../../model/appointment.ts';
import type { AppointmentAddress, AppointmentView } from './appointment.ts';

const at = (date: Date) => renderDateTime(date.getTime());

function renderData(data: AppointmentEventData | null) {
  return data && { origin: data.origin ?? null, is_reschedule: data.is_reschedule ?? null, reason: data.reason ?? null };
}

function renderAddress({ first_line, second_line, city, state, zip_code, unit, access_notes }: AppointmentAddress) {
  return { first_line, second_line: second_line ?? null, city, state, zip_code, unit: unit ?? null, access_notes: access_notes ?? null };
}

/** An appointment as responses and events show it. Keys are in the order of the schema, which Avro readers require. */
export function renderAppointment({ row, userId, transactionId, details, events }: AppointmentView) {
  return {
    id: row.appointmentId,
    user_id: userId,
    order_id: row.orderId,
    order_transaction_id: transactionId,
    address: renderAddress(details.address),
    location: { lng: details.location.lng, lat: details.location.lat },
    start_at: row.startAt && at(row.startAt),
    end_at: row.endAt && at(row.endAt),
    iana_timezone: row.ianaTimezone,
    type: row.type,
    provider: row.provider,
    status: row.status,
    provider_id: row.providerId,
    external_id: row.externalId,
    can_reschedule: row.canReschedule,
    appointment_notes: details.notes,
    event_status: row.eventStatus,
    event_data: renderData(events.at(-1)?.data ?? null),
    events: events.map((event) => ({ created_at: at(event.createdAt), status: event.status, data: renderData(event.data) })),
  };
}
