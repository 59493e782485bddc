import { errorCode, errorMessage, isAppError, systemClock } from '@pulsewire/kernel';
import { configHelp, summarizeConfig, type ConfigGroup } from './config/describe-config.ts';
import type { ConfigFields, ConfigOf } from './config/fields.ts';
import { checkAll, configExitCode, loadConfig, loadPart } from './config/load-config.ts';
import { unverifiedDatabaseAdvice, unverifiedDatabases } from './config/unverified-databases.ts';
import { startHealthServer } from './health/health-server.ts';
import { createHealth, type HealthReport } from './health/health.ts';
import { createLogger, openLogDestination } from './log/logger.ts';
import { createMetrics } from './metrics/metrics.ts';
import { buildInfo, versionText } from './process/build-info.ts';
import { exitCodeOf } from './process/exit-codes.ts';
import { checkPorts, healthServerConfig, processConfig } from './process/process-config.ts';
import { readArguments, usage, usageExitCode } from './process/read-arguments.ts';
import { releaseStartMemory } from './process/release-memory.ts';
import { shareRunning } from './process/share-running.ts';
import { createShutdown } from './process/shutdown.ts';
import { startWithRetries } from './process/start-with-retries.ts';
import { supervise, type Supervisor } from './process/supervisor.ts';
import type { ProcessContext, ProcessDefinition, ShellConfig, Started } from './process-definition.ts';
import { exportTraces, type TraceExport } from './traces/export-traces.ts';
import { mergeExpositions } from './workers/merge-expositions.ts';
import { openWorkerLink } from './workers/worker-link.ts';
import { openWorkerPool } from './workers/worker-pool.ts';

/** Time for a process to end once it has drained. */
const endingMs = 1500;
const silenceMaxMs = 30_000;

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

/** What a worker process tells its parent: `ok`, or the checks and parts that do not work. */
function describeReadiness({ ok, workers, checks }: HealthReport): string {
  if (ok) return 'ok';
  const failing = Object.entries(checks).filter(([, outcome]) => outcome !== 'ok');
  const stopped = workers.filter(({ state }) => state !== 'running').map((worker): [string, string] => [worker.name, worker.state]);
  return [...failing, ...stopped].map(([part, problem]) => `${part} ${problem}`).join(', ') || 'not serving';
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
  const link = await openWorkerLink();
  const config: (ShellConfig & ConfigOf<F>) | undefined = link
    ? loadPart<typeof fields>(fields, link.start.settings)
    : loadConfigOrReport<typeof fields>(name, fields, (loaded) =>
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
  const workerNumber = link?.start.number;
  const logger = createLogger({ name, workerNumber, level: config.logLevel, destination: await openLogDestination({ fd, pretty }) });
  const clock = systemClock;
  const metrics = createMetrics({
    service: name,
    workerNumber,
    processMetrics: true,
    onMisuse: (misuse) => logger.warn({ metric: misuse.name, reason: misuse.reason }, 'metric.misused'),
  });

  const begun: { started?: Started; supervisor?: Supervisor; closeHealthServer?: () => Promise<void>; traces?: TraceExport } = {};
  const health = createHealth({
    isServing: () => begun.supervisor !== undefined && !shutdown.signal.aborted,
    workers: () => [...(begun.supervisor?.health() ?? []), ...(begun.started?.pool?.health() ?? [])],
    checks: () => begun.started?.checks ?? [],
  });
  // Of this process and of its worker processes.
  const renderAll = async () => {
    const own = await metrics.render();
    const others = (await begun.started?.pool?.expositions()) ?? [];
    return others.length === 0 ? own : { ...own, body: mergeExpositions([own.body, ...others]) };
  };
  const allMetrics = { render: shareRunning(renderAll) };
  const starting = Promise.withResolvers<void>();
  // Worker processes wait and drain by themselves; their parent outlives them.
  const stopMaxMs = config.drainDelayMs + config.shutdownGraceMs + endingMs;
  const shutdown = createShutdown({
    logger,
    clock,
    // What has not started accepts no requests.
    delayMs: () => (begun.supervisor === undefined || begun.started?.pool ? 0 : config.drainDelayMs),
    graceMs: () => (begun.started?.pool ? stopMaxMs + endingMs : config.shutdownGraceMs),
    async drain() {
      // A start in progress observes the signal and ends by itself; what it opened is closed below.
      await starting.promise;
      await begun.supervisor?.stop();
      await begun.started?.close?.();
      await begun.closeHealthServer?.();
      await begun.traces?.close();
    },
  });
  link?.onStop(() => shutdown.onSignal('the parent stops'));

  try {
    metrics.gauge('build_info', 1, { ...buildInfo });
    // The settings of worker processes are those of their parent, which has logged them.
    logger.info({ ...buildInfo, ...(link === null && { config: summary }), node: process.version }, 'process.starting');
    if (link === null) {
      for (const setting of unverifiedDatabases<ConfigFields>(fields, config))
        logger.warn({ setting, advice: unverifiedDatabaseAdvice }, 'database.unverified');
    }
    if (config.tracesEndpoint !== undefined) begun.traces = await exportTraces({ endpoint: config.tracesEndpoint, service: name });
    let healthPort: number;
    if (link) {
      healthPort = link.start.healthPort;
      link.answer('ready', async () => describeReadiness(await health.ready()));
      link.answer('metrics', async () => (await metrics.render()).body);
      link.beat();
    } else {
      const server = await startHealthServer({ host: config.healthHost, port: config.healthPort, health, metrics: allMetrics });
      begun.closeHealthServer = () => server.close();
      healthPort = server.port;
      logger.info({ port: healthPort }, 'health.listening');
    }
    const { signal } = shutdown;
    const context: ProcessContext<ShellConfig & ConfigOf<F>> = {
      config,
      logger,
      metrics,
      clock,
      health,
      healthPort,
      signal,
      worker: link && { number: link.start.number, count: link.start.count, data: link.start.data },
      openWorkers: (plan) =>
        openWorkerPool(plan, {
          silenceMaxMs: config.workerSilenceMaxMs ?? silenceMaxMs,
          stopMaxMs,
          healthPort,
          logger,
          metrics,
          clock,
          signal,
        }),
      stop: (reason, exitCode = 0) => shutdown.request(reason, exitCode),
    };
    const retryOptions = { logger, clock, signal, deadlineMs: config.startDeadlineMs };
    begun.started = await startWithRetries(() => definition.start(context), retryOptions);
    if (!shutdown.signal.aborted) {
      releaseStartMemory();
      begun.supervisor = supervise({
        workers: begun.started.workers,
        logger,
        metrics,
        clock,
        onFatal: (workerName) => shutdown.request(`worker ${workerName} failed`, 1),
      });
      logger.info({ workers: begun.started.workers.map((worker) => worker.name) }, 'process.started');
      link?.started();
    }
  } catch (error) {
    // A start interrupted by a stop signal has not failed.
    if (!shutdown.signal.aborted) logger.error(startFailure(error), 'process.start_failed');
    link?.startFailed(errorCode(error), errorMessage(error));
    shutdown.request('start failed', exitCodeOf(error));
  }
  starting.resolve();
  await shutdown.finished;
}
