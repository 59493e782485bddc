import { readLag } from '@pulsewire/eventlog';
import { AppError, errorCode, isUuid, sleep, waitUntilAborted, within, utcDay } from '@pulsewire/kernel';
import { createEngine, type Engine } from './engine.ts';
import { defaultTuning, type DispatcherOptions, type Tuning } from './options.ts';
import { firstUserQueue, freeStuckUserQueues } from './ordering/free-stuck.ts';
import { rowKinds } from './retries/claim-due.ts';
import { watchClock } from './watch-clock.ts';
import { watchMembers } from './watch-members.ts';
import { ensureAttemptPartitions } from '../maintenance/maintain.ts';
import { defaultScheduleMs } from '../model/time/retry-schedule.ts';
import { replaysChanged, webhookChannel } from '../model/wake-channel.ts';

/** Delivers every event of the log to the endpoints that subscribe to it. */
export interface Dispatcher {
  /**
   * Works until the signal aborts, then drains: attempts in progress end within the grace time or become rows, and everything is
   * recorded. Throws when it cannot start, for instance without a database.
   */
  run(signal: AbortSignal): Promise<void>;
  /** Numbers for tests and for the operator's view. */
  stats(): {
    readonly inFlight: number;
    readonly unrecordedEvents: number;
    readonly unrecordedOutcomes: number;
    /** Live dispatchers, with this one: each has an equal share of the rate limits. */
    readonly members: number;
  };
}

const tickMs = 50;
/** Share of a tick in which the process was busy. */
const busyShare = 0.95;
const gaugesEveryMs = 15_000;
const drainPollMs = 20;
const stuckEveryMs = 30_000;
/** User queues at a time. */
const stuckLookMax = 2000;
const pendingCountMax = 100_000;

/** Throws AppError `lease_too_short`: the lease of a claimed row must cover its attempt and the wait before it. */
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
      inFlight: engine?.queues.inFlight ?? 0,
      unrecordedEvents: engine?.tracker.count ?? 0,
      unrecordedOutcomes: engine?.recorder.waiting ?? 0,
      members: engine?.queues.members ?? 1,
    }),
  };
}

async function runEngine(engine: Engine, options: DispatcherOptions, tuning: Tuning, signal: AbortSignal): Promise<void> {
  const { database, log, logger, memberId, clock } = options;
  await ensureAttemptPartitions(database, utcDay(clock.now())).catch((error: unknown) => {
    // Until then rows go to the default partition.
    logger.warn({ errorCode: errorCode(error) }, 'partitions.create_failed');
  });
  const consumption = await log.consume({ group: tuning.group, memberId, from: 'start', sink: engine.feed });
  // Initialised at the start, so that an alert on an increase sees the first failure too.
  for (const name of failureCounters) options.metrics.count(name, {}, 0);
  engine.attach(consumption);
  consumption.wake();
  const stopRetries = new AbortController();
  const unlisten = listen(engine, options);
  const workers = [engine.retries, engine.replays, engine.runner].map((worker) => worker.run(stopRetries.signal));
  let loop = performance.eventLoopUtilization();
  const ticker = setInterval(() => {
    const now = performance.eventLoopUtilization();
    engine.queues.isBusy = performance.eventLoopUtilization(now, loop).utilization > busyShare;
    loop = now;
    engine.parking.parkOverdue();
    engine.parking.freeHeldRetries();
    engine.queues.pumpAll();
  }, tickMs);
  const background = [reportGauges, watchMembers, watchClock, freeStuck].map((work) => work(engine, options, tuning, signal));
  await waitUntilAborted(signal);

  logger.info({ inFlight: engine.queues.inFlight, unrecordedEvents: engine.tracker.count }, 'dispatcher.stopping');
  engine.feed.stop();
  engine.queues.stop();
  stopRetries.abort();
  engine.priorDeliveries.stop();
  // In parallel, or an unresponsive database would use up the time in which rows can be freed.
  await Promise.all([within(tuning.recordMs, Promise.all([unlisten(), ...workers]), () => {}), attemptsEnded(engine, tuning.graceMs)]);
  clearInterval(ticker);
  engine.parking.parkAll();
  await engine.recorder.drain(AbortSignal.timeout(tuning.recordMs));
  await consumption.stop();
  await Promise.all(background);
  logger.info({ unrecordedEvents: engine.tracker.count }, 'dispatcher.stopped');
}

const failureCounters = ['webhook_record_failures_total', 'webhook_quarantined_total', 'webhook_replay_batch_failures_total'];

/** Rows inserted by other processes are found by polling within seconds; notifications only make it faster. */
function listen({ retries, runner }: Engine, { database, logger }: DispatcherOptions): () => Promise<void> {
  const listening = database
    .listen(webhookChannel, (payload) => {
      if (payload === replaysChanged) runner.recheck();
      else if (isUuid(payload)) retries.recordDue(payload, 0);
      else retries.recheck();
    })
    .catch((error: unknown) => logger.warn({ errorCode: errorCode(error) }, 'notify.listen_failed'));
  return async () => {
    await (await listening)?.unlisten().catch(() => {});
  };
}

/** Frees stuck user queues, page by page. */
async function freeStuck(
  { retries }: Engine,
  { database, logger }: DispatcherOptions,
  { group }: Tuning,
  signal: AbortSignal,
): Promise<void> {
  for (let after = firstUserQueue; !signal.aborted; await sleep(stuckEveryMs, signal)) {
    try {
      const { freed, next } = await freeStuckUserQueues(database, group, { after, limit: stuckLookMax });
      after = next ?? firstUserQueue;
      if (freed.length > 0) logger.warn({ endpoints: freed.length }, 'user_queues.released');
      for (const endpointId of freed) retries.recordDue(endpointId, 0);
    } catch (error) {
      logger.debug({ errorCode: errorCode(error) }, 'user_queues.read_failed');
    }
  }
}

async function attemptsEnded({ queues }: Engine, graceMs: number): Promise<void> {
  const deadline = AbortSignal.timeout(graceMs);
  while (queues.inFlight > 0 && !deadline.aborted) await sleep(drainPollMs, deadline);
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
      const pending = await database.sql<{ lane: number; count: number }[]>`
        SELECT lane, count(*)::int AS count FROM (SELECT lane FROM webhook_pending LIMIT ${pendingCountMax}) p GROUP BY lane`;
      metrics.gauge('webhook_lag_events', lag.events);
      metrics.gauge('webhook_lag_seconds', lag.oldestAgeMs / 1000);
      for (const [kind, number] of Object.entries(rowKinds))
        metrics.gauge('webhook_pending', pending.find((row) => row.lane === number)?.count ?? 0, { kind });
    } catch (error) {
      logger.debug({ errorCode: errorCode(error) }, 'gauges.read_failed');
    }
    for (const [kind, retryClock] of [
      ['retry', engine.retries],
      ['replay', engine.replays],
    ] as const) {
      metrics.gauge('webhook_rows_held', engine.queues.held(kind), { kind });
      metrics.gauge('webhook_oldest_due_seconds', retryClock.oldestDueMs() / 1000, { kind });
    }
    metrics.gauge('webhook_in_flight', engine.queues.inFlight);
    metrics.gauge('webhook_unrecorded_events', engine.tracker.count);
    await sleep(gaugesEveryMs, signal);
  }
}
