import { Readable } from 'node:stream';
import { noMetrics, silentLogger } from '@pulsewire/kernel';
import {
  createIngest,
  receivePush,
  pushSegmentOf,
  type Ingest,
  type PushResponse,
  type PushContext,
  type SubscriptionPorts,
} from '@pulsewire/ingest';
import type { CanonicalRecord } from '@pulsewire/contract';
import type { Connector, PushNotice, PushSupport } from '@pulsewire/providers';
import type { Database } from '@pulsewire/database';
import { cipher, type Harness } from './harness.ts';

export const verificationCode = 'verification-code';
export const application = { clientId: 'platform', clientSecret: 'platform-secret' };

export const wristbandSource = { provider: 'wristband', type: 'watch' };

/** The steps of a quarter of an hour in the morning of `day`. */
export const stepsOf = (day: string, value: number): CanonicalRecord => ({
  kind: 'samples',
  resource: 'steps',
  source: wristbandSource,
  samples: [{ ts: Date.parse(`${day}T10:00:00Z`), end: Date.parse(`${day}T10:15:00Z`), value, timezoneOffset: 0 }],
});

/** The wristband with other push support; its notices are the parsed body, unchanged. */
export function withPush(harness: Pick<Harness, 'wristband'>, push: Partial<PushSupport>, more: Partial<Connector> = {}): Connector {
  const { connector } = harness.wristband;
  if (!connector.push) throw new Error('No pushes');
  const parse: PushSupport['parse'] = ({ body }) => ({ notices: JSON.parse(body.toString()) as PushNotice[], unreadable: [] });
  return { ...connector, ...more, push: { ...connector.push, parse, ...push } };
}

export function startIngest(harness: Harness, connector: Connector, subscriptions?: SubscriptionPorts): Ingest {
  return createIngest({ ...harness.options, connectorFor: () => connector, ...(subscriptions && { subscriptions }) });
}

function pushContext(database: Database, harness: Harness): PushContext {
  return {
    database,
    jobs: harness.jobs,
    cipher,
    clock: harness.clock,
    logger: silentLogger,
    metrics: noMetrics,
    secretsFor: async () => ({
      applications: [{ ...application, teamId: null, segment: pushSegmentOf(verificationCode, 'wristband', 'platform') }],
      verificationCode,
    }),
  };
}

const headers = { 'x-signature': application.clientSecret };

/** Sends a push as the edge receives it, signed by the platform's application. */
export function sendPush(
  database: Database,
  harness: Harness,
  connector: Connector,
  body: unknown,
  segment: string | null = null,
): Promise<PushResponse> {
  const push = { method: 'POST', headers, query: {}, body: Buffer.from(JSON.stringify(body)) };
  return receivePush(pushContext(database, harness), connector, push, segment);
}

/** The same for a body that arrives in chunks. */
export function sendChunks(
  database: Database,
  harness: Harness,
  connector: Connector,
  chunks: Iterable<Buffer> | AsyncIterable<Buffer>,
  more: Partial<PushContext> = {},
): Promise<PushResponse> {
  const push = { method: 'POST', headers, query: {}, body: Buffer.alloc(0), chunks: Readable.from(chunks) };
  return receivePush({ ...pushContext(database, harness), ...more }, connector, push);
}
