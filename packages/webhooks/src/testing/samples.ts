import type { LogEvent } from '@pulsewire/eventlog';
import type { Endpoint } from '../routing/route.ts';
import { createSecret, parseSecret } from '../signing/sign.ts';

/** An event of the log with defaults for fields that a test does not set. */
export function logEvent(fields: Partial<LogEvent> = {}): LogEvent {
  return {
    eventId: '019b8c2e-7a4d-7c3e-9f21-5d0a6b7c8d9e',
    eventType: 'daily.data.activity.created',
    teamId: 'b3f0c1de-0000-4000-8000-0000000000aa',
    userId: 'b3f0c1de-0000-4000-8000-000000000001',
    clientUserId: 'user-1',
    origin: 'live',
    body: { kind: 'json', json: '{"x":1}' },
    traceId: null,
    shard: 3,
    offset: 41,
    day: '2026-01-04',
    writtenAt: Date.parse('2026-01-04T10:00:00Z'),
    ...fields,
  };
}

export function endpoint(fields: Partial<Endpoint> = {}): Endpoint {
  return {
    endpointId: 'b3f0c1de-0000-4000-8000-0000000000e1',
    teamId: 'b3f0c1de-0000-4000-8000-0000000000aa',
    url: 'https://example.org/hook',
    origin: 'https://example.org',
    path: '/hook',
    filterTypes: null,
    rateLimit: null,
    keys: [{ scheme: 'v1', key: parseSecret(createSecret()), expiresAtMs: null }],
    isReadable: true,
    sendsSvixHeaders: true,
    headers: [],
    ordering: 'none',
    skipsSuperseded: false,
    scheduleMs: undefined,
    ...fields,
  };
}
