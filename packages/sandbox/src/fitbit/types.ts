import type { SimulatorClock } from '../simulator-clock.ts';
import type { AccountSpec } from './accounts/types.ts';
import type { FaultRates } from '../kit/faults.ts';
import type { PushRecord } from '../kit/push/sender.ts';

/** An application as its maker registered it in the provider's portal. */
export interface ApplicationSpec {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirectUris: readonly string[];
  /** Where notifications go. It is verified before the first one, and anew by `registerSubscriber`. */
  readonly subscriberUrl?: string;
  readonly verificationCode?: string;
  /** Whether minute by minute data was granted to the application. Default true. */
  readonly hasIntraday?: boolean;
}

export interface FitbitSimulatorOptions {
  /** Default 0: any free port. */
  readonly port?: number;
  readonly host?: string;
  readonly clock?: SimulatorClock;
  readonly applications: readonly ApplicationSpec[];
  /** Default: five demonstration accounts. */
  readonly accounts?: readonly AccountSpec[];
  /** Faults from the start, each with its rate 0..1; the control changes them later. */
  readonly faults?: FaultRates;
  /** What faults and revisions are drawn from. The same seed and requests give the same faults. */
  readonly seed?: string;
  /** Lifetime of an access token, simulated milliseconds. Default 8 hours. */
  readonly accessTokenLifetimeMs?: number;
  /** Requests an hour for each user and application. Default 150. */
  readonly requestsPerHour?: number;
  /** Consents, tokens, subscriptions and what the accounts have synced are kept here, so that a restarted simulator knows its clients. */
  readonly stateFile?: string;
  /** Where the recorded data lies, when a bundle moved it. */
  readonly dataFolder?: URL;
  readonly notifications?: NotificationTiming;
  /** Told of every request to a subscriber and of its answer. */
  readonly onNotificationSent?: (sent: PushRecord) => void;
}

/** Wall-clock milliseconds. */
export interface NotificationTiming {
  /** How long notices are gathered into one request. Default 100. */
  readonly batchMs?: number;
  /** Default 5 seconds, as documented. */
  readonly deadlineMs?: number;
  /** Waits before the second and later tries. Default 1 and 5 seconds. */
  readonly retryDelaysMs?: readonly number[];
  /** Lost batches in a row after which the subscriber is disabled. Default 10. */
  readonly failuresMax?: number;
}

export interface Endpoints {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl: string;
  readonly apiBaseUrl: string;
}

export const scopes = [
  'activity',
  'cardio_fitness',
  'electrocardiogram',
  'heartrate',
  'irregular_rhythm_notifications',
  'location',
  'nutrition',
  'oxygen_saturation',
  'profile',
  'respiratory_rate',
  'settings',
  'sleep',
  'social',
  'temperature',
  'weight',
] as const;
