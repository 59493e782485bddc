import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { TransformContext } from '@pulsewire/contract';
import type { Cipher, Database } from '@pulsewire/database';
import type { EventLog } from '@pulsewire/eventlog';
import type { WebhookSender } from '@pulsewire/outbound';

export interface DispatcherOptions {
  readonly database: Database;
  readonly log: EventLog;
  readonly cipher: Cipher;
  readonly sender: WebhookSender;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** Names this process in leases; must not be that of another one that lives. */
  readonly memberId: string;
  /** Facts of a provider, for teams that pinned an old contract date. */
  readonly findProvider?: TransformContext['findProvider'];
  readonly random?: () => number;
  readonly tuning?: Partial<Tuning>;
}

export interface Tuning {
  /** Consumer group in the log; dispatchers of one group share the work. */
  readonly group: string;
  /** Milliseconds to wait before each attempt, after the preceding failure. */
  readonly scheduleMs: readonly number[];
  /** Events ahead of the recorded position. */
  readonly windowMax: number;
  /** Bytes of their bodies. */
  readonly windowBytesMax: number;
  /** Upper bound of attempts in progress at one endpoint. */
  readonly inFlightMax: number;
  /** Upper bound of attempts in progress in the process. */
  readonly inFlightTotalMax: number;
  /** Upper bound of attempts in progress at one host, over all teams, endpoints and dispatchers; loopback has none. */
  readonly hostInFlightMax: number;
  /** What has not been answered for this long becomes a row, so that the position goes on. */
  readonly parkAfterMs: number;
  /** What an attempt takes at most; the sender's total deadline. */
  readonly attemptMsMax: number;
  /** How long a row belongs to the dispatcher that works on it. */
  readonly leaseMs: number;
  /** Attempts in progress may end within this time when the dispatcher stops. */
  readonly graceMs: number;
  /** Rows of a replay that may wait for their first attempt; ten times as many may wait for another. */
  readonly replayRowsMax: number;
}

export const defaultTuning: Omit<Tuning, 'scheduleMs'> = {
  group: 'dispatcher',
  windowMax: 8192,
  windowBytesMax: 64 * 1024 * 1024,
  inFlightMax: 64,
  inFlightTotalMax: 2048,
  hostInFlightMax: 256,
  parkAfterMs: 1000,
  attemptMsMax: 15_000,
  leaseMs: 60_000,
  graceMs: 4000,
  replayRowsMax: 2000,
};
