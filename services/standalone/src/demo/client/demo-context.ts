import type { Clock } from '@pulsewire/kernel';
import type { Narrator } from './narrator.ts';
import type { DemoSimulation } from '../simulation/demo-simulation.ts';

/** Progress of the installation, from its own endpoints and tables. */
export interface DemoStatus {
  readonly windowsTotal: number;
  readonly windowsDone: number;
  readonly windowsFailed: number;
  readonly windowsWaitingForQuota: number;
  readonly samples: number;
  readonly summaries: number;
  readonly events: number;
  /** Events that the demo's receiver has not received yet; other endpoints of the team do not count. */
  readonly undelivered: number;
  /** Failed attempts at the receiver since the first start; each was or will be repeated. */
  readonly failedAttempts: number;
}

export interface DemoContext {
  readonly simulation: DemoSimulation;
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Shell command that sets API_KEY. */
  readonly setKeyLine: string;
  readonly narrator: Narrator;
  readonly clock: Clock;
  /** Days of history to pull for new users; undefined: few, so that they arrive soon. */
  readonly historyDays: number | undefined;
  readStatus(endpointId: string): Promise<DemoStatus>;
}
