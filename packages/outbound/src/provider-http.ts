import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { AppError, errorCode, isAppError, parseJson } from '@pulsewire/kernel';
import got, { type OptionsInit } from 'got';

export interface HttpClientOptions {
  /** Sent with every request, so that a provider can tell who calls. */
  readonly userAgent: string;
  /** DNS, TCP and TLS together may take this long. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** From the first byte sent to the last byte read. Default 30 s. */
  readonly totalTimeoutMs?: number;
  /** An answer larger than this is cut off while it is read; counted after decompression. Default 20 MB. */
  readonly responseBytesMax?: number;
  /** Open connections to one host. Default 50. */
  readonly socketsPerHostMax?: number;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  readonly basicAuth?: { readonly username: string; readonly password: string };
  readonly signal?: AbortSignal;
  /** Instead of the client's own, for a call that is known to take longer. */
  readonly totalTimeoutMs?: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined when the answer is empty or not JSON. Integers too large for a double come as text. */
  readonly body: unknown;
  /** The bytes as read, for what is not JSON and for keeping. */
  readonly bytes: Buffer;
}

/** HTTP towards providers and labs. Any status is a response; only a missing or unusable response is thrown. */
export interface HttpClient {
  /**
   * Throws AppError `provider_transient` (retryable) when no whole answer came, `provider_permanent` when the answer
   * is too large, and the signal's own reason when the caller gave up.
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Closes idle connections. */
  close(): void;
}

function flattenHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

function isSameOrigin(from: string, to: string | undefined): boolean {
  return to !== undefined && URL.canParse(to, from) && new URL(to, from).origin === new URL(from).origin;
}

function urlOf(request: HttpRequest): URL {
  const url = new URL(request.url);
  for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
  return url;
}

function bodyOf(request: HttpRequest): OptionsInit {
  if (request.form !== undefined) return { form: { ...request.form } };
  if (request.json !== undefined) return { json: request.json };
  return {};
}

function authorizationOf(request: HttpRequest): Record<string, string> {
  if (request.basicAuth === undefined) return {};
  const { username, password } = request.basicAuth;
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** Neither URL nor the client's own error goes into the message or the cause: both may carry tokens in the query. */
function noResponse(request: HttpRequest, error: unknown): AppError {
  return new AppError({
    code: 'provider_transient',
    kind: 'unavailable',
    message: 'The provider sent no complete response',
    retryable: true,
    details: { host: new URL(request.url).host, method: request.method, reason: errorCode(error) },
  });
}

function responseTooLarge(request: HttpRequest, bytesMax: number): AppError {
  return new AppError({
    code: 'provider_permanent',
    kind: 'upstream',
    message: 'The provider sent a response larger than the limit',
    details: { host: new URL(request.url).host, method: request.method, bytesMax },
  });
}

/**
 * An HTTP client with deadlines and a size cap on every call. It never repeats a call: only the caller knows whether
 * another attempt is safe. Redirects are followed for GET within one origin, so that a token never travels elsewhere.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const { userAgent, connectTimeoutMs = 10_000, totalTimeoutMs = 30_000 } = options;
  const { responseBytesMax = 20_000_000, socketsPerHostMax = 50 } = options;
  const agentOptions = { keepAlive: true, maxSockets: socketsPerHostMax };
  const agent = { http: new HttpAgent(agentOptions), https: new HttpsAgent(agentOptions) };
  const base = got.extend({
    agent,
    retry: { limit: 0 },
    throwHttpErrors: false,
    maxRedirects: 3,
    timeout: { lookup: connectTimeoutMs, connect: connectTimeoutMs, secureConnect: connectTimeoutMs, request: totalTimeoutMs },
    headers: { 'user-agent': userAgent },
  });

  async function send(request: HttpRequest): Promise<HttpAnswer> {
    const hasBody = request.form !== undefined || request.json !== undefined;
    // Without it an empty body would go out chunked, which some servers refuse.
    const emptyBody = hasBody || request.method === 'GET' ? {} : { 'content-length': '0' };
    const stream = base.stream(urlOf(request), {
      method: request.method,
      headers: { accept: 'application/json', ...emptyBody, ...request.headers, ...authorizationOf(request) },
      ...bodyOf(request),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      ...(request.totalTimeoutMs === undefined ? {} : { timeout: { request: request.totalTimeoutMs } }),
      followRedirect: (answer) => request.method === 'GET' && isSameOrigin(answer.url, answer.headers.location),
    });
    // A stream whose method may have a body waits to be written to; this one has no body.
    if (request.method !== 'GET' && !hasBody) stream.end();

    const chunks: Buffer[] = [];
    let bytesRead = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytesRead += chunk.length;
        if (bytesRead > responseBytesMax) throw responseTooLarge(request, responseBytesMax);
        chunks.push(chunk);
      }
    } catch (error) {
      stream.destroy();
      if (isAppError(error)) throw error;
      if (request.signal?.aborted) throw request.signal.reason;
      throw noResponse(request, error);
    }
    const response = stream.response;
    if (response === undefined) throw noResponse(request, undefined);
    const bytes = Buffer.concat(chunks);
    return { status: response.statusCode, headers: flattenHeaders(response.headers), body: parseJson(bytes), bytes };
  }

  return {
    send,
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}
