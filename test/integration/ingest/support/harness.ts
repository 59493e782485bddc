import { randomUUID } from 'node:crypto';
import { createManualClock, noMetrics, silentLogger } from '@pulsewire/kernel';
import {
  createIngest,
  openJobs,
  planConnection,
  planDuePulls,
  type IngestOptions,
  type IngestSettings,
  type Jobs,
  type PlanContext,
} from '@pulsewire/ingest';
import { drawVersion } from '@pulsewire/store';
import { createCipher, type Database } from '@pulsewire/database';
import { createWristband } from './wristband.ts';

export const today = '2026-03-20';
const encryptionKey = Buffer.alloc(32, 7);
/** The key of `cipher` as a service reads it from its configuration. */
export const encryptionKeys = `1:${encryptionKey.toString('base64')}`;
/** Of every harness of this file. */
export const cipher = createCipher(new Map([[1, encryptionKey]]));

export interface LinkOptions {
  readonly scopes?: readonly string[];
  readonly providerUserId?: string;
  readonly ingestionStart?: string;
  readonly ingestionEnd?: string;
  /** The team that links, with its own application; absent: the harness's team with the application of the platform. */
  readonly teamId?: string;
}

export interface Linked {
  readonly connectionId: string;
  readonly userId: string;
  readonly teamId: string;
  readonly providerUserId: string;
}

/** Ingest on one database, with one fictional provider and a clock that only tests advance. */
export async function createHarness(database: Database, settings: Partial<IngestSettings> = {}) {
  // Connections that an earlier test of the file left would be polled too.
  await database.sql`TRUNCATE pull_plans, pull_windows, pull_cursors, historical_pulls, quarantine, push_inbox, connections, users CASCADE`;
  const clock = createManualClock(new Date(`${today}T09:00:00Z`));
  const jobs: Jobs = await openJobs(database);
  const wristband = createWristband();
  const tokens = { current: 1n, refreshes: 0 };
  const plan: PlanContext = {
    jobs,
    clock,
    random: () => 0.5,
    connectorFor: (slug) => (slug === 'wristband' ? wristband.connector : undefined),
  };
  const options: IngestOptions = {
    ...plan,
    database,
    cipher,
    logger: silentLogger,
    metrics: noMetrics,
    settings: { retryBaseMs: 60_000, attemptsMax: 3, callAttemptsMax: 1, callRetryMs: 1, ...settings },
    async accessTokenFor(_connectionId, rejected) {
      if (rejected && rejected.version >= tokens.current) {
        tokens.current += 1n;
        tokens.refreshes += 1;
      }
      return { accessToken: `token-${tokens.current}`, version: tokens.current };
    },
    sendFor: ({ accessToken, signal }) =>
      wristband.send(accessToken, () => {
        signal.throwIfAborted();
        return drawVersion(database);
      }),
  };
  const teamId = randomUUID();
  const at = clock.now().toISOString();
  await database.sql`INSERT INTO teams (team_id, name, created_at) VALUES (${teamId}, 'Team', ${at})`;

  return {
    clock,
    jobs,
    wristband,
    tokens,
    plan,
    options,
    teamId,
    ingest: createIngest(options),
    async link(link: LinkOptions = {}): Promise<Linked> {
      const owner = link.teamId ?? teamId;
      const userId = randomUUID();
      const connectionId = randomUUID();
      const providerUserId = link.providerUserId ?? `band-${userId.slice(0, 8)}`;
      await database.transaction(async (tx) => {
        await tx.sql`
          INSERT INTO users (user_id, team_id, client_user_id, ingestion_start, ingestion_end, created_at)
          VALUES (${userId}, ${owner}, ${userId}, ${link.ingestionStart ?? null}, ${link.ingestionEnd ?? null}, ${at})`;
        await tx.sql`
          INSERT INTO connections (connection_id, team_id, user_id, provider, provider_user_id, status, application, granted_scopes, created_at, updated_at)
          VALUES (${connectionId}, ${owner}, ${userId}, 'wristband', ${providerUserId}, 'connected', ${link.teamId === undefined ? 'platform' : 'team'}, ${[...(link.scopes ?? ['move', 'scale'])]}::text[], ${at}, ${at})`;
        await planConnection(plan, tx, connectionId);
      });
      return { connectionId, userId, teamId: owner, providerUserId };
    },
    planDuePulls: () => planDuePulls({ ...plan, database, logger: silentLogger }),
    close: () => jobs.close(),
  };
}

export type Harness = Awaited<ReturnType<typeof createHarness>>;

export interface StoredWindow {
  readonly pull: string;
  readonly lane: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly state: string;
  readonly attempts: number;
  readonly runs: number;
  readonly error_code: string | null;
  readonly samples_created: string;
  readonly samples_updated: string;
  readonly quarantined: string;
}

export async function windowsOf({ sql }: Database, connectionId: string): Promise<readonly StoredWindow[]> {
  return sql<StoredWindow[]>`SELECT * FROM pull_windows WHERE connection_id = ${connectionId} ORDER BY lane, pull, end_date DESC`;
}

export async function samplesOf({ sql }: Database, userId: string): Promise<number> {
  const [row] = await sql<
    { count: string }[]
  >`SELECT count(*) FROM all_samples JOIN sources USING (user_source_id) WHERE user_id = ${userId}`;
  return Number(row?.count);
}

export async function eventsOf(
  { sql }: Database,
  userId: string,
  pattern = '%',
): Promise<readonly { readonly event_type: string; readonly is_historical: boolean; readonly json: string | null }[]> {
  return sql`SELECT event_type, is_historical, json FROM log_events WHERE user_id = ${userId} AND event_type LIKE ${pattern} ORDER BY "offset"`;
}
