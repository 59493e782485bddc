import { and, asc, eq, inArray, notInArray } from 'drizzle-orm';
import type { Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { LabsContext } from '../../context/context.ts';
import { labAppointmentEvents, labAppointments } from '../../model/appointment-tables.ts';
import { labPartnerJobs } from '../../model/job-tables.ts';
import { isAppointment } from '../../model/of-team.ts';
import { putRelease } from '../calls/release-booking.ts';
import { changeAppointment } from '../changes/change-appointment.ts';
import { dropCalls, releasing } from '../changes/drop-calls.ts';
import { lockAppointment } from '../changes/lock-appointment.ts';
import type { AppointmentRow } from '../model/appointment.ts';

const cancelled = { status: 'cancelled', eventStatus: 'cancelled', canReschedule: false } as const;
const data = { reason: 'user_deleted' } as const;

const active = (teamId: string, userId: string) =>
  and(
    eq(labAppointments.teamId, teamId),
    eq(labAppointments.userId, userId),
    notInArray(labAppointments.status, ['cancelled', 'completed']),
  );

/** Deletes the calls for an appointment in favour of the one that removes its booking. */
async function releaseOnly(tx: Tx, row: AppointmentRow, now: Date): Promise<void> {
  await dropCalls(tx, row);
  await putRelease(tx, { row }, now);
}

/**
 * Cancels the open appointments of a user who is being deleted, visits and those at service centers, with their events, and enqueues their
 * removal at the partners. Undoing the deletion does not restore them. The caller has locked the user.
 */
export async function cancelBookings(tx: Tx, emit: Emit, context: LabsContext, { teamId, userId }: BookingOwner): Promise<void> {
  const { appointmentId, orderId } = labAppointments;
  const open = await run(tx.orm.select({ appointmentId }).from(labAppointments).where(active(teamId, userId)).orderBy(asc(orderId)));
  for (const { appointmentId: id } of open) {
    const locked = await lockAppointment(tx, context, { teamId, appointmentId: id });
    if (locked === null) continue;
    const details = { wantedCancellation: null, wantedMove: null };
    const change = { to: 'cancelled', data, details, with: { canReschedule: false }, orderTo: 'appointment_cancelled' } as const;
    await changeAppointment(tx, emit, context, locked, change);
    await releaseOnly(tx, locked.row, context.clock.now());
  }
}

interface BookingOwner {
  readonly teamId: string;
  readonly userId: string;
}

/** As `cancelBookings`, without events: for users of a deleted team, which nobody receives events of. */
export async function endBookings(tx: Tx, { teamId, userId }: BookingOwner, now: Date): Promise<void> {
  const { orm } = tx;
  const open = await run(
    orm.select().from(labAppointments).where(active(teamId, userId)).orderBy(asc(labAppointments.orderId)).for('update'),
  );
  for (const row of open) {
    const { appointmentId } = row;
    await run(
      orm
        .update(labAppointments)
        .set({ ...cancelled, updatedAt: now })
        .where(isAppointment(row)),
    );
    await run(orm.insert(labAppointmentEvents).values({ appointmentId, status: 'cancelled', data, createdAt: now }));
    await releaseOnly(tx, row, now);
  }
}

/** Ends the bookings of a user whose appointments are erased next, and keeps the calls that remove them at the partners. */
export async function detachBookings(tx: Tx, owner: BookingOwner, now: Date): Promise<void> {
  await endBookings(tx, owner, now);
  const { appointmentId, userId, teamId } = labAppointments;
  const mine = tx.orm
    .select({ appointmentId })
    .from(labAppointments)
    .where(and(eq(userId, owner.userId), eq(teamId, owner.teamId)));
  const calls = and(eq(labPartnerJobs.teamId, owner.teamId), inArray(labPartnerJobs.appointmentId, mine));
  const kept = and(calls, inArray(labPartnerJobs.kind, [...releasing]));
  // Both references would delete the job with their rows.
  await run(tx.orm.update(labPartnerJobs).set({ appointmentId: null, orderId: null }).where(kept));
}
