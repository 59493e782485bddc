import { and, eq, inArray } from 'drizzle-orm';
import { AppError } from '@pulsewire/kernel';
import type { LabsContext } from '../../context/context.ts';
import { wakeJobs } from '../../jobs/job-queue.ts';
import { labAppointments } from '../../model/appointment-tables.ts';
import { labPartnerJobs } from '../../model/job-tables.ts';
import type { PartnerPush } from '../../partners/partner.ts';

/**
 * Receives a webhook of a scheduling partner. Only the appointment ids are used; their state is then fetched from the partner. Throws
 * AppErrors `push_unsupported` for a partner that this installation has no access to, and `push_refused`.
 */
export async function receiveNotice({ database, partners }: LabsContext, slug: string, push: PartnerPush): Promise<void> {
  const real = { isSandbox: false };
  const partner = partners.find('phlebotomy', slug, real) ?? partners.find('service_center', slug, real);
  if (!partner) throw new AppError({ code: 'push_unsupported', kind: 'not_found', message: 'This partner sends no notifications' });
  const changed = await partner.readPush(push);
  if (changed.length === 0) return;
  const ids = changed.map(({ providerId }) => providerId);
  const { appointmentId, provider, providerId } = labAppointments;
  const named = and(eq(provider, slug), inArray(providerId, ids));
  const appointments = database.orm.select({ appointmentId }).from(labAppointments).where(named);
  const watching = and(eq(labPartnerJobs.kind, 'watch_appointment'), inArray(labPartnerJobs.appointmentId, appointments));
  await wakeJobs(database, watching);
}
