import { describe, expect, it } from 'vitest';
import { buildMessages, createBodyContext } from '../bodies/body.ts';
import { messageHeaders } from './message-headers.ts';
import { endpoint, logEvent } from '../testing/samples.ts';

const [message] = buildMessages(
  logEvent(),
  [],
  createBodyContext(() => undefined),
);
if (message === undefined) throw new Error('no message');
const headersOf = (...[fields, traceId = null]: [Parameters<typeof endpoint>[0]?, (string | null)?]): Record<string, string> => {
  const flat = messageHeaders({ endpoint: endpoint(fields), message, timestampSeconds: 1_700_000_000, sequence: 41, traceId });
  return Object.fromEntries(Array.from({ length: flat.length / 2 }, (_, i) => [flat[i * 2], flat[i * 2 + 1]]) as [string, string][]);
};

describe('messageHeaders', () => {
  it('contains webhook-* and svix-* with equal values, the sequence and the time of the attempt', () => {
    const headers = headersOf();
    for (const name of ['id', 'timestamp', 'signature']) expect(headers[`svix-${name}`]).toBe(headers[`webhook-${name}`]);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': message.messageId,
      'webhook-timestamp': '1700000000',
      'webhook-sequence': '41',
    });
    expect(headers).not.toHaveProperty('traceparent');
  });

  it('omits the svix-* headers when the endpoint disables them', () => {
    expect(Object.keys(headersOf({ sendsSvixHeaders: false })).filter((name) => name.startsWith('svix'))).toEqual([]);
  });

  it('adds the trace context and the custom headers of the team', () => {
    const headers = headersOf({ headers: ['x-own', 'value'] }, 'ab'.repeat(16));
    expect(headers['x-own']).toBe('value');
    expect(headers['traceparent']).toBe(`00-${'ab'.repeat(16)}-9f215d0a6b7c8d9e-01`);
  });
});
