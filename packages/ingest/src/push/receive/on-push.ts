import { Readable } from 'node:stream';
import { uuidv7 } from '@pulsewire/kernel';
import { textArray } from '@pulsewire/database';
import type { Connector, PushHead, PushReply, PushSupport, RawPush } from '@pulsewire/providers';
import { drawVersion } from '@pulsewire/store';
import type { PushJob } from '../../jobs/queues.ts';
import type { ByteHold } from './byte-budget.ts';
import { addressees, findSigners, secretsAgeMs, type Called } from './find-signers.ts';
import { noteCall } from './note-call.ts';
import { claimBody, dropBody, storeBody } from './store-body.ts';
import { ownerOf } from '../../model/push-owner.ts';
import type { PushContext } from './push-context.ts';
import type { PushApplication } from './push-secrets.ts';

export type PushAnswer = PushReply;

/** A call as it comes in. */
export interface IncomingPush extends RawPush {
  /** Instead of `body`, for providers whose pushes are read in parts (`inParts`): what arrives. */
  readonly chunks?: AsyncIterable<Uint8Array>;
  /** Counts what is in memory of a body that comes in chunks. */
  readonly hold?: ByteHold;
}

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

/**
 * What needs no body to be turned away: a call at an address that is none of ours, or with headers that no right call has. Null: let it
 * come. The answer is the same as that to a forged call.
 */
export async function rejectUnknownAddress(
  context: PushContext,
  { push: support, slug }: Connector,
  segment: string | null,
  head?: PushHead,
): Promise<PushAnswer | null> {
  if (!support) return { status: 404, body: '' };
  if (head?.method === 'POST' && support.mayBeRight?.(head) === false) return reject(context, slug, support, 0);
  if (support.isSigned) return null;
  const isOurs = async (ageMaxMs?: number) => addressees({ support, segment }, await context.secretsFor(slug, ageMaxMs)).length > 0;
  return (await isOurs()) || (await isOurs(secretsAgeMs)) ? null : reject(context, slug, support, 0);
}

function reject({ metrics, logger }: PushContext, slug: string, { rejectedStatus }: PushSupport, bytes: number): PushAnswer {
  metrics.count('ingest_pushes_total', { provider: slug, outcome: 'rejected' });
  logger.warn({ provider: slug, bytes }, 'push.rejected');
  return { status: rejectedStatus, body: '' };
}

/** False: it is a replay, and nothing of it was stored. */
async function store(
  context: PushContext,
  { slug, support }: Pick<Called, 'slug' | 'support'>,
  push: IncomingPush,
  signers: readonly PushApplication[],
): Promise<boolean> {
  const { database, jobs, clock } = context;
  const job: PushJob = { pushId: uuidv7(clock.now().getTime()), day: clock.now().toISOString().slice(0, 10) };
  const { last, pieces, bytes } = await storeBody(
    { ...context, ...(push.chunks && push.hold && { hold: push.hold }) },
    job,
    push.chunks ?? Readable.from([push.body]),
  );
  try {
    // Not before all of it has arrived: it may hold what was not there when it began.
    const version = await drawVersion(database);
    const isNew = await database.transaction(async (tx) => {
      if (pieces > 1) await claimBody(tx, job.pushId);
      if (!(await noteCall(tx, { provider: slug, support, now: clock.now() }, push))) return false;
      await tx.sql`
        WITH last AS (INSERT INTO push_bodies (push_id, day, piece, body) VALUES (${job.pushId}, ${job.day}, ${pieces}, ${last}))
        INSERT INTO push_inbox (push_id, day, provider, owners, headers, query, pieces, body_bytes, version, state, received_at)
        VALUES (${job.pushId}, ${job.day}, ${slug}, ${textArray(signers.map(ownerOf))}::text[], ${JSON.stringify(headersToKeep(push.headers))}::jsonb,
          ${JSON.stringify(push.query)}::jsonb, ${pieces}, ${bytes}, ${String(version)}, 'received', ${clock.now().toISOString()})`;
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

async function takePush(context: PushContext, called: Called, push: IncomingPush): Promise<PushAnswer> {
  const { slug, support } = called;
  const secrets = await context.secretsFor(slug);
  const isAddressed = support.isSigned || addressees(called, secrets).length > 0;
  const handshake = isAddressed ? support.handshake(push, { verificationCode: secrets.verificationCode }) : null;
  if (handshake) return handshake;
  const signers = await findSigners(context, called, push, secrets);
  if (signers.length === 0) return reject(context, slug, support, push.body.length);
  const isNew = await store(context, called, push, signers);
  context.metrics.count('ingest_pushes_total', { provider: slug, outcome: isNew ? 'stored' : 'repeated' });
  return { status: support.acceptedStatus, body: '' };
}

/**
 * Takes a provider's call: answers handshakes, turns away what is not signed by one of our applications, and stores the
 * rest, with whose applications signed it and the job that works on it, before it is answered. Throws when it cannot be
 * stored, so that the edge answers with an error and the provider sends it again. `segment` is what stands in the path behind the slug.
 */
export async function onPush(
  context: PushContext,
  connector: Connector,
  push: IncomingPush,
  segment: string | null = null,
): Promise<PushAnswer> {
  const { push: support, slug } = connector;
  if (!support) return { status: 404, body: '' };
  if (push.method === 'POST' && support.mayBeRight?.(push) === false) return reject(context, slug, support, push.body.length);
  // One that comes in chunks takes as long as its sender; it has places of its own.
  const giveBack = push.chunks ? undefined : await context.bodies?.take();
  try {
    return await takePush(context, { slug, support, segment }, push);
  } finally {
    giveBack?.();
  }
}
