import type { Cipher } from '@pulsewire/database';
import type { labAppointmentEvents, labAppointments } from '../../model/appointment-tables.ts';
import { labSealContext } from '../../model/sealed-columns.ts';

export type AppointmentRow = typeof labAppointments.$inferSelect;
export type AppointmentEventRow = typeof labAppointmentEvents.$inferSelect;

export type AppointmentType = 'phlebotomy' | 'patient_service_center';
export type EventStatus = 'pending' | 'reserved' | 'scheduled' | 'in_progress' | 'completed' | 'cancelled';

/** As in requests and responses. */
export interface AppointmentAddress {
  readonly first_line: string;
  readonly second_line?: string | null;
  readonly city: string;
  readonly state: string;
  readonly zip_code: string;
  readonly unit?: string | null;
  readonly access_notes?: string | null;
}

/** The slot that a booking key identifies. */
export interface ChosenSlot {
  /** The partner's reference. */
  readonly slotId: string;
  readonly siteCode: string | null;
  readonly startAt: string;
  readonly endAt: string;
}

/** Personal data and free text of an appointment; sealed as one value. */
export interface AppointmentDetails {
  readonly address: AppointmentAddress;
  readonly location: { readonly lng: number; readonly lat: number };
  readonly notes: string | null;
  /** Null: the partner sets the time. */
  readonly slot: ChosenSlot | null;
  /** The change requested from the partner and not yet confirmed or refused. */
  readonly wantedCancellation?: { readonly reasonId: string; readonly note: string | null } | null;
  readonly wantedMove?: (ChosenSlot & { readonly notes: string | null; readonly address: AppointmentAddress }) | null;
}

/** An appointment with all fields of a response. */
export interface AppointmentView {
  readonly row: AppointmentRow;
  readonly userId: string;
  readonly transactionId: string;
  readonly details: AppointmentDetails;
  readonly events: readonly AppointmentEventRow[];
}

const final = new Set(['cancelled', 'completed']);

export function isActive({ status }: Pick<AppointmentRow, 'status'>): boolean {
  return !final.has(status);
}

export function statusOf(event: EventStatus): string {
  return event === 'scheduled' ? 'confirmed' : event;
}

export function partnerKindOf(type: string): 'phlebotomy' | 'service_center' {
  return type === 'phlebotomy' ? 'phlebotomy' : 'service_center';
}

export function sealAppointment(cipher: Cipher, appointmentId: string, details: AppointmentDetails): Buffer {
  return cipher.seal(JSON.stringify(details), labSealContext('lab_appointments', appointmentId));
}

export function openAppointment(cipher: Cipher, { appointmentId, details }: AppointmentRow): AppointmentDetails {
  return JSON.parse(cipher.open(details, labSealContext('lab_appointments', appointmentId))) as AppointmentDetails;
}
