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

/** The status that a subscriber answered, or undefined: no answer within the deadline, no connection, or closing. The answer's body is not read. */
export function callSubscriber(call: SubscriberCall): Promise<number | undefined> {
  return new Promise((resolve) => {
    const client = call.url.startsWith('https:') ? https : http;
    const headers = { ...call.headers, ...(call.body !== undefined && { 'content-length': String(Buffer.byteLength(call.body)) }) };
    const signal = AbortSignal.any([call.signal, AbortSignal.timeout(call.deadlineMs)]);
    // No kept connections: a subscriber that restarts must not meet a stale one, and nothing stays open afterwards.
    const request = client.request(call.url, { method: call.method, headers, agent: false, signal }, (response) => {
      resolve(response.statusCode);
      response.destroy();
    });
    request.on('error', () => resolve(undefined));
    request.end(call.body);
  });
}
