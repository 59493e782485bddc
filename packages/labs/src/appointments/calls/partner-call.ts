import type { Executor } from '@pulsewire/database';
import type { LabsContext, LabTeam } from '../../context/context.ts';
import type { PartnerJob } from '../../jobs/job.ts';
import { partnerPatient } from '../../orders/partner-patient.ts';
import { getOrder } from '../../orders/read/read-orders.ts';
import type { BookRequest, SchedulingPartner } from '../../partners/partner.ts';
import { partnerKindOf, type AppointmentAddress, type AppointmentView, type ChosenSlot } from '../model/appointment.ts';
import { partnerAddress } from '../model/partner-address.ts';
import { readAppointment } from '../model/read-appointments.ts';

export function partnerOf({ partners }: LabsContext, team: LabTeam, { row }: Pick<AppointmentView, 'row'>): SchedulingPartner {
  return partners.get(partnerKindOf(row.type), row.provider, team);
}

/** The current appointment of a call, and its partner. */
export interface CallSubject {
  readonly view: AppointmentView;
  readonly partner: SchedulingPartner;
}

/** Null when the appointment was erased with its user or team. Throws AppError `partner_not_available`. */
export async function readSubject(context: LabsContext, { teamId, appointmentId }: PartnerJob): Promise<CallSubject | null> {
  const { database, owners } = context;
  const view = appointmentId === null ? null : await readAppointment(database, context, { teamId, appointmentId });
  const team = await owners.findTeam(database, teamId);
  return view && team && { view, partner: partnerOf(context, team, view) };
}

/** The booking of an appointment as sent to the partner, with the access notes of its address. */
export async function bookRequestOf(
  executor: Executor,
  context: LabsContext,
  { row, details }: AppointmentView,
  asked: {
    readonly slot: ChosenSlot | null;
    readonly notes: string | null;
    readonly address: AppointmentAddress;
    readonly idempotencyKey: string;
    readonly signal: AbortSignal;
  },
): Promise<BookRequest> {
  const { secrets, test } = await getOrder(executor, context, row.teamId, row.orderId);
  const { slot, notes, address, idempotencyKey, signal } = asked;
  const accessNotes = address.access_notes ?? secrets.address?.['access_notes'] ?? details.address.access_notes;
  return {
    appointmentId: row.appointmentId,
    idempotencyKey,
    signal,
    notes,
    slotId: slot?.slotId ?? null,
    siteCode: slot?.siteCode ?? row.siteCode,
    patient: partnerPatient(secrets.patient ?? {}),
    address: { ...partnerAddress(address), accessNotes: typeof accessNotes === 'string' ? accessNotes : null },
    isFasting: test.fasting,
  };
}

export const nothingToDo = { kind: 'done', commit: async () => {} } as const;
