import type { Clock, Logger } from '@pulsewire/kernel';
import type { ConfigGroup } from './config/describe-config.ts';
import type { ConfigFields, ConfigOf } from './config/fields.ts';
import type { HealthSource, ReadinessCheck } from './health/health.ts';
import type { MetricsRegistry } from './metrics/metrics.ts';
import type { healthServerConfig, processConfig } from './process/process-config.ts';
import type { Worker } from './process/supervisor.ts';
import type { WorkerPlan, WorkerPool } from './workers/worker-pool.ts';
import type { workersConfig } from './workers/worker-settings.ts';

export type ShellConfig = ConfigOf<typeof processConfig> & ConfigOf<typeof healthServerConfig> & Partial<ConfigOf<typeof workersConfig>>;

/** Which one of several worker processes this is. */
export interface WorkerIdentity {
  /** Counted from 1. */
  readonly number: number;
  readonly count: number;
  /** What the plan has for its program. */
  readonly data: unknown;
}

export interface ProcessContext<C> {
  readonly config: C;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  /** For a public server, which responds with the status only. */
  readonly health: HealthSource;
  /** Port of the server for health and metrics, which is the parent's for a worker process. */
  readonly healthPort: number;
  /** Aborts on a request to stop, also during the start. */
  readonly signal: AbortSignal;
  /** null: this is no worker process of another one. */
  readonly worker: WorkerIdentity | null;
  /** Starts worker processes, which this process supervises; their metrics and health are reported with its own. */
  openWorkers(plan: WorkerPlan): Promise<WorkerPool>;
  /** Makes the process drain and end. */
  stop(reason: string, exitCode?: number): void;
}

export interface Started {
  /** In the order of the flow; stopped in reverse, one after the other. */
  readonly workers: readonly Worker[];
  readonly checks?: readonly ReadinessCheck[];
  /** The worker processes, if there are any. */
  readonly pool?: WorkerPool;
  /** Closes pools and the like, after the last worker has stopped. */
  close?(): Promise<void>;
}

export interface ProcessDefinition<F extends ConfigFields> {
  readonly name: string;
  readonly config: F;
  /** The settings in groups, for `--help`; default: those of this process and those of every process. */
  readonly configGroups?: readonly ConfigGroup[];
  /** stderr for processes that print to a person on stdout. */
  readonly logTo?: 'stdout' | 'stderr';
  /**
   * Checks what no single setting shows, such as contradictions between settings, without starting anything.
   * Throws AppError `config_invalid`. Runs before each start and for `--check-config`.
   */
  check?(config: ShellConfig & ConfigOf<F>): void;
  /**
   * Builds the process: connects, migrates, listens. After a failure it must close what it has opened, because it is called again
   * while a dependency is unavailable, until START_DEADLINE_MS.
   */
  start(context: ProcessContext<ShellConfig & ConfigOf<F>>): Promise<Started>;
}
