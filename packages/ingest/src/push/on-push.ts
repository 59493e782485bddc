import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { uuidv7, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import { textArray, type Database } from '@pulsewire/database';
import type { Connector, OAuthApplication, RawPush } from '@pulsewire/providers';
import { drawVersion } from '@pulsewire/store';
import type { Jobs } from '../jobs/jobs.ts';
import { ownerOf } from './push-owner.ts';

const compress = promisify(gzip);

/** What a provider's pushes are checked against: every application that may have subscribed, the platform's (team null) and the teams'. */
export interface PushSecrets {
  readonly applications: readonly (OAuthApplication & { readonly teamId: string | null })[];
  readonly verificationCode: string | null;
}

export interface PushContext {
  readonly database: Database;
  readonly jobs: Jobs;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  secretsFor(provider: string): Promise<PushSecrets>;
}

export interface PushAnswer {
  readonly status: number;
  readonly body: string;
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
 * Takes a provider's call: answers handshakes, turns away what is not signed by one of our applications, and stores the
 * rest, with whose applications signed it and the job that works on it, before it is answered. Throws when it cannot be
 * stored, so that the edge answers with an error and the provider sends it again.
 */
export async function onPush(context: PushContext, connector: Connector, push: RawPush): Promise<PushAnswer> {
  const { database, jobs, clock, logger, metrics } = context;
  const { push: support, slug } = connector;
  const count = (outcome: string) => metrics.count('ingest_pushes_total', { provider: slug, outcome });
  if (!support) return { status: 404, body: '' };
  const secrets = await context.secretsFor(slug);
  const handshake = support.handshake(push, { verificationCode: secrets.verificationCode });
  if (handshake) return handshake;
  const signers = secrets.applications.filter((application) => support.verify(push, application));
  if (signers.length === 0) {
    count('rejected');
    logger.warn({ provider: slug, bytes: push.body.length }, 'push.rejected');
    return { status: support.rejectedStatus, body: '' };
  }

  const now = clock.now().toISOString();
  const job = { pushId: uuidv7(clock.now().getTime()), day: now.slice(0, 10) };
  const version = await drawVersion(database);
  const body = await compress(push.body);
  await database.transaction(async (tx) => {
    await tx.sql`
      INSERT INTO push_inbox (push_id, day, provider, owners, headers, query, body, version, state, received_at)
      VALUES (${job.pushId}, ${job.day}, ${slug}, ${textArray(signers.map(ownerOf))}::text[], ${JSON.stringify(headersToKeep(push.headers))}::jsonb,
        ${JSON.stringify(push.query)}::jsonb, ${body}, ${String(version)}, 'received', ${now})`;
    await jobs.workPush(tx, job);
  });
  count('stored');
  return { status: support.acceptedStatus, body: '' };
}
