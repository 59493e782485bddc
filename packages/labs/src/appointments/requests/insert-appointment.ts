import { randomUUID } from 'node:crypto';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { putJob } from '../../jobs/job-queue.ts';
import { labAppointmentEvents, labAppointments } from '../../model/appointment-tables.ts';
import { emitAppointment } from '../changes/change-appointment.ts';
import { sealAppointment, type AppointmentDetails, type AppointmentType } from '../model/appointment.ts';
import type { LockedOrder } from '../rules/assert-bookable.ts';

export interface NewAppointment {
  readonly type: AppointmentType;
  readonly provider: string;
  readonly timeZone: string;
  readonly details: AppointmentDetails;
  /** The partner's deadline for confirming it. */
  readonly deadlineAt: Date;
}

export interface StartedCall {
  readonly teamId: string;
  readonly appointmentId: string;
  readonly jobId: string;
}

/** Inserts a pending appointment, its first event (`labtest.appointment.created`) and the job that books it. */
export async function insertAppointment(
  tx: Tx,
  emit: Emit,
  context: LabsContext,
  { order }: LockedOrder,
  { type, provider, timeZone, details, deadlineAt }: NewAppointment,
): Promise<StartedCall> {
  const now = context.clock.now();
  const { teamId, orderId, userId } = order;
  const appointmentId = randomUUID();
  const { slot } = details;
  const row = {
    appointmentId,
    orderId,
    teamId,
    userId,
    type,
    provider,
    providerId: '',
    externalId: null,
    ianaTimezone: timeZone,
    status: 'pending',
    eventStatus: 'pending',
    canReschedule: false,
    siteCode: slot?.siteCode ?? null,
    startAt: slot && new Date(slot.startAt),
    endAt: slot && new Date(slot.endAt),
    details: sealAppointment(context.cipher, appointmentId, details),
    createdAt: now,
    updatedAt: now,
  };
  await run(tx.orm.insert(labAppointments).values(row));
  await run(tx.orm.insert(labAppointmentEvents).values({ appointmentId, status: 'pending', createdAt: now }));
  const user = await context.owners.findUser(tx, teamId, userId);
  await emitAppointment(tx, emit, context, { row, user: { userId, clientUserId: user.clientUserId }, isNew: true });
  const job = { teamId, partner: provider, kind: 'book_appointment', orderId, appointmentId, idempotencyKey: appointmentId };
  return { teamId, appointmentId, jobId: await putJob(tx, { ...job, deadlineAt }, now) };
}
