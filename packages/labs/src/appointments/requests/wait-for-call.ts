import { and, eq } from 'drizzle-orm';
import { withEvents, type Emit } from '@pulsewire/eventlog';
import { run, type Tx } from '@pulsewire/database';
import type { JobKind, JobRunner } from '../../jobs/job.ts';
import { runNow } from '../../jobs/run-now.ts';
import { labPartnerJobs } from '../../model/job-tables.ts';
import { notFound } from '../../model/errors.ts';
import { lockAppointment, type LockedAppointment } from '../changes/lock-appointment.ts';
import type { AppointmentView } from '../model/appointment.ts';
import { readAppointment } from '../model/read-appointments.ts';
import type { StartedCall } from './insert-appointment.ts';

/** Makes a call at once and waits until it ends or the time is up. */
export async function waitForCall(runner: JobRunner, kind: JobKind, { jobId }: StartedCall, ms: number): Promise<void> {
  await runNow(runner, kind, jobId, AbortSignal.timeout(ms));
}

/** Ends a call that did not finish in time; no effect if it has ended meanwhile. */
export async function endCall(
  { labs }: JobRunner,
  { teamId, appointmentId, jobId }: StartedCall,
  abandon: (tx: Tx, emit: Emit, locked: LockedAppointment) => Promise<void>,
): Promise<void> {
  await withEvents(labs.database, async (tx, emit) => {
    const locked = await lockAppointment(tx, labs, { teamId, appointmentId });
    const ended = await run(
      tx.orm
        .delete(labPartnerJobs)
        .where(and(eq(labPartnerJobs.teamId, teamId), eq(labPartnerJobs.jobId, jobId)))
        .returning({ jobId: labPartnerJobs.jobId }),
    );
    if (locked !== null && ended.length > 0) await abandon(tx, emit, locked);
  });
}

/** Throws AppError `appointment_not_found` when its user was erased meanwhile. */
export async function readAgain({ labs }: JobRunner, call: StartedCall): Promise<AppointmentView> {
  const view = await readAppointment(labs.database, labs, call);
  if (view === null) throw notFound('appointment_not_found', 'The appointment no longer exists');
  return view;
}
