import { packSamples } from '@pulsewire/contract';
import { uuidToBase62 } from '@pulsewire/kernel';
import { describe, expect, it } from 'vitest';
import { buildMessages, createBodyContext } from './body.ts';
import { logEvent } from '../testing/samples.ts';

const context = createBodyContext((slug) =>
  slug === 'fitbit' ? { name: 'Fitbit', logo: 'https://example.org/fitbit.png', sourceId: 7 } : undefined,
);
const source = { provider: 'fitbit', type: 'app', app_id: null };

describe('buildMessages', () => {
  it('wraps the stored text of data unchanged', () => {
    const json = '{ "b" : 1.0,"a":"ü\\u00e9" }';
    const [message, ...rest] = buildMessages(logEvent({ body: { kind: 'json', json } }), [], context);
    expect(rest).toEqual([]);
    expect(message?.body.toString()).toContain(`"data":${json},`);
    expect(message?.messageId).toBe(`msg_${uuidToBase62(logEvent().eventId)}`);
    expect(message?.messageId).toHaveLength(31);
    expect(Object.keys(JSON.parse(message?.body.toString() ?? '') as object)).toEqual([
      'event_type',
      'data',
      'team_id',
      'user_id',
      'client_user_id',
    ]);
  });

  it('omits the user from events without one', () => {
    const [message] = buildMessages(logEvent({ userId: null, clientUserId: null }), [], context);
    expect(Object.keys(JSON.parse(message?.body.toString() ?? '') as object)).toEqual(['event_type', 'data', 'team_id']);
  });

  it('expands packed samples', () => {
    const header = {
      resource: 'steps',
      subKind: undefined,
      userId: logEvent().userId ?? '',
      sourceId: 7,
      source: { provider: 'fitbit', type: 'app', appId: null, deviceId: null },
    };
    const packed = packSamples(header, [
      { ts: Date.parse('2026-01-04T10:00:00Z'), end: Date.parse('2026-01-04T10:01:00Z'), value: 12, timezoneOffset: 3600 },
    ]);
    const [message] = buildMessages(logEvent({ body: { kind: 'samples', packed } }), [], context);
    const { data } = JSON.parse(message?.body.toString() ?? '') as { data: { data: object[]; source_id: number } };
    expect(data).toMatchObject({ source_id: 7, data: [{ value: 12, timezone_offset: 3600 }] });
  });

  it('restores removed fields and derives events with stable ids for teams with an old contract date', () => {
    const cycle = {
      user_id: 'u',
      source_provider: 'fitbit',
      source,
      session_start: '2026-01-04T00:00:00+00:00',
      stage_type: [1],
      stage_start_offset_second: [0],
      stage_end_offset_second: [60],
    };
    const event = logEvent({ eventType: 'daily.data.sleep_cycle.created', body: { kind: 'json', json: JSON.stringify(cycle) } });
    const build = () => buildMessages(event, context.deprecationsAt('2024-01-01'), context);
    const [own, derived, ...rest] = build();
    expect(rest).toEqual([]);
    expect(own?.eventId).toBe(event.eventId);
    expect(derived?.eventType).toBe('daily.timeseries.hypnogram.created');
    expect(derived?.eventId).not.toBe(event.eventId);
    expect(build()[1]?.messageId).toBe(derived?.messageId);
    expect(JSON.parse(own?.body.toString() ?? '')).toMatchObject({ data: { source: { name: 'Fitbit', slug: 'fitbit' } } });
    expect(buildMessages(event, context.deprecationsAt('2026-01-01'), context)).toHaveLength(1);
  });
});
