import { Readable } from 'node:stream';
import { uuidv7, utcDay } from '@pulsewire/kernel';
import type { RawPush } from '@pulsewire/providers';
import { drawVersion } from '@pulsewire/store';
import type { PushJob } from '../../jobs/queues.ts';
import { ownerOf } from '../../model/push-owner.ts';
import { insertPush } from '../inbox/insert-push.ts';
import { recordCall } from './record-call.ts';
import type { IncomingPush, PushTarget } from './push-call.ts';
import type { PushContext } from './push-context.ts';
import type { PushApplication } from './secrets/push-secrets.ts';
import { lockBody, dropBody, storeBody } from './store-body.ts';

const headersMax = 32;
const headerBytesMax = 1024;
const credentials = new Set(['authorization', 'cookie', 'proxy-authorization']);

function headersToKeep(headers: RawPush['headers']): Record<string, string> {
  const kept = Object.entries(headers).flatMap(([name, value]) => {
    const isWanted = name === 'content-type' || (name.startsWith('x-') && !credentials.has(name));
    return isWanted && typeof value === 'string' && value.length <= headerBytesMax ? [[name, value] as const] : [];
  });
  return Object.fromEntries(kept.slice(0, headersMax));
}

/** Stores a call with the job that applies it, in one transaction; false for a replay, which is not stored. */
export async function storePush(
  context: PushContext,
  { slug, support }: Pick<PushTarget, 'slug' | 'support'>,
  push: IncomingPush,
  signers: readonly PushApplication[],
): Promise<boolean> {
  const { database, jobs, clock } = context;
  const job: PushJob = { pushId: uuidv7(clock.now().getTime()), day: utcDay(clock.now()) };
  const { last, pieces, bytes } = await storeBody(
    { ...context, ...(push.chunks && push.hold && { hold: push.hold }) },
    job,
    push.chunks ?? Readable.from([push.body]),
  );
  try {
    // Drawn after the whole body has arrived: it may contain data from after its start.
    const version = await drawVersion(database);
    const isNew = await database.transaction(async (tx) => {
      if (pieces > 1) await lockBody(tx, job.pushId);
      if (!(await recordCall(tx, { provider: slug, support, now: clock.now() }, push))) return false;
      const stored = { provider: slug, owners: signers.map(ownerOf), headers: headersToKeep(push.headers), query: push.query };
      await insertPush(tx, job, { ...stored, pieces, lastPiece: last, bodyBytes: bytes, version }, clock.now());
      await jobs.workPush(tx, job);
      return true;
    });
    if (!isNew && pieces > 1) await dropBody(database, job);
    return isNew;
  } catch (error) {
    if (pieces > 1) await dropBody(database, job);
    throw error;
  }
}
