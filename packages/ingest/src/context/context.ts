import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { Connection, PullConnection } from '@pulsewire/connections';
import type { Database } from '@pulsewire/database';
import type { Connector, LoginHttp, OAuthApplication, ProviderSend, PushAddress, QuotaState } from '@pulsewire/providers';
import type { Budgets } from '../quota/budgets.ts';
import type { LongWaitSlots } from '../quota/long-wait-slots.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { VaultCipher } from '../sealed/seal-part.ts';

/** An access token with its version, by which a rejected token is reported. */
export interface PullToken {
  readonly accessToken: string;
  readonly version: bigint;
}

/** What planning needs: it runs inside the caller's transaction and never waits for a provider. */
export interface PlanContext {
  readonly jobs: Jobs;
  /** undefined: this process no longer serves the provider. */
  connectorFor(slug: string): Connector | undefined;
  readonly clock: Clock;
  /** Returns 0..1; spreads incremental pulls. */
  readonly random: () => number;
  /** Absent: what planning decides is not logged. */
  readonly logger?: Logger;
}

/** What subscribing to pushes needs: the callback addresses, and the applications that subscribe. */
export interface SubscriptionPorts {
  /** null: no address is configured at which providers could call. `owner` is `platform` or a team's id. */
  addressOf(connector: Connector, owner: string): PushAddress | null;
  /** null: it no longer exists. */
  applicationOf(provider: string, owner: string): Promise<OAuthApplication | null>;
  loginHttpFor(connector: Connector, signal: AbortSignal): LoginHttp;
  /** `row` binds the sealed value to its row. */
  seal(text: string, row: string): Buffer;
  open(sealed: Buffer, row: string): string;
}

/** What running pulls needs in addition. */
export interface IngestContext extends PlanContext {
  readonly database: Database;
  /** Seals the contents of the raw vault. */
  readonly cipher: VaultCipher;
  /** A valid token of the connection. `rejected`: the provider refused that token; refresh unless another caller already did. */
  accessTokenFor(connectionId: string, rejected?: PullToken): Promise<PullToken>;
  /** Calls the provider as this connection; must draw a version with each response and report the quota where the provider does. */
  sendFor(request: {
    readonly connection: PullConnection;
    readonly connector: Connector;
    readonly accessToken: string;
    readonly signal: AbortSignal;
    onQuota(quota: QuotaState): void;
  }): ProviderSend;
  /** Divides the days of an imported connection from those of one to the same account at another provider. Absent: they are not divided. */
  handOverImported?(connection: Connection): Promise<void>;
  /** Records which connections belong to the same person, so that their days are divided. Absent: they are not. */
  startHandover?(connection: Connection): Promise<void>;
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
  /** A run ends after this many windows or this much time, so that no connection starves the others. */
  readonly runWindowsMax: number;
  readonly runTimeMs: number;
  /** For all pages of one window, without the time that it waits for quota. */
  readonly windowDeadlineMs: number;
  /** A worker that has not renewed its lease for this long is considered dead. */
  readonly leaseMs: number;
  /** Attempts at a single read within a run, and the wait before the second attempt, which then doubles. */
  readonly callAttemptsMax: number;
  readonly callRetryMs: number;
  /** Runs of a window before it is given up. */
  readonly attemptsMax: number;
  /** Retry limit during an outage: used when the whole connection fails and no later poll would plan the window again. */
  readonly outageAttemptsMax: number;
  readonly retryBaseMs: number;
  readonly retryMaxMs: number;
  /** Share of a provider's quota that backfills leave to live pulls; for an application's quota until the demand of live pulls is known. */
  readonly liveShare: number;
  /** How long a window waits for the pushes that some providers send for a history request, and for further ones after the last. */
  readonly historyWaitMs: number;
  readonly historyQuietMs: number;
  /**
   * How long a call waits for quota in the process: the first of a window, and later ones; and all of a run together, which
   * with its other bounds must end before its job expires.
   */
  readonly quotaWaitMs: number;
  readonly quotaWaitStartedMs: number;
  readonly quotaWaitTotalMs: number;
  /** Whether responses go into the raw vault, compressed and sealed, with the pages made from them. */
  readonly storeRawResponses: boolean;
  /** Bytes of a large push that are read and stored at once, and the time after which its job continues in a new one. */
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
  // An hour until the eighth attempt, then one attempt an hour: two weeks.
  outageAttemptsMax: 8 + 14 * 24,
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
