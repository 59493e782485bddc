import type { LogEvent, LogSink } from '@pulsewire/eventlog';
import type { Clock, Logger } from '@pulsewire/kernel';
import { endDelivery, hasRow, loseDelivery } from '../delivery/delivery-state.ts';
import type { Delivery, UnrecordedEvent } from '../delivery/delivery.ts';
import { newDelivery } from '../delivery/new-delivery.ts';
import type { PositionTracker } from '../delivery/position-tracker.ts';
import { alreadyRecordedItem, unsendableItem } from '../delivery/record-items.ts';
import { bodyBytes, unrecordedCapacity, type UnrecordedLimits } from '../delivery/unrecorded-events.ts';
import type { Parking } from './parking.ts';
import { Takeover } from './takeover.ts';
import type { LookupResult, PriorDeliveryLookup } from '../ordering/prior-delivery-lookup.ts';
import type { UserQueues } from '../ordering/user-queues.ts';
import type { Recorder } from '../outcomes/recorder.ts';
import type { EndpointQueues } from '../queues/endpoint-queues.ts';
import type { EndpointCache } from '../../routing/endpoint-cache.ts';
import type { MessageRouter } from '../../routing/message-router.ts';
import type { TeamRoutes } from '../../routing/route.ts';

export interface LiveFeedOptions extends UnrecordedLimits {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly cache: EndpointCache;
  readonly router: MessageRouter;
  readonly tracker: PositionTracker;
  readonly queues: EndpointQueues;
  readonly recorder: Recorder;
  readonly parking: Parking;
  readonly priorDeliveries: PriorDeliveryLookup;
  readonly userQueues: UserQueues;
}

const noDeliveries: readonly Delivery[] = [];

/** Takes events from the log, in order within each shard, and starts their deliveries. Reading never waits for an endpoint. */
export class LiveFeed implements LogSink {
  readonly #options: LiveFeedOptions;
  readonly #takeover = new Takeover();
  #isPaused = false;
  #isStopped = false;

  constructor(options: LiveFeedOptions) {
    this.#options = options;
  }

  /** Whether a read was declined that would fit now. */
  get canResume(): boolean {
    return this.#isPaused && !this.#isStopped && unrecordedCapacity(this.#options.tracker, this.#options) > 0;
  }

  stop(): void {
    this.#isStopped = true;
  }

  capacity(): number {
    const capacity = this.#isStopped ? 0 : unrecordedCapacity(this.#options.tracker, this.#options);
    this.#isPaused = capacity === 0;
    return capacity;
  }

  prepare(): Promise<void> {
    return this.#options.cache.refresh();
  }

  accept(shard: number, epoch: number, events: readonly LogEvent[]): void {
    const { clock, cache, tracker, recorder } = this.#options;
    const acceptedAtMs = clock.monotonicMs();
    this.#takeover.began(shard, epoch);
    for (const event of events) {
      const { offset, day } = event;
      const entry: UnrecordedEvent = {
        shard,
        epoch,
        offset,
        day,
        bytes: bodyBytes(event),
        acceptedAtMs,
        open: 0,
        deliveries: noDeliveries,
        isDropped: false,
      };
      this.#enter(event, entry, cache.table.teams.get(event.teamId));
    }
    if (tracker.hasMoved) recorder.touch();
  }

  revoked(shard: number): void {
    const { tracker, recorder, userQueues, logger } = this.#options;
    userQueues.revoked(shard);
    this.#takeover.revoked(shard);
    for (const entry of tracker.drop(shard)) {
      for (const delivery of entry.deliveries) {
        const isUnwritten = delivery.state === 'parkingAttempting' && recorder.cancelPark(delivery);
        // Its row is written or being written: it remains ours, whichever member owns the shard.
        if (hasRow(delivery) && !isUnwritten) continue;
        if (!loseDelivery(delivery)) logger.error({ state: delivery.state, transition: 'lose' }, 'delivery.transition_illegal');
      }
    }
  }

  #enter(event: LogEvent, entry: UnrecordedEvent, team: TeamRoutes | undefined): void {
    const { router, tracker } = this.#options;
    const routed = router.route(event, team);
    const messages = routed ?? router.routeUnreadable(event, team);
    if (messages.length === 0) return tracker.add(entry, noDeliveries);
    const mayBeRecorded = this.#takeover.mayBeRecorded(entry.shard);
    const deliveries = messages.map(({ endpoint, message }) =>
      newDelivery({ endpoint, message, event, entry, attempts: 0, mayBeRecorded }),
    );
    tracker.add(entry, deliveries);
    for (const delivery of deliveries) {
      if (routed === null) this.#giveUp(delivery);
      else if (delivery.isOrdered) this.#options.userQueues.enter(delivery);
      else if (mayBeRecorded) this.#options.priorDeliveries.enqueue(delivery);
      else this.#start(delivery, entry.acceptedAtMs);
    }
  }

  /** The lookup result of a delivery that an earlier owner of its shard may have recorded. */
  lookedUp(delivery: Delivery, result: LookupResult): void {
    const { entry } = delivery;
    if (delivery.mayBeRecorded && entry !== null) this.#takeover.lookedUp(entry.shard, entry.epoch, result === 'recorded');
    if (delivery.isOrdered) return this.#options.userQueues.lookedUp(delivery, result);
    if (delivery.state !== 'queued') return;
    if (result !== 'recorded') return this.#start(delivery, this.#options.clock.monotonicMs());
    endDelivery(delivery);
    this.#options.recorder.add(alreadyRecordedItem(delivery));
  }

  #start(delivery: Delivery, nowMs: number): void {
    const { queues, parking } = this.#options;
    const queue = queues.of(delivery.endpoint);
    if (queue.refusesLive(nowMs)) return parking.park(delivery);
    queue.enqueue(delivery);
    queues.pump(queue);
  }

  #giveUp(delivery: Delivery): void {
    endDelivery(delivery);
    this.#options.recorder.add(unsendableItem(delivery, 'body_unreadable', this.#options.clock.now().getTime()));
  }
}
