import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { AppError, errorCode, isAppError, parseJson } from '@pulsewire/kernel';
import got, { type OptionsInit } from 'got';

export interface HttpClientOptions {
  /** Sent with every request, so that a provider can identify the caller. */
  readonly userAgent: string;
  /** DNS, TCP and TLS together may take this long. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** From the first byte sent to the last byte read. Default 30 s. */
  readonly totalTimeoutMs?: number;
  /** A response larger than this is cut off while it is read; counted after decompression. Default 20 MB. */
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
  /** Returns redirects as responses, for sign-ins that set cookies in them. */
  readonly keepsRedirects?: true;
  /** Instead of the client's own, for a call that is known to take longer. */
  readonly totalTimeoutMs?: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated headers are joined with a comma. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Parsed JSON; undefined when the response is empty or not JSON. Integers too large for a double are strings. */
  readonly body: unknown;
  /** The address that responded, after redirects. */
  readonly url?: string;
  /** The bytes as read, for bodies that are not JSON and for storage. */
  readonly bytes: Buffer;
}

/** HTTP client for providers and labs. Any status is a response; only a missing or unusable response throws. */
export interface HttpClient {
  /**
   * Throws AppError `provider_transient` (retryable) when no complete response arrived, `provider_permanent` when the response is too
   * large, and the signal's own reason when the caller aborted.
   */
  send(request: HttpRequest): Promise<HttpResponse>;
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

/** Neither the URL nor the client's own error is included in the message or the cause: both may contain tokens in the query. */
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
 * An HTTP client with deadlines and a size cap on every call. It never repeats a call: only the caller knows whether another attempt is
 * safe. Redirects are followed for GET within one origin, so that a token is never sent to another origin.
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

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const hasBody = request.form !== undefined || request.json !== undefined;
    // Without it an empty body would be sent chunked, which some servers refuse.
    const emptyBody = hasBody || request.method === 'GET' ? {} : { 'content-length': '0' };
    const stream = base.stream(urlOf(request), {
      method: request.method,
      headers: { accept: 'application/json', ...emptyBody, ...request.headers, ...authorizationOf(request) },
      ...bodyOf(request),
      ...(request.signal === undefined ? {} : { signal: request.signal }),
      ...(request.totalTimeoutMs === undefined ? {} : { timeout: { request: request.totalTimeoutMs } }),
      followRedirect: (response) =>
        request.method === 'GET' && request.keepsRedirects !== true && isSameOrigin(response.url, response.headers.location),
    });
    // For methods that may have a body, got's stream waits for one to be written; this request has none.
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
    const { statusCode: status, url } = response;
    return { status, headers: flattenHeaders(response.headers), body: parseJson(bytes), bytes, url };
  }

  return {
    send,
    close() {
      agent.http.destroy();
      agent.https.destroy();
    },
  };
}
