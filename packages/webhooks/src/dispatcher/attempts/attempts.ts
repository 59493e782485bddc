import { type Clock, errorCode, isRecordingSpans, type Logger, recordSpan } from '@pulsewire/kernel';
import type { SendResult, WebhookSender } from '@pulsewire/outbound';
import { messageHeaders } from '../../routing/message-headers.ts';
import type { Endpoint } from '../../routing/route.ts';
import type { EndpointQueue } from '../queues/endpoint-queue.ts';
import type { DeliveryObserver } from '../delivery/observer.ts';
import { loadSignal } from '../queues/concurrency-limiter.ts';
import type { Recorder } from '../outcomes/recorder.ts';
import { heldItem } from '../delivery/record-items.ts';
import { settle, type Settlement } from '../delivery/settle.ts';
import type { Delivery, RecordItem } from '../delivery/delivery.ts';
import { cancelParking, isAttempting, isLost } from '../delivery/delivery-state.ts';

export interface AttemptsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly observer: DeliveryObserver;
  readonly sender: WebhookSender;
  readonly recorder: Recorder;
  /** For endpoints without a schedule of their own. */
  readonly scheduleMs: readonly number[];
  readonly random: () => number;
  /** The user was deleted, so nothing about the user is sent. */
  isHidden(userId: string | null): boolean;
  /** The process is saturated. */
  isBusy(): boolean;
  /** The row requested for it was cancelled. */
  onUnparked(delivery: Delivery): void;
  /** The endpoint queue has a free place again. `item` is what the recorder received; undefined when another member records it. */
  onEnded(delivery: Delivery, queue: EndpointQueue, item: RecordItem | undefined): void;
}

/** After this time a delivery about a deleted user is reconsidered; undoing a deletion makes them due at once. */
const heldMs = 15 * 60_000;

/** Makes attempts and reports their outcomes to the recorder, the circuit breaker and the endpoint queue. */
export class Attempts {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** Starts at once and never throws; reports the end with `onEnded`. */
  async make(delivery: Delivery, queue: EndpointQueue): Promise<void> {
    const { clock, observer } = this.#options;
    if (this.#options.isHidden(delivery.event.userId)) return this.#hold(delivery, queue);
    const attemptedAtMs = clock.now().getTime();
    observer.started(delivery, attemptedAtMs);
    // Reads the newest version once, because the response belongs to the URL that was requested.
    const { endpoint } = queue;
    let result: SendResult;
    try {
      result = await this.#send(delivery, endpoint, attemptedAtMs);
    } catch (error) {
      this.#options.logger.error({ endpointId: endpoint.endpointId, errorCode: errorCode(error) }, 'attempt.broken');
      result = { outcome: 'failed', error: 'request_invalid', durationMs: 0 };
    }
    if (isRecordingSpans()) recordAttemptSpan(delivery, endpoint, result);
    // The dispatcher stopped and freed its row: the attempt will be repeated.
    if (!isAttempting(delivery)) return;
    const item = this.#record(delivery, endpoint, result, { attemptedAtMs, url: endpoint.url });
    // A response from the former URL is no evidence about the new one.
    if (endpoint.url === queue.endpoint.url) this.#judge(delivery, queue, result);
    this.#options.onEnded(delivery, queue, item);
  }

  async #hold(delivery: Delivery, queue: EndpointQueue): Promise<void> {
    // As after a request: the caller, which may be starting others, ends first.
    await Promise.resolve();
    if (!isAttempting(delivery)) return;
    const item = isLost(delivery) ? undefined : heldItem(delivery, heldMs);
    if (item !== undefined) this.#options.recorder.add(item);
    this.#options.onEnded(delivery, queue, item);
  }

  #send({ event, message }: Delivery, endpoint: Endpoint, attemptedAtMs: number): Promise<SendResult> {
    const timestampSeconds = Math.floor(attemptedAtMs / 1000);
    const sequence = event.shard < 0 ? null : event.offset;
    const headers = messageHeaders({ endpoint, message, timestampSeconds, sequence, traceId: event.traceId });
    return this.#options.sender.send({ origin: endpoint.origin, path: endpoint.path, headers, body: message.body });
  }

  #record(
    delivery: Delivery,
    endpoint: Endpoint,
    result: SendResult,
    request: Pick<Settlement, 'attemptedAtMs' | 'url'>,
  ): RecordItem | undefined {
    const { recorder, observer, random } = this.#options;
    if (delivery.state === 'parkingAttempting' && recorder.cancelPark(delivery)) {
      cancelParking(delivery);
      this.#options.onUnparked(delivery);
    }
    if (isLost(delivery)) return undefined;
    const item = settle({ delivery, result, ...request, scheduleMs: endpoint.scheduleMs ?? this.#options.scheduleMs, random });
    if (item.attempt !== null) observer.settled(delivery, item.attempt);
    recorder.add(item);
    return item;
  }

  #judge(delivery: Delivery, queue: EndpointQueue, result: SendResult): void {
    const { clock, logger } = this.#options;
    const nowMs = clock.monotonicMs();
    if (result.outcome === 'delivered') {
      queue.circuit.succeeded(nowMs);
      queue.limiter.succeeded(queue.inFlight, result.durationMs, this.#options.isBusy());
      return;
    }
    const isRefused = result.outcome === 'refused';
    const signal = isRefused ? loadSignal(result.status, null) : loadSignal(null, result.error);
    // An endpoint that permanently rejects one message is not down.
    if (isRefused && result.control === 'abort-message') queue.circuit.succeeded(nowMs);
    else queue.circuit.failed({ startedAtMs: delivery.startedAtMs, nowMs, isRepeat: isRefused && delivery.attempts > 0 });
    if (signal === 'overloaded' || signal === 'resting') queue.limiter.overloaded(delivery.startedAtMs, nowMs);
    if (signal === 'resting') queue.limiter.rest(delivery.startedAtMs, nowMs, isRefused ? result.retryAfterMs : undefined);
    logger.info(
      {
        endpointId: queue.endpoint.endpointId,
        messageId: delivery.message.messageId,
        traceId: delivery.event.traceId,
        attempt: delivery.attempts + 1,
        ...(isRefused ? { status: result.status } : { error: result.error }),
        durationMs: Math.round(result.durationMs),
      },
      'delivery.failed',
    );
  }
}

function recordAttemptSpan({ event, attempts }: Delivery, { endpointId }: Endpoint, { outcome, durationMs }: SendResult): void {
  recordSpan({
    name: 'webhook attempt',
    traceId: event.traceId,
    kind: 'client',
    durationMs,
    isFailed: outcome !== 'delivered',
    attributes: { endpointId, attempt: attempts + 1, outcome },
  });
}
