import { errorCode, parseRetryAfter, type Clock } from '@pulsewire/kernel';
import type { Dispatcher } from 'undici';
import { isStaleConnection } from './connection/watch-responses.ts';
import { parseDeliveryControl, type DeliveryControl } from './delivery-control.ts';

/** The result of one attempt. Only `delivered` is a success (any 2xx). */
export type SendResult =
  | {
      readonly outcome: 'delivered';
      readonly status: number;
      readonly durationMs: number;
      readonly bodyKept: Buffer;
      /** The receiver's request in `webhook-delivery`. */
      readonly control: DeliveryControl | undefined;
    }
  | {
      /** A response arrived, and it was not 2xx. */
      readonly outcome: 'refused';
      readonly status: number;
      readonly durationMs: number;
      readonly bodyKept: Buffer;
      /** The delay from `Retry-After`, not yet bounded. */
      readonly retryAfterMs: number | undefined;
      readonly control: DeliveryControl | undefined;
    }
  | {
      /** No response arrived. */
      readonly outcome: 'failed';
      readonly error: SendError;
      readonly durationMs: number;
    };

export type SendError =
  | 'address_blocked'
  | 'dns_failed'
  | 'connect_timeout'
  | 'connect_failed'
  | 'tls_failed'
  | 'http1_required'
  | 'headers_timeout'
  | 'timeout'
  | 'connection_closed'
  | 'bad_response'
  | 'request_invalid'
  | 'aborted';

export interface ExchangeLimits {
  readonly totalTimeoutMs: number;
  readonly bodyBytesReadMax: number;
  readonly bodyBytesKeptMax: number;
  readonly clock: Clock;
}

const nothing = Buffer.alloc(0);

const errorsByCode: Readonly<Record<string, SendError>> = {
  address_blocked: 'address_blocked',
  dns_failed: 'dns_failed',
  connect_timeout: 'connect_timeout',
  http1_required: 'http1_required',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'http1_required',
  response_too_large: 'bad_response',
  UND_ERR_CONNECT_TIMEOUT: 'connect_timeout',
  ETIMEDOUT: 'connect_timeout',
  ECONNREFUSED: 'connect_failed',
  EHOSTUNREACH: 'connect_failed',
  ENETUNREACH: 'connect_failed',
  EADDRNOTAVAIL: 'connect_failed',
  UND_ERR_HEADERS_TIMEOUT: 'headers_timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_OVERFLOW: 'bad_response',
  UND_ERR_INVALID_ARG: 'request_invalid',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_SOCKET: 'connection_closed',
  ECONNRESET: 'connection_closed',
  EPIPE: 'connection_closed',
};

function toSendError(error: unknown): SendError {
  const code = errorCode(error);
  const known = errorsByCode[code];
  if (known !== undefined) return known;
  // The parser's errors carry a code in some releases of undici and only their name in others.
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError')) return 'bad_response';
  return /CERT|TLS|SSL|EPROTO|UNABLE_TO_/.test(code) ? 'tls_failed' : 'connection_closed';
}

/**
 * One request and its response, directly on undici's `dispatch`. Avoids the stream and the abort signal per message, which make up most of
 * the cost of `request` and `fetch`.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits;
  readonly #resolve: (result: SendResult) => void;
  readonly #dispatch: (exchange: Exchange) => void;
  readonly #startedMs: number;
  readonly #deadline: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | undefined;
  #isSettled = false;
  #isRepeated = false;
  #status = 0;
  #retryAfter: string | string[] | undefined;
  #control: string | string[] | undefined;
  #bytesRead = 0;
  #kept: Buffer[] | undefined;

  /** `dispatch` passes the request to undici with this exchange as its handler. */
  constructor(limits: ExchangeLimits, resolve: (result: SendResult) => void, dispatch: (exchange: Exchange) => void) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#dispatch = dispatch;
    this.#startedMs = limits.clock.monotonicMs();
    this.#deadline = setTimeout(onDeadline, limits.totalTimeoutMs, this);
  }

  start(): void {
    this.#dispatch(this);
  }

  /** The deadline has passed. A status that has arrived counts, even if the rest of the response has not. */
  expire(): void {
    this.#settle('timeout');
    this.#cut();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isSettled) this.#cut();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#retryAfter = headers['retry-after'];
    this.#control = headers['webhook-delivery'];
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const { bodyBytesReadMax, bodyBytesKeptMax } = this.#limits;
    const available = bodyBytesKeptMax - this.#bytesRead;
    this.#bytesRead += chunk.length;
    // The chunk is a view of the parser's own memory. Without a copy it would keep 64 KiB alive for a few bytes.
    if (available > 0) (this.#kept ??= []).push(Buffer.from(chunk.length > available ? chunk.subarray(0, available) : chunk));
    if (this.#bytesRead > bodyBytesReadMax) {
      this.#settle('bad_response');
      this.#cut();
    }
  }

  onResponseEnd(): void {
    this.#settle('bad_response');
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    // Most likely the receiver closed the idle connection while we wrote. A second time it may be the request that it does not like.
    if (!this.#isSettled && !this.#isRepeated && isStaleConnection(error)) {
      this.#isRepeated = true;
      return this.start();
    }
    this.#settle(toSendError(error));
  }

  #cut(): void {
    this.#controller?.abort(new Error('The exchange has already ended'));
  }

  /** `error` counts only when no status arrived. */
  #settle(error: SendError): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    clearTimeout(this.#deadline);
    const durationMs = this.#limits.clock.monotonicMs() - this.#startedMs;
    const status = this.#status;
    if (status === 0) return this.#resolve({ outcome: 'failed', error, durationMs });
    const bodyKept = this.#kept === undefined ? nothing : Buffer.concat(this.#kept);
    const control = parseDeliveryControl(this.#control);
    if (status < 300) return this.#resolve({ outcome: 'delivered', status, durationMs, bodyKept, control });
    this.#resolve({
      outcome: 'refused',
      status,
      durationMs,
      bodyKept,
      control,
      retryAfterMs: parseRetryAfter(this.#retryAfter, this.#limits.clock.now().getTime()),
    });
  }
}

function onDeadline(exchange: Exchange): void {
  exchange.expire();
}
