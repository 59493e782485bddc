import { AppError, errorCode, sleep } from '@pulsewire/kernel';
import { readLag } from '@pulsewire/eventlog';
import { ensureAttemptPartitions } from '../maintain.ts';
import { defaultScheduleMs } from '../schedule.ts';
import { createEngine, type Engine } from './engine.ts';
import { defaultTuning, type DispatcherOptions, type Tuning } from './options.ts';

/** Delivers every event of the log to the endpoints that take it. */
export interface Dispatcher {
  /**
   * Works until the signal aborts, then drains: attempts under way end within the grace time or become rows, and everything is
   * recorded. Throws when it cannot start, for instance without a database.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Numbers for tests and for the operator's view. */
  stats(): { readonly inFlight: number; readonly window: number; readonly unrecorded: number };
}

const tickMs = 50;
const gaugesEveryMs = 15_000;
const drainPollMs = 20;
const pendingCountMax = 100_000;

/** Throws AppError `lease_too_short`: a row that was claimed must last for its attempt, and for a wait before it. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const tuning: Tuning = { ...defaultTuning, scheduleMs: defaultScheduleMs, ...options.tuning };
  if (tuning.leaseMs < 2 * tuning.attemptMsMax)
    throw new AppError({ code: 'lease_too_short', kind: 'invalid', message: 'leaseMs must be at least twice attemptMsMax' });
  let engine: Engine | undefined;
  return {
    async run(signal) {
      engine = createEngine(options, tuning);
      await runEngine(engine, options, tuning, signal);
    },
    stats: () => ({
      inFlight: engine?.lanes.inFlight ?? 0,
      window: engine?.tracker.count ?? 0,
      unrecorded: engine?.recorder.waiting ?? 0,
    }),
  };
}

async function runEngine(engine: Engine, options: DispatcherOptions, tuning: Tuning, signal: AbortSignal): Promise<void> {
  const { database, log, logger, memberId, clock } = options;
  await ensureAttemptPartitions(database, clock.now().toISOString().slice(0, 10)).catch((error: unknown) => {
    // The default partition takes the rows meanwhile.
    logger.warn({ code: errorCode(error) }, 'partitions.not_made');
  });
  const consumption = await log.consume({ group: tuning.group, memberId, from: 'start', sink: engine.feed });
  engine.attach(consumption);
  consumption.wake();
  const stopRetries = new AbortController();
  const retries = engine.retries.run(stopRetries.signal);
  const ticker = setInterval(() => {
    engine.parking.parkOverdue();
    engine.parking.freeHeldRetries();
    engine.lanes.pumpAll();
  }, tickMs);
  const gauges = reportGauges(engine, options, tuning, signal);
  await aborted(signal);

  logger.info({ inFlight: engine.lanes.inFlight, window: engine.tracker.count }, 'dispatcher.stopping');
  engine.feed.stop();
  engine.lanes.stop();
  stopRetries.abort();
  await retries;
  await attemptsEnded(engine, tuning.graceMs);
  clearInterval(ticker);
  engine.parking.parkAll();
  await engine.recorder.drain(AbortSignal.timeout(tuning.graceMs));
  await consumption.stop();
  await gauges;
  logger.info({ window: engine.tracker.count }, 'dispatcher.stopped');
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function attemptsEnded({ lanes }: Engine, graceMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(graceMs);
  while (lanes.inFlight > 0 && !deadline.aborted) await sleep(drainPollMs, deadline);
}

async function reportGauges(
  engine: Engine,
  { database, metrics, logger }: DispatcherOptions,
  { group }: Tuning,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const lag = await readLag(database, group);
      const [pending] = await database.sql<
        { count: number }[]
      >`SELECT count(*)::int AS count FROM (SELECT FROM webhook_pending LIMIT ${pendingCountMax}) p`;
      metrics.gauge('webhook_lag_events', lag.events);
      metrics.gauge('webhook_lag_seconds', lag.oldestAgeMs / 1000);
      metrics.gauge('webhook_pending', pending?.count ?? 0);
    } catch (error) {
      logger.debug({ code: errorCode(error) }, 'gauges.not_read');
    }
    metrics.gauge('webhook_in_flight', engine.lanes.inFlight);
    metrics.gauge('webhook_window', engine.tracker.count);
    await sleep(gaugesEveryMs, signal);
  }
}
