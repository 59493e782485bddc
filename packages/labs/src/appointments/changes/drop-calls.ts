import { and, eq, notInArray } from 'drizzle-orm';
import { run, type Tx } from '@pulsewire/database';
import { labPartnerJobs } from '../../model/job-tables.ts';

/** Calls that remove bookings from partners. */
export const releasing = ['release_booking', 'release_twins'] as const;

/** Deletes the pending calls for an appointment that is cancelled here, except those that remove its bookings. */
export async function dropCalls(
  { orm }: Tx,
  { teamId, appointmentId }: { readonly teamId: string; readonly appointmentId: string },
): Promise<void> {
  const mine = and(eq(labPartnerJobs.teamId, teamId), eq(labPartnerJobs.appointmentId, appointmentId));
  const others = and(mine, notInArray(labPartnerJobs.kind, [...releasing]));
  await run(orm.delete(labPartnerJobs).where(others));
}
