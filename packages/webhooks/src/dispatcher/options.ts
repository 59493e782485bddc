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
  /** Identifies this process in leases; must be unique among live processes. */
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
  readonly unrecordedMax: number;
  /** Bytes of their bodies. */
  readonly unrecordedBytesMax: number;
  /** Upper bound of attempts in progress at one endpoint. */
  readonly inFlightMax: number;
  /** Upper bound of attempts in progress in the process. */
  readonly inFlightTotalMax: number;
  /** Upper bound of attempts in progress at one host, over all teams, endpoints and dispatchers; loopback has none. */
  readonly hostInFlightMax: number;
  /** A delivery without a response for this long becomes a row, so that the position can advance. */
  readonly parkAfterMs: number;
  /** The sender's total deadline for an attempt. */
  readonly attemptMsMax: number;
  /** How long a dispatcher leases a row. */
  readonly leaseMs: number;
  /** How long attempts in progress may go on when the dispatcher stops; at most their own deadline is needed. */
  readonly graceMs: number;
  /** How long the dispatcher then waits for the database to record outcomes and free rows. */
  readonly recordMs: number;
  /** Rows of a replay that may wait for their first attempt; ten times as many may wait for another. */
  readonly replayRowsMax: number;
}

export const defaultTuning: Omit<Tuning, 'scheduleMs'> = {
  group: 'dispatcher',
  unrecordedMax: 8192,
  unrecordedBytesMax: 64 * 1024 * 1024,
  inFlightMax: 64,
  inFlightTotalMax: 2048,
  hostInFlightMax: 256,
  parkAfterMs: 1000,
  attemptMsMax: 15_000,
  leaseMs: 60_000,
  graceMs: 15_000,
  recordMs: 4000,
  replayRowsMax: 2000,
};
