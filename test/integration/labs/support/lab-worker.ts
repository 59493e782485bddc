import { noMetrics, silentLogger, type Clock } from '@pulsewire/kernel';
import type { Cipher, Database } from '@pulsewire/database';
import { accountDirectory } from '@pulsewire/connections';
import {
  allJobKinds,
  createJobWorker,
  createPartnerDirectory,
  type JobKind,
  type JobWorker,
  type LabsContext,
  type PartnerMaker,
} from '@pulsewire/labs';

export interface LabWorkerParts {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly clock: Clock;
  readonly partners: readonly PartnerMaker[];
}

/** Labs, composed as a service composes them. */
export function createLabs({ database, cipher, clock, partners }: LabWorkerParts): LabsContext {
  return { database, cipher, clock, owners: accountDirectory, partners: createPartnerDirectory(partners, { clock }) };
}

/** A worker that makes the due calls. */
export function createLabWorker(labs: LabsContext, kinds: readonly JobKind[] = allJobKinds): JobWorker {
  return createJobWorker({ labs, logger: silentLogger, metrics: noMetrics, kinds, concurrency: 1, idleMs: 5 });
}

/** Works until nothing is due. */
export async function workAll(worker: JobWorker): Promise<void> {
  const signal = new AbortController().signal;
  while (await worker.workOne(signal));
}
