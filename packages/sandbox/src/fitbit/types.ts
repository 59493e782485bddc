import type { SimulatorApplication, SimulatorOptions } from '../kit/types.ts';
import type { FitbitAccountSpec } from './accounts/types.ts';

export interface FitbitApplication extends SimulatorApplication {
  /** Whether minute by minute data was granted to the application. Default true. */
  readonly hasIntraday?: boolean;
}

export interface FitbitSimulatorOptions extends SimulatorOptions {
  readonly applications: readonly FitbitApplication[];
  /** Default: five demonstration accounts. */
  readonly accounts?: readonly FitbitAccountSpec[];
  /** Days of history of an account that does not set them. Default: as long as the recording. */
  readonly historyDays?: number;
  /** Lifetime of an access token, simulated seconds. Default 8 hours. */
  readonly accessTokenSeconds?: number;
  /** Requests an hour for each user and application. Default 150. */
  readonly requestsPerHour?: number;
  /** Where the recorded data lies, when a bundle moved it. */
  readonly dataFolder?: URL;
  /** How long notifications are gathered into one request, wall ms. Default 100. */
  readonly batchMs?: number;
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
