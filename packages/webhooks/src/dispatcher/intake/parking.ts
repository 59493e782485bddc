import type { Clock, Metrics } from '@pulsewire/kernel';
import {
  cancelParking,
  finishAttempt,
  hasRow,
  isAttempting,
  parkAttempt,
  parkDelivery,
  releaseDelivery,
} from '../delivery/delivery-state.ts';
import type { Delivery } from '../delivery/delivery.ts';
import type { PositionTracker } from '../delivery/position-tracker.ts';
import { freeRowItem, parkItem } from '../delivery/record-items.ts';
import { overdue, parkAge, unrecordedCapacity, type UnrecordedLimits } from '../delivery/unrecorded-events.ts';
import type { UserQueues } from '../ordering/user-queues.ts';
import type { Recorder } from '../outcomes/recorder.ts';
import type { EndpointQueues } from '../queues/endpoint-queues.ts';

export interface ParkingOptions extends UnrecordedLimits {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly tracker: PositionTracker;
  readonly recorder: Recorder;
  readonly queues: EndpointQueues;
  userQueues(): UserQueues;
  readonly parkAfterMs: number;
  readonly leaseMs: number;
  /** Claimed rows that may wait in endpoint queues. */
  readonly rowsHeldMax: number;
}

const shortShare = 7 / 8;

/** Turns deliveries that would block a position into pending rows. */
export class Parking {
  readonly #options: ParkingOptions;

  constructor(options: ParkingOptions) {
    this.#options = options;
  }

  /** With an attempt in progress: writes a row leased to us. Otherwise: a row that any dispatcher may claim. */
  park(delivery: Delivery): void {
    const { clock, metrics, recorder, leaseMs } = this.#options;
    if (isAttempting(delivery)) {
      parkAttempt(delivery, clock.monotonicMs() + leaseMs);
      recorder.park(parkItem(delivery, leaseMs));
    } else {
      parkDelivery(delivery);
      recorder.add(parkItem(delivery, null));
    }
    metrics.count('webhook_parked_total');
  }

  /**
   * Parks deliveries that have waited too long: attempts without a response, and deliveries queued for an endpoint that does not accept
   * them. A queue that is long only because we are busy stays in memory, because rows would cost more and arrive later, unless it takes
   * all capacity while other endpoints are idle.
   */
  parkOverdue(): void {
    const { clock, tracker, queues, userQueues, parkAfterMs } = this.#options;
    const nowMs = clock.monotonicMs();
    const isFull = unrecordedCapacity(tracker, this.#options) === 0;
    const isStarvingOthers = isFull && queues.some((queue) => queue.isStarving(nowMs));
    const ageMs = parkAge(tracker, this.#options, parkAfterMs);
    const park = (delivery: Delivery) => (delivery.userQueue === null ? this.park(delivery) : userQueues().parkFrom(delivery));
    let isHeldBack = false;
    for (const queue of queues.all()) {
      // The wait in our own queue is no evidence about an attempt that has only just begun.
      for (const delivery of queue.inFlightSince(nowMs - ageMs)) if (delivery.state === 'attempting') park(delivery);
      isHeldBack ||= queue.holdsBack(nowMs);
    }
    const hasUserQueues = isFull && userQueues().size > 0;
    // No endpoint is stalled, so a walk through the unrecorded events would find only deliveries that wait for us.
    if (!isHeldBack && !isStarvingOthers && !hasUserQueues) return;
    for (const delivery of overdue(tracker, nowMs, ageMs)) {
      if (delivery.state === 'attempting') continue;
      const waitsForIt = (hasUserQueues && this.#waitsBehindOthers(delivery)) || queues.of(delivery.endpoint).holdsBack(nowMs);
      if (isStarvingOthers || waitsForIt) park(delivery);
    }
  }

  /** Waits behind another delivery of its user; many of these must not take all capacity. */
  #waitsBehindOthers(delivery: Delivery): boolean {
    return delivery.userQueue !== null && delivery.userQueue.head !== delivery;
  }

  /** Frees rows of retries whose endpoint accepts nothing at present, so that they do not take memory from others. */
  freeHeldRetries(): void {
    const { clock, queues, recorder, rowsHeldMax } = this.#options;
    const nowMs = clock.monotonicMs();
    const isShortOfRoom = queues.held('retry') >= rowsHeldMax * shortShare;
    for (const queue of queues.all()) {
      for (const delivery of queue.releaseClaims(nowMs, isShortOfRoom)) {
        releaseDelivery(delivery);
        recorder.add(freeRowItem(delivery));
      }
    }
  }

  /** Frees everything as rows that any dispatcher may claim at once. Attempts still in progress will be repeated. */
  parkAll(): void {
    const { recorder, queues, userQueues } = this.#options;
    userQueues().parkAll();
    for (const queue of queues.all()) {
      for (const delivery of queue.deliveries()) {
        if (delivery.state === 'parkingAttempting' && recorder.cancelPark(delivery)) cancelParking(delivery);
        if (delivery.state === 'lostAttempting') finishAttempt(delivery);
        else if (hasRow(delivery)) {
          releaseDelivery(delivery);
          recorder.add(freeRowItem(delivery));
        } else {
          parkDelivery(delivery);
          recorder.add(parkItem(delivery, null));
        }
      }
    }
  }
}
