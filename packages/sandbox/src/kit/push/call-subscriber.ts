import http from 'node:http';
import https from 'node:https';

export interface SubscriberCall {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** The status of a subscriber's response; undefined when there was none within the deadline. The body is not read. */
export function callSubscriber(call: SubscriberCall): Promise<number | undefined> {
  return new Promise((resolve) => {
    const client = call.url.startsWith('https:') ? https : http;
    const headers = { ...call.headers, ...(call.body !== undefined && { 'content-length': String(Buffer.byteLength(call.body)) }) };
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(call.deadlineMs)]);
    // No keep-alive: after a restart of the subscriber the connection would be stale.
    const request = client.request(call.url, { method: call.method, headers, agent: false, signal }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    request.on('error', () => resolve(undefined));
    request.end(call.body);
  });
}
