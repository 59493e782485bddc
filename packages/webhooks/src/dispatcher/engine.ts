import type { Consumption } from '@pulsewire/eventlog';
import { Attempts } from './attempts/attempts.ts';
import { DatabaseTime } from './delivery/database-time.ts';
import { commitOutcome, commitRow } from './delivery/delivery-state.ts';
import type { RecordItem } from './delivery/delivery.ts';
import { createMetricsObserver } from './delivery/observer.ts';
import { PositionTracker } from './delivery/position-tracker.ts';
import { isParkItem } from './delivery/record-items.ts';
import { LiveFeed } from './intake/live-feed.ts';
import { Parking } from './intake/parking.ts';
import type { DispatcherOptions, Tuning } from './options.ts';
import { PriorDeliveryLookup } from './ordering/prior-delivery-lookup.ts';
import { UserQueues } from './ordering/user-queues.ts';
import { Recorder } from './outcomes/recorder.ts';
import { EndpointQueues } from './queues/endpoint-queues.ts';
import { ReplayRunner } from './replay/runner.ts';
import type { RowKind } from './retries/claim-due.ts';
import { RetryClock } from './retries/retry-clock.ts';
import { RetryFeed } from './retries/retry-feed.ts';
import { EndpointCache } from '../routing/endpoint-cache.ts';
import { MessageRouter } from '../routing/message-router.ts';

/** Most claimed rows in the endpoint queues of this process, which bounds their memory. */
const retriesHeldMax = 512;
const replaysHeldMax = 256;
const replaysHeldMin = 8;

/** The parts of a dispatcher, wired to each other. */
export interface Engine {
  readonly feed: LiveFeed;
  readonly retries: RetryClock;
  readonly replays: RetryClock;
  readonly databaseTime: DatabaseTime;
  readonly cache: EndpointCache;
  readonly runner: ReplayRunner;
  readonly router: MessageRouter;
  readonly priorDeliveries: PriorDeliveryLookup;
  readonly queues: EndpointQueues;
  readonly recorder: Recorder;
  readonly parking: Parking;
  readonly tracker: PositionTracker;
  /** The consumption of `feed`, which saves the positions. */
  attach(consumption: Consumption): void;
}

/**
 *   log ── LiveFeed ──▶ EndpointQueues ──▶ Attempts ──▶ Recorder ──▶ attempts, rows, positions
 *              │          ▲                       │
 *              └─ Parking ┼──── webhook_pending ◀─┘
 *                         └── RetryFeed ◀── RetryClock (retries; replays)
 */
export function createEngine(options: DispatcherOptions, tuning: Tuning): Engine {
  const { database, cipher, clock, logger, metrics, sender, memberId: owner, random = Math.random } = options;
  const { leaseMs } = tuning;
  const nowMs = () => clock.monotonicMs();
  // The first events may arrive before their consumption is set here; their positions wait for it.
  const attached = Promise.withResolvers<Consumption>();
  let consumption: Consumption | undefined;

  const observer = createMetricsObserver(metrics);
  const databaseTime = new DatabaseTime(leaseMs);
  const tracker = new PositionTracker();
  const cache = new EndpointCache({
    database,
    cipher,
    logger,
    onLoaded({ endpoints }) {
      queues.sync(endpoints);
      retries.recheck();
      replays.recheck();
    },
  });
  const router = new MessageRouter({ clock, logger, findProvider: options.findProvider ?? (() => undefined) });
  const recorder = new Recorder({
    database,
    tracker,
    positions: {
      // Both statements are sent at once; the first locks the positions, which keeps the lock order.
      savePositions: (tx, positions) =>
        consumption === undefined
          ? attached.promise.then((one) => one.savePositions(tx, positions))
          : consumption.savePositions(tx, positions),
      saved: async (positions) => (await attached.promise).saved(positions),
    },
    owner,
    group: tuning.group,
    logger,
    metrics,
    onRecorded,
  });
  const attempts = new Attempts({
    clock,
    logger,
    observer,
    sender,
    recorder,
    random,
    scheduleMs: tuning.scheduleMs,
    isBusy: () => queues.isBusy,
    isHidden: (userId) => cache.table.isHidden(userId),
    onUnparked: (delivery) => userQueues.unparked(delivery),
    onEnded(delivery, queue, item) {
      queues.ended(delivery, queue);
      if (delivery.isOrdered) userQueues.ended(delivery, item);
      retries.recordRoom(queue.endpoint.endpointId);
      replays.recordRoom(queue.endpoint.endpointId);
    },
  });
  const queues = new EndpointQueues({
    ...tuning,
    slowAfterMs: tuning.parkAfterMs,
    nowMs,
    start: (delivery, queue) => void attempts.make(delivery, queue),
  });
  const parking = new Parking({
    ...tuning,
    rowsHeldMax: retriesHeldMax,
    clock,
    metrics,
    tracker,
    recorder,
    queues,
    userQueues: () => userQueues,
  });
  const priorDeliveries: PriorDeliveryLookup = new PriorDeliveryLookup({
    database,
    logger,
    onResult: (delivery, result) => feed.lookedUp(delivery, result),
  });
  const userQueues: UserQueues = new UserQueues({ queues, recorder, priorDeliveries, nowMs, park: (delivery) => parking.park(delivery) });
  const feed: LiveFeed = new LiveFeed({
    ...tuning,
    clock,
    logger,
    cache,
    router,
    tracker,
    queues,
    recorder,
    parking,
    priorDeliveries,
    userQueues,
  });
  const retryFeed = new RetryFeed({ clock, logger, metrics, cache, router, queues, recorder });
  const clockOf = (kind: RowKind, heldMax: () => number) =>
    new RetryClock({
      kind,
      heldMax,
      database,
      cache,
      queues,
      owner,
      leaseMs,
      logger,
      nowMs,
      leasesEndBefore: () => databaseTime.leasesEndBefore(nowMs()),
      onClaimed: (row, event, leaseEndsAtMs) => retryFeed.take(row, event, leaseEndsAtMs),
    });
  const retries = clockOf('retry', () => retriesHeldMax);
  // A backlog of live events takes precedence; replays then continue a few at a time.
  const replays = clockOf('replay', () => (tracker.count > tuning.unrecordedMax >> 2 ? replaysHeldMin : replaysHeldMax));

  const runner = new ReplayRunner({
    database,
    cache,
    router,
    owner,
    logger,
    metrics,
    rowsMax: tuning.replayRowsMax,
    onRows(endpointId) {
      replays.recordDue(endpointId, 0);
      // Rows that already waited are now due.
      retries.recordDue(endpointId, 0);
    },
  });

  function onRecorded(items: readonly RecordItem[], freed: readonly string[]): void {
    for (const item of items) {
      const { delivery, row, dueInMs, leaseMs: leased } = item;
      const isLegal = isParkItem(item) ? commitRow(delivery) : commitOutcome(delivery);
      if (!isLegal) logger.error({ state: delivery.state, transition: 'commit' }, 'delivery.transition_illegal');
      if (leased !== null || dueInMs === null || (row !== 'insert' && row !== 'update')) continue;
      (delivery.kind === 'replay' ? replays : retries).recordDue(delivery.endpoint.endpointId, dueInMs);
    }
    observer.recorded(items);
    for (const endpointId of freed) retries.recordDue(endpointId, 0);
    userQueues.recorded(items);
    if (feed.canResume) consumption?.wake();
  }

  return {
    feed,
    retries,
    replays,
    runner,
    databaseTime,
    cache,
    router,
    priorDeliveries,
    queues,
    recorder,
    parking,
    tracker,
    attach(one) {
      consumption = one;
      attached.resolve(one);
    },
  };
}
