import { randomUUID } from 'node:crypto';
import { run, type Tx } from '@pulsewire/database';
import type { BookingToRelease } from '../model/appointment.ts';
import { labPartnerJobs } from '../model/appointment-tables.ts';

export interface NewJob {
  readonly teamId: string;
  readonly partner: string;
  readonly kind: string;
  readonly orderId: string | null;
  readonly appointmentId?: string | null;
  /** Idempotency key, the same for every attempt; default: the id of the job. */
  readonly idempotencyKey?: string;
  readonly dueAt: Date;
  readonly deadlineAt?: Date | null;
  readonly booking?: BookingToRelease;
}

/** Enqueues a call to a partner in the transaction of the change that needs it. Returns the id of the job. */
export async function putJob({ orm }: Tx, job: NewJob, now: Date): Promise<string> {
  const jobId = randomUUID();
  await run(orm.insert(labPartnerJobs).values({ jobId, idempotencyKey: jobId, ...job, createdAt: now }));
  return jobId;
}
