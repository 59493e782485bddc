import type { Message } from '../bodies/body.ts';
import type { Endpoint } from './route.ts';
import { signMessage } from '../signing/sign.ts';

const userAgent = 'Pulsewire-Webhooks/1';

export interface HeaderFacts {
  readonly endpoint: Endpoint;
  readonly message: Message;
  /** Of this attempt. */
  readonly timestampSeconds: number;
  /** The event's offset in the log: grows per user; null: a test event, which is not in the log. */
  readonly sequence: number | null;
  /** 32 hex digits, or null. */
  readonly traceId: string | null;
}

/** All headers of one attempt, alternating names and values. */
export function messageHeaders({ endpoint, message, timestampSeconds, sequence, traceId }: HeaderFacts): string[] {
  const timestamp = String(timestampSeconds);
  const signature = signMessage(endpoint.keys, message.messageId, timestampSeconds, message.body);
  const headers = [
    'content-type',
    'application/json',
    'user-agent',
    userAgent,
    'webhook-id',
    message.messageId,
    'webhook-timestamp',
    timestamp,
    'webhook-signature',
    signature,
  ];
  if (sequence === null) headers.push('webhook-test', 'true');
  else headers.push('webhook-sequence', String(sequence));
  if (endpoint.sendsSvixHeaders) headers.push('svix-id', message.messageId, 'svix-timestamp', timestamp, 'svix-signature', signature);
  // The span id comes from the event's random bits: the same on every attempt, without drawing random bytes per message.
  if (traceId !== null) headers.push('traceparent', `00-${traceId}-${message.eventId.slice(19, 23)}${message.eventId.slice(24)}-01`);
  if (endpoint.headers.length > 0) headers.push(...endpoint.headers);
  return headers;
}
