import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { PullConnection } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import type { Connector, LoginHttp, OAuthApplication, ProviderSend, PushAddress, QuotaState } from '@pulsewire/providers';
import type { Budgets } from '../quota/budgets.ts';
import type { LongWaitSlots } from '../quota/long-wait-slots.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { VaultCipher } from '../sealed/seal-part.ts';

/** An access token and which one it is; a refusal of it is reported with its version. */
export interface PullToken {
  readonly accessToken: string;
  readonly version: bigint;
}

/** What planning needs: it runs inside other people's transactions and never waits for a provider. */
export interface PlanContext {
  readonly jobs: Jobs;
  /** undefined: the provider is not served here any more. */
  connectorFor(slug: string): Connector | undefined;
  readonly clock: Clock;
  /** Gives 0..1; spreads incremental pulls. */
  readonly random: () => number;
}

/** What subscribing to pushes needs: where providers are to call, and the applications as which they are asked. */
export interface SubscriptionPorts {
  /** null: no address is configured at which providers could call. `owner` is `platform` or a team's id. */
  addressOf(connector: Connector, owner: string): PushAddress | null;
  /** null: there is none any more. */
  applicationOf(provider: string, owner: string): Promise<OAuthApplication | null>;
  loginHttpFor(connector: Connector, signal: AbortSignal): LoginHttp;
  /** `row` binds what is sealed to its place. */
  seal(text: string, row: string): Buffer;
  open(sealed: Buffer, row: string): string;
}

/** What running pulls needs beside that. */
export interface IngestContext extends PlanContext {
  readonly database: Database;
  /** Seals what goes into the raw vault. */
  readonly cipher: VaultCipher;
  /** A valid token of the connection. With `rejected` the provider has refused that one: refresh unless somebody did already. */
  accessTokenFor(connectionId: string, rejected?: PullToken): Promise<PullToken>;
  /** Makes calls as this connection; must draw a version with each response and tell of the quota where the provider does. */
  sendFor(request: {
    readonly connection: PullConnection;
    readonly connector: Connector;
    readonly accessToken: string;
    readonly signal: AbortSignal;
    onQuota(quota: QuotaState): void;
  }): ProviderSend;
  /** Absent: nothing is subscribed for whole applications, and users without an address. */
  readonly subscriptions?: SubscriptionPorts;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly budgets: Budgets;
  readonly longWaits: LongWaitSlots;
  readonly settings: IngestSettings;
}

export interface IngestSettings {
  /** Connections pulled at the same time by one process. */
  readonly concurrency: number;
  /** A run ends after so many windows or so much time, so that every connection gets its turn. */
  readonly runWindowsMax: number;
  readonly runTimeMs: number;
  /** For one window, all of its pages, without what it waits for quota. */
  readonly windowDeadlineMs: number;
  /** A worker that was not heard of for so long is taken for dead. */
  readonly leaseMs: number;
  /** Tries of a single read within a run, and the wait before the second, which doubles. */
  readonly callAttemptsMax: number;
  readonly callRetryMs: number;
  /** Runs of a window until it is given up. */
  readonly attemptsMax: number;
  readonly retryBaseMs: number;
  readonly retryMaxMs: number;
  /** Part of a provider's quota that backfills leave to live pulls; for an application's until it was seen what those need. */
  readonly liveShare: number;
  /** How long a window waits for the pushes by which some providers answer a request for history, and for more of them after the last. */
  readonly historyWaitMs: number;
  readonly historyQuietMs: number;
  /**
   * How long a call waits for quota in the process: the first of a window, and later ones; and all of a run together, which
   * with its other bounds must end before its job expires.
   */
  readonly quotaWaitMs: number;
  readonly quotaWaitStartedMs: number;
  readonly quotaWaitTotalMs: number;
  /** Whether answers go into the raw vault, compressed and sealed, with the pages made of them. */
  readonly storeRawResponses: boolean;
  /** Of a large push so many bytes are read and stored at once, and after so long a job of it gives way to the next. */
  readonly pushPartBytes: number;
  readonly pushTimeMs: number;
}

export const defaultSettings: IngestSettings = {
  concurrency: 8,
  runWindowsMax: 20,
  runTimeMs: 30_000,
  windowDeadlineMs: 120_000,
  leaseMs: 30_000,
  callAttemptsMax: 3,
  callRetryMs: 500,
  attemptsMax: 8,
  retryBaseMs: 30_000,
  retryMaxMs: 3_600_000,
  liveShare: 0.2,
  historyWaitMs: 600_000,
  historyQuietMs: 60_000,
  quotaWaitMs: 2000,
  quotaWaitStartedMs: 30_000,
  quotaWaitTotalMs: 600_000,
  storeRawResponses: true,
  pushPartBytes: 4 * 1024 * 1024,
  pushTimeMs: 60_000,
};
