import type { Consumption } from '@pulsewire/eventlog';
import { Attempts } from './attempts.ts';
import { EndpointCache } from './endpoint-cache.ts';
import { Lanes } from './lanes.ts';
import { LiveFeed } from './live-feed.ts';
import type { DispatcherOptions, Tuning } from './options.ts';
import { Parking } from './parking.ts';
import { Planner } from './planner.ts';
import { PositionTracker } from './position-tracker.ts';
import { Recorder } from './recorder.ts';
import { RetryClock } from './retry-clock.ts';
import { RetryFeed } from './retry-feed.ts';
import type { RecordItem } from './types.ts';

/** The parts of a dispatcher, wired to each other. */
export interface Engine {
  readonly feed: LiveFeed;
  readonly retries: RetryClock;
  readonly lanes: Lanes;
  readonly recorder: Recorder;
  readonly parking: Parking;
  readonly tracker: PositionTracker;
  /** The consumption that `feed` was given to: positions are saved there. */
  attach(consumption: Consumption): void;
}

/**
 *   log ── LiveFeed ──▶ Lanes ──▶ Attempts ──▶ Recorder ──▶ attempts, rows, positions
 *              │          ▲                       │
 *              └─ Parking ┼──── webhook_pending ◀─┘
 *                         └── RetryFeed ◀── RetryClock
 */
export function createEngine(options: DispatcherOptions, tuning: Tuning): Engine {
  const { database, cipher, clock, logger, metrics, sender, memberId: owner, random = Math.random } = options;
  const { leaseMs } = tuning;
  const nowMs = () => clock.monotonicMs();
  // The first events may come before the consumption that they belong to is known here; their positions wait for it.
  const attached = Promise.withResolvers<Consumption>();
  let consumption: Consumption | undefined;

  const tracker = new PositionTracker();
  const cache = new EndpointCache({
    database,
    cipher,
    logger,
    onLoaded({ endpoints }) {
      lanes.sync(endpoints);
      retries.lookAgain();
    },
  });
  const planner = new Planner({ clock, logger, findProvider: options.findProvider ?? (() => undefined) });
  const recorder = new Recorder({
    database,
    tracker,
    positions: {
      savePositions: async (tx, positions) => (await attached.promise).savePositions(tx, positions),
      saved: async (positions) => (await attached.promise).saved(positions),
    },
    owner,
    logger,
    metrics,
    onRecorded,
  });
  const attempts = new Attempts({
    clock,
    logger,
    metrics,
    sender,
    recorder,
    random,
    scheduleMs: tuning.scheduleMs,
    onEnded(delivery, lane) {
      lanes.ended(delivery, lane);
      retries.noteRoom(lane.endpoint.endpointId);
    },
  });
  const lanes = new Lanes({
    ...tuning,
    slowAfterMs: tuning.parkAfterMs,
    nowMs,
    start: (delivery, lane) => void attempts.make(delivery, lane),
  });
  const parking = new Parking({ ...tuning, clock, metrics, tracker, recorder, lanes });
  const feed = new LiveFeed({ ...tuning, clock, cache, planner, tracker, lanes, recorder, parking });
  const retryFeed = new RetryFeed({ clock, logger, metrics, cache, planner, lanes, recorder });
  const retries = new RetryClock({
    database,
    cache,
    lanes,
    owner,
    leaseMs,
    logger,
    nowMs,
    onClaimed: (row, event, leaseEndsAtMs) => retryFeed.take(row, event, leaseEndsAtMs),
  });

  function onRecorded(items: readonly RecordItem[]): void {
    const counts = { delivered: 0, failed: 0, exhausted: 0 };
    for (const { attempt, delivery, row, dueInMs, leaseMs: leased } of items) {
      if (attempt !== null) counts[attempt.outcome] += 1;
      if (delivery.hold === 'parking') delivery.hold = 'row';
      if (leased === null && (row === 'insert' || row === 'update')) retries.noteDue(delivery.endpoint.endpointId, dueInMs);
    }
    for (const [outcome, count] of Object.entries(counts)) if (count > 0) metrics.count('webhook_attempts_total', { outcome }, count);
    if (feed.canResume) consumption?.wake();
  }

  return {
    feed,
    retries,
    lanes,
    recorder,
    parking,
    tracker,
    attach(one) {
      consumption = one;
      attached.resolve(one);
    },
  };
}
