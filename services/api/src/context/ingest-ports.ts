import { listApplications, type BulkContext, type FillDemo, type LinkContext, type ProviderSettings } from '@pulsewire/connections';
import type { Cipher, Database, Tx } from '@pulsewire/database';
import {
  createByteBudget,
  createFillDemo,
  createSignerSearch,
  createSlots,
  cacheSecrets,
  receivePush,
  rejectUnknownAddress,
  openJobs,
  planningHooks,
  planUserRefresh,
  pushSegmentOf,
  readRefresh,
  readSubscriptionSecrets,
  stopSchedules,
  type ByteBudget,
  type RefreshState,
  type RefreshWindow,
} from '@pulsewire/ingest';
import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { Connector, OAuthApplication } from '@pulsewire/providers';
import { memoryBounds, shareOfWorker } from '../limits/memory-bounds.ts';
import type { RawRequest } from './raw-request.ts';
import type { ReceivePush, RejectUnknownAddress } from './push.ts';

interface IngestPartsNeeded {
  readonly database: Database;
  readonly cipher: Cipher;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly providers: ProviderSettings;
  /** Processes among which the API's connections are distributed; default: 1. */
  readonly workers?: number;
}

/** Functions of ingest for bulk operations, in the caller's transaction. */
export interface BulkPorts {
  readonly requestWork: BulkContext['requestWork'];
  readonly onPaused: (tx: Tx, connectionIds: readonly string[]) => Promise<void>;
}

/** Functions of ingest for a requested refresh. */
export interface RefreshPorts {
  /** In the caller's transaction. */
  plan(tx: Tx, connectionId: string): Promise<readonly RefreshWindow[]>;
  read(windowIds: readonly string[]): Promise<ReadonlyMap<string, RefreshState>>;
}

export interface IngestPorts {
  readonly refresh: RefreshPorts;
  readonly fillDemo: FillDemo;
  readonly onConnected: NonNullable<LinkContext['onConnected']>;
  readonly onDeregistered: NonNullable<LinkContext['onDeregistered']>;
  readonly lastDayRead?: NonNullable<LinkContext['lastDayRead']>;
  /** Absent: every call is admitted. */
  readonly rejectUnknownAddress?: RejectUnknownAddress;
  readonly receivePush: ReceivePush;
  /** Absent: arriving bodies are not counted. */
  readonly pushBytes?: ByteBudget;
  /** Absent: imports wait until a scheduler wakes a worker, and plans notice a pause only by themselves. */
  readonly bulk?: BulkPorts;
  close(): Promise<void>;
}

export const noBulkPorts: BulkPorts = { requestWork: async () => {}, onPaused: async () => {} };

/** Most streamed push bodies at once; each takes about 10 MB while it arrives. */
const largeBodies = { atOnce: 4, waitMs: 10_000 };
/** Most bodies that are verified and stored at the same time. */
const bodies = { atOnce: 16, waitMs: 10_000 };

function singleQuery(query: RawRequest['query']): Record<string, string> {
  return Object.fromEntries(Object.entries(query).map(([key, value]) => [key, Array.isArray(value) ? (value.at(-1) ?? '') : value]));
}

/**
 * Users who link with a password have no application. Where the provider signs nothing, only the segment of the address counts, which
 * needs none; null for any other provider.
 */
function withoutApplication(connector: Connector | undefined): OAuthApplication | null {
  const isAddressed = connector?.password != null && connector.push?.isSigned === false;
  return isAddressed ? { clientId: '', clientSecret: '' } : null;
}

/**
 * Functions of ingest for linking and pushes: plans are created and dropped in the caller's transaction, pushes are stored before the
 * response.
 */
export async function openIngestPorts(parts: IngestPartsNeeded): Promise<IngestPorts> {
  const { database, providers } = parts;
  const jobs = await openJobs(database);
  const planning = { jobs, connectorFor: providers.connectorFor, clock: parts.clock, random: Math.random };
  const readSecrets = async (provider: string) => {
    const platform = providers.platformApplication(provider) ?? withoutApplication(providers.connectorFor(provider));
    const own = await listApplications(database, parts, provider);
    const verificationCode = providers.pushVerificationCode(provider);
    const secrets = await readSubscriptionSecrets(database, parts.cipher, provider);
    const applications = (platform ? [{ ...platform, teamId: null }, ...own] : own).map((application) => {
      const owner = application.teamId ?? 'platform';
      const segment = verificationCode === null ? null : pushSegmentOf(verificationCode, provider, owner);
      return { ...application, segment, subscriptionSecret: secrets.get(owner) ?? null };
    });
    return { applications, verificationCode };
  };
  const secretsFor = cacheSecrets(readSecrets, parts.clock);
  const search = createSignerSearch(parts.clock);
  const pushes = { ...parts, jobs, secretsFor, search, largeBodies: createSlots(largeBodies), bodies: createSlots(bodies) };
  return {
    refresh: {
      plan: (tx, connectionId) => planUserRefresh(planning, tx, connectionId),
      read: (windowIds) => readRefresh(database, parts.clock, windowIds),
    },
    fillDemo: createFillDemo(providers),
    ...planningHooks(planning),
    rejectUnknownAddress: (connector, segment, head) => rejectUnknownAddress(pushes, connector, segment, head),
    receivePush: (connector, request, segment) =>
      receivePush(pushes, connector, { ...request, query: singleQuery(request.query) }, segment),
    pushBytes: createByteBudget(shareOfWorker(memoryBounds.pushes, parts.workers ?? 1)),
    bulk: {
      requestWork: (tx, operationId) => jobs.workBulk(tx, operationId),
      onPaused: (tx, connectionIds) => stopSchedules(tx, connectionIds, parts.clock.now()),
    },
    close: () => jobs.close(),
  };
}
