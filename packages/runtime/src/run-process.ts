import { isAppError, systemClock, type Clock, type Logger } from '@pulsewire/kernel';
import { configHelp, summarizeConfig, type ConfigGroup } from './config/describe-config.ts';
import type { ConfigFields, ConfigOf } from './config/fields.ts';
import { checkAll, configExitCode, loadConfig } from './config/load-config.ts';
import { unverifiedDatabaseAdvice, unverifiedDatabases } from './config/unverified-databases.ts';
import { startHealthServer } from './health/health-server.ts';
import { createHealth, type HealthSource, type ReadinessCheck } from './health/health.ts';
import { createLogger, openLogDestination } from './log/logger.ts';
import { createMetrics, type MetricsRegistry } from './metrics/metrics.ts';
import { buildInfo, versionText } from './process/build-info.ts';
import { exitCodeOf } from './process/exit-codes.ts';
import { checkPorts, healthServerConfig, processConfig } from './process/process-config.ts';
import { createShutdown } from './process/shutdown.ts';
import { startWithRetries } from './process/start-with-retries.ts';
import { supervise, type Supervisor, type Worker } from './process/supervisor.ts';
import { exportTraces, type TraceExport } from './traces/export-traces.ts';

/** What a process is asked to do: start, or print something and end. */
type ProcessAction = 'start' | 'help' | 'check-config' | 'version';

interface ProcessArguments {
  readonly action: ProcessAction;
  /** Arguments that no process has; nothing may then be started. */
  readonly unknown: readonly string[];
}

const actions: Readonly<Record<string, ProcessAction>> = { '--help': 'help', '--check-config': 'check-config', '--version': 'version' };

/** EX_USAGE of sysexits.h. */
const usageExitCode = 64;

const usage = 'Options: --help (lists the settings), --check-config (checks them), --version. Without an option the process starts.';

/** Reads the arguments of a process. Of several options, the first in the order of `usage` counts. */
function readArguments(given: readonly string[]): ProcessArguments {
  const wanted = Object.keys(actions).find((option) => given.includes(option));
  return {
    action: wanted === undefined ? 'start' : (actions[wanted] ?? 'start'),
    unknown: given.filter((argument) => !Object.hasOwn(actions, argument)),
  };
}

type ShellConfig = ConfigOf<typeof processConfig> & ConfigOf<typeof healthServerConfig>;

export interface ProcessContext<C> {
  readonly config: C;
  readonly logger: Logger;
  readonly metrics: MetricsRegistry;
  readonly clock: Clock;
  /** For a public server, which responds with the status only. */
  readonly health: HealthSource;
  /** Port of the server for health and metrics. */
  readonly healthPort: number;
  /** Aborts on a request to stop, also during the start. */
  readonly signal: AbortSignal;
  /** Makes the process drain and end. */
  stop(reason: string, exitCode?: number): void;
}

export interface Started {
  /** In the order of the flow; stopped in reverse, one after the other. */
  readonly workers: readonly Worker[];
  readonly checks?: readonly ReadinessCheck[];
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

const shellConfig: ConfigFields = { ...processConfig, ...healthServerConfig };

function defaultGroups(name: string, fields: ConfigFields): readonly ConfigGroup[] {
  const own = Object.entries(fields).filter(([key]) => !Object.hasOwn(shellConfig, key));
  const shared = Object.entries(fields).filter(([key]) => Object.hasOwn(shellConfig, key));
  return [
    [name, Object.fromEntries(own)],
    ['Every process', Object.fromEntries(shared)],
  ];
}

function write(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  stream.write(`${lines.join('\n')}\n`);
}

function reportConfigProblems(name: string, problems: unknown): void {
  const lines = Array.isArray(problems) ? problems.map((problem) => `  - ${String(problem)}`) : [];
  write(process.stderr, [`${name} cannot start: invalid configuration`, ...lines]);
  process.exitCode = configExitCode;
}

/** An error that states what to do is logged without the stack, among which its message would be lost. */
function startFailure(error: unknown): object {
  if (!isAppError(error) || error.kind === 'bug') return { error };
  return { reason: error.message, errorCode: error.code, details: error.details };
}

/** Reads settings from the environment; on problems writes them to stderr, sets exit code 78 and returns undefined. */
export function loadConfigOrReport<F extends ConfigFields>(
  name: string,
  fields: F,
  check: (config: ConfigOf<F>) => void = () => {},
): ConfigOf<F> | undefined {
  try {
    const config = loadConfig(fields);
    check(config);
    return config;
  } catch (error) {
    if (!isAppError(error) || error.code !== 'config_invalid') throw error;
    reportConfigProblems(name, error.details['problems']);
    return undefined;
  }
}

/**
 * The shell of every process: reads the configuration, starts logging, metrics and health, runs `start`, keeps the
 * workers running, and on SIGINT, SIGTERM or a crash drains within the grace time. Resolves when the process has drained.
 * `--help`, `--check-config`, `--version` and unknown arguments end without starting anything.
 */
export async function runProcess<const F extends ConfigFields>(definition: ProcessDefinition<F>): Promise<void> {
  const { name } = definition;
  const fields = { ...processConfig, ...healthServerConfig, ...definition.config };
  const { action, unknown } = readArguments(process.argv.slice(2));
  if (unknown.length > 0) {
    process.exitCode = usageExitCode;
    return write(process.stderr, [`${name} has no option ${unknown.join(', ')}.`, usage]);
  }
  if (action === 'version') return write(process.stdout, [versionText(name)]);
  if (action === 'help') {
    const groups = definition.configGroups ?? defaultGroups(name, fields);
    return write(process.stdout, [`Pulsewire ${name}. ${usage}`, 'Settings are environment variables.', '', configHelp(groups)]);
  }
  const config: (ShellConfig & ConfigOf<F>) | undefined = loadConfigOrReport<typeof fields>(name, fields, (loaded) =>
    checkAll(
      () => definition.check?.(loaded),
      () => checkPorts(loaded),
    ),
  );
  if (config === undefined) return;
  const summary = summarizeConfig<ConfigFields>(fields, config);
  if (action === 'check-config') {
    return write(process.stdout, [
      `${name}: the configuration is valid`,
      ...Object.entries(summary).map(([env, value]) => `  ${env}=${String(value)}`),
    ]);
  }

  const fd = definition.logTo === 'stderr' ? 2 : 1;
  const isTerminal = fd === 2 ? process.stderr.isTTY : process.stdout.isTTY;
  const pretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isTerminal);
  const logger = createLogger({ name, level: config.logLevel, destination: await openLogDestination({ fd, pretty }) });
  const clock = systemClock;
  const metrics = createMetrics({
    service: name,
    processMetrics: true,
    onMisuse: (misuse) => logger.warn({ metric: misuse.name, reason: misuse.reason }, 'metric.misused'),
  });

  const begun: { started?: Started; supervisor?: Supervisor; closeHealthServer?: () => Promise<void>; traces?: TraceExport } = {};
  const health = createHealth({
    isServing: () => begun.supervisor !== undefined && !shutdown.signal.aborted,
    workers: () => begun.supervisor?.health() ?? [],
    checks: () => begun.started?.checks ?? [],
  });
  const starting = Promise.withResolvers<void>();
  const shutdown = createShutdown({
    logger,
    clock,
    // What has not started accepts no requests.
    delayMs: () => (begun.supervisor === undefined ? 0 : config.drainDelayMs),
    graceMs: config.shutdownGraceMs,
    async drain() {
      // A start in progress observes the signal and ends by itself; what it opened is closed below.
      await starting.promise;
      await begun.supervisor?.stop();
      await begun.started?.close?.();
      await begun.closeHealthServer?.();
      await begun.traces?.close();
    },
  });

  try {
    metrics.gauge('build_info', 1, { ...buildInfo });
    logger.info({ ...buildInfo, config: summary, node: process.version }, 'process.starting');
    for (const setting of unverifiedDatabases<ConfigFields>(fields, config))
      logger.warn({ setting, advice: unverifiedDatabaseAdvice }, 'database.unverified');
    if (config.tracesEndpoint !== undefined) begun.traces = await exportTraces({ endpoint: config.tracesEndpoint, service: name });
    const server = await startHealthServer({ host: config.healthHost, port: config.healthPort, health, metrics });
    begun.closeHealthServer = () => server.close();
    logger.info({ port: server.port }, 'health.listening');
    const stop = (reason: string, exitCode = 0) => shutdown.request(reason, exitCode);
    const context = { config, logger, metrics, clock, health, healthPort: server.port, signal: shutdown.signal, stop };
    const retryOptions = { logger, clock, signal: shutdown.signal, deadlineMs: config.startDeadlineMs };
    begun.started = await startWithRetries(() => definition.start(context), retryOptions);
    if (!shutdown.signal.aborted) {
      begun.supervisor = supervise({
        workers: begun.started.workers,
        logger,
        metrics,
        clock,
        onFatal: (workerName) => shutdown.request(`worker ${workerName} failed`, 1),
      });
      logger.info({ workers: begun.started.workers.map((worker) => worker.name) }, 'process.started');
    }
  } catch (error) {
    // A start interrupted by a stop signal has not failed.
    if (!shutdown.signal.aborted) logger.error(startFailure(error), 'process.start_failed');
    shutdown.request('start failed', exitCodeOf(error));
  }
  starting.resolve();
  await shutdown.finished;
}
