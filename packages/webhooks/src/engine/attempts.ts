import { errorCode, type Clock, type Logger, type Metrics } from '@pulsewire/kernel';
import type { SendResult, WebhookSender } from '@pulsewire/outbound';
import { messageHeaders } from '../message-headers.ts';
import type { Endpoint } from '../route.ts';
import type { Lane } from './lane.ts';
import type { Recorder } from './recorder.ts';
import { settle, type Settlement } from './settle.ts';
import type { Delivery } from './types.ts';

export interface AttemptsOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly sender: WebhookSender;
  readonly recorder: Recorder;
  readonly scheduleMs: readonly number[];
  readonly random: () => number;
  /** The lane has a free place again. */
  onEnded(delivery: Delivery, lane: Lane): void;
}

/** Makes attempts, and passes on what they came to: to the record, to the circuit, to whoever waits for the place. */
export class Attempts {
  readonly #options: AttemptsOptions;

  constructor(options: AttemptsOptions) {
    this.#options = options;
  }

  /** Begins at once and never throws; the end shows in `onEnded`. */
  async make(delivery: Delivery, lane: Lane): Promise<void> {
    const { clock, metrics } = this.#options;
    const attemptedAtMs = clock.now().getTime();
    if (delivery.attempts === 0)
      metrics.observe('webhook_first_attempt_delay_seconds', Math.max(0, attemptedAtMs - delivery.event.writtenAt) / 1000);
    // The newest, and the same to the end: an answer is that of the URL that was asked.
    const { endpoint } = lane;
    const result = await this.#send(delivery, endpoint, attemptedAtMs);
    // Turned into a free row when the dispatcher stopped: the row says that the attempt is to be repeated.
    if (delivery.state === 'over') return;
    this.#record(delivery, result, { attemptedAtMs, url: endpoint.url });
    this.#judge(delivery, lane, result);
    this.#options.onEnded(delivery, lane);
  }

  async #send({ event, message }: Delivery, endpoint: Endpoint, attemptedAtMs: number): Promise<SendResult> {
    try {
      const timestampSeconds = Math.floor(attemptedAtMs / 1000);
      const headers = messageHeaders({ endpoint, message, timestampSeconds, sequence: event.offset, traceId: event.traceId });
      return await this.#options.sender.send({ origin: endpoint.origin, path: endpoint.path, headers, body: message.body });
    } catch (error) {
      this.#options.logger.error({ endpointId: endpoint.endpointId, code: errorCode(error) }, 'attempt.broken');
      return { outcome: 'failed', error: 'request_invalid', durationMs: 0 };
    }
  }

  #record(delivery: Delivery, result: SendResult, request: Pick<Settlement, 'attemptedAtMs' | 'url'>): void {
    const { recorder, scheduleMs, random } = this.#options;
    if (delivery.hold === 'parking' && recorder.cancelPark(delivery)) delivery.hold = 'window';
    if (delivery.hold === 'nothing') return;
    recorder.add(settle({ delivery, result, ...request, scheduleMs, random }));
  }

  #judge(delivery: Delivery, lane: Lane, result: SendResult): void {
    const { clock, logger, recorder } = this.#options;
    const { endpointId } = lane.endpoint;
    if (result.outcome === 'delivered') lane.circuit.succeeded();
    else {
      lane.circuit.failed(clock.monotonicMs());
      const why = result.outcome === 'failed' ? { error: result.error } : { status: result.status };
      logger.info(
        {
          endpointId,
          messageId: delivery.message.messageId,
          attempt: delivery.attempts + 1,
          ...why,
          durationMs: Math.round(result.durationMs),
        },
        'delivery.failed',
      );
    }
    const isFailing = !lane.circuit.isClosed;
    if (isFailing === lane.isFailing || (lane.isFailing && result.outcome !== 'delivered')) return;
    lane.isFailing = isFailing;
    recorder.noteFailing(endpointId, isFailing);
  }
}
