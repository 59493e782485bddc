import { systemClock, type Clock } from '@pulsewire/kernel';
import { Agent, type Dispatcher } from 'undici';
import type { AddressGuard } from './address/address-guard.ts';
import type { ResolveName } from './address/resolve-name.ts';
import { createGuardedConnector } from './connection/guarded-connector.ts';
import { Exchange, type ExchangeLimits, type SendResult } from './exchange.ts';

/** One signed message. */
export interface SendRequest {
  /** `https://host:port`. */
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  /** Names and values alternate. Values that would break out of their line are refused, not sent. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export interface WebhookSenderOptions {
  readonly guard: AddressGuard;
  /** From the call to the last byte of the response. Default 15 s. */
  readonly totalTimeoutMs?: number;
  /** Name, TCP and TLS together. Default 5 s. */
  readonly connectTimeoutMs?: number;
  /** Bytes of the response's body that are read before the connection is closed. Default 256 KiB. */
  readonly bodyBytesReadMax?: number;
  /** Bytes of the body that are returned. Default 64 KiB. */
  readonly bodyBytesKeptMax?: number;
  readonly resolveName?: ResolveName;
  /** Additional trusted certificates (PEM). */
  readonly ca?: string;
  readonly clock?: Clock;
}

const headerBytesMax = 16_384;

export interface WebhookSender {
  /** Makes one attempt. Never throws and never retries; the result contains any failure. */
  send(request: SendRequest): Promise<SendResult>;
  /** Closes every connection; attempts in progress end as `failed` with error `aborted`. */
  close(): Promise<void>;
}

/**
 * Sends webhooks with undici behind the address guard. A redirect is a response and is not followed, nothing is decompressed,
 * every phase has a deadline, and the size of the response is limited.
 */
export function createWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { guard, totalTimeoutMs = 15_000, connectTimeoutMs = 5000 } = options;
  const limits: ExchangeLimits = {
    totalTimeoutMs,
    bodyBytesReadMax: options.bodyBytesReadMax ?? 262_144,
    bodyBytesKeptMax: options.bodyBytesKeptMax ?? 65_536,
    clock: options.clock ?? systemClock,
  };
  const agent = new Agent({
    connect: createGuardedConnector({
      guard,
      connectTimeoutMs,
      // Room for headers, trailers and the framing of chunks besides the body.
      responseBytesMax: limits.bodyBytesReadMax + 4 * headerBytesMax,
      ...(options.resolveName === undefined ? {} : { resolveName: options.resolveName }),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
    }),
    allowH2: false,
    pipelining: 1,
    // Any 2xx before the total deadline counts, even if its headers arrive last.
    headersTimeout: totalTimeoutMs,
    bodyTimeout: totalTimeoutMs,
    maxHeaderSize: headerBytesMax,
    // Below the five seconds after which common servers close: a request on a connection that is just closing would fail.
    keepAliveTimeout: 4000,
    keepAliveMaxTimeout: 60_000,
  });

  return {
    send: ({ origin, path, headers, body }) =>
      new Promise((resolve) => {
        const request: Dispatcher.DispatchOptions = { origin, path, method: 'POST', headers: headers as string[], body };
        new Exchange(limits, resolve, (exchange) => agent.dispatch(request, exchange)).start();
      }),
    close: () => agent.destroy(),
  };
}
