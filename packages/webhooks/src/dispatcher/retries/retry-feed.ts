import { isErased, type LogEvent } from '@pulsewire/eventlog';
import type { Clock, Logger, Metrics } from '@pulsewire/kernel';
import type { Message } from '../../bodies/body.ts';
import { endDelivery } from '../delivery/delivery-state.ts';
import { unknownType, type Delivery, type UnsendableReason } from '../delivery/delivery.ts';
import { newDelivery } from '../delivery/new-delivery.ts';
import { supersededItem, unsendableItem } from '../delivery/record-items.ts';
import type { Recorder } from '../outcomes/recorder.ts';
import type { EndpointQueues } from '../queues/endpoint-queues.ts';
import type { ClaimedRow } from './claim-due.ts';
import { messageIdOf } from '../../model/message-id.ts';
import type { EndpointCache } from '../../routing/endpoint-cache.ts';
import type { MessageRouter } from '../../routing/message-router.ts';
import type { Endpoint } from '../../routing/route.ts';

export interface RetryFeedOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly cache: EndpointCache;
  readonly router: MessageRouter;
  readonly queues: EndpointQueues;
  readonly recorder: Recorder;
}

/** Puts claimed rows back into their endpoint queues, with the message rebuilt from the log. */
export class RetryFeed {
  readonly #options: RetryFeedOptions;

  constructor(options: RetryFeedOptions) {
    this.#options = options;
  }

  /** `leaseEndsAtMs` in monotonic milliseconds. */
  take(row: ClaimedRow, event: LogEvent | undefined, leaseEndsAtMs: number): void {
    const { cache, router, queues } = this.#options;
    const endpoint = cache.table.endpoints.get(row.endpointId);
    // Disabled or removed just now: the lease expires by itself.
    if (endpoint === undefined) return;
    if (event === undefined) return this.#giveUp('event_gone', row, endpoint, goneEvent(row, endpoint));
    if (isErased(event)) return this.#giveUp('erased', row, endpoint, event);
    if (row.isSuperseded) return this.#supersede(row, endpoint, event);
    const message = router.rebuild(event, cache.table.teams.get(event.teamId), row.eventId);
    if (message === undefined) return this.#giveUp('body_unreadable', row, endpoint, event);
    const delivery = newDelivery({ endpoint, message, event, entry: null, attempts: row.attempts, row, leaseEndsAtMs });
    const queue = queues.of(endpoint);
    queue.enqueue(delivery);
    queues.pump(queue);
  }

  /** The body is unavailable: the row ends as an attempt, which the API shows. */
  #giveUp(reason: UnsendableReason, row: ClaimedRow, endpoint: Endpoint, event: LogEvent): void {
    const { clock, logger, metrics, recorder } = this.#options;
    metrics.count('webhook_expired_total');
    logger.warn({ endpointId: endpoint.endpointId, eventId: row.eventId, reason, traceId: event.traceId }, 'delivery.expired');
    recorder.add(unsendableItem(bodiless(row, endpoint, event), reason, clock.now().getTime()));
  }

  /** A newer version of its summary will be sent. */
  #supersede(row: ClaimedRow, endpoint: Endpoint, event: LogEvent): void {
    this.#options.recorder.add(supersededItem(bodiless(row, endpoint, event), this.#options.clock.now().getTime()));
  }
}

/** A delivery that ends without a request. */
function bodiless(row: ClaimedRow, endpoint: Endpoint, event: LogEvent): Delivery {
  const { eventId, attempts } = row;
  const message: Message = { eventId, eventType: row.eventType ?? event.eventType, messageId: messageIdOf(eventId), body: Buffer.alloc(0) };
  const delivery = newDelivery({ endpoint, message, event, entry: null, attempts, row });
  endDelivery(delivery);
  return delivery;
}

/** What remains of an event dropped by retention: its address, and the user whose queue it was in. */
function goneEvent({ eventId, shard, offset, day, eventType, userId }: ClaimedRow, { teamId }: Endpoint): LogEvent {
  return {
    eventId,
    eventType: eventType ?? unknownType,
    teamId,
    userId,
    clientUserId: null,
    origin: 'live',
    body: { kind: 'json', json: '{}' },
    traceId: null,
    shard,
    offset,
    day,
    writtenAt: 0,
  };
}
