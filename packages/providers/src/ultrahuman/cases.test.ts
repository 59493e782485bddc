import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { CanonicalRecord } from '@pulsewire/contract';
import { mapDay } from './mappers/map-day.ts';
import { createContext } from './ultrahuman.ts';

const recorded = JSON.parse(readFileSync(new URL('fixtures/cases/local-midnight.json', import.meta.url), 'utf8')) as {
  readonly calls: readonly [{ readonly answer: unknown }];
};
const answer = recorded.calls[0].answer;

function read(body: unknown, fallbackTimeZone: string | null): readonly CanonicalRecord[] {
  const ids = { userId: 'b3f0c1de-0000-4000-8000-000000000001', providerUserId: '42', grantedScopes: [], account: {} };
  const { records, quarantined } = mapDay(body, '2026-03-10', createContext({ ...ids, fallbackTimeZone }));
  expect(quarantined).toEqual([]);
  return records;
}

const samplesOf = (records: readonly CanonicalRecord[], resource: string) =>
  records.flatMap((record) => (record.kind === 'samples' && record.resource === resource ? record.samples : []));
const ms = (time: string) => Date.parse(time);

describe('a day that begins at a stated instant', () => {
  it.each([[null], ['America/Los_Angeles'], ['Asia/Kolkata']])('has the offset of that midnight with the fallback zone %s', (zone) => {
    const records = read(answer, zone);
    const offsets = ['heartrate', 'steps', 'vo2_max'].flatMap((resource) => samplesOf(records, resource).map((one) => one.timezoneOffset));
    expect(new Set(offsets)).toEqual(new Set([19_800]));
    const summaries = records.filter((record) => record.kind === 'summary');
    expect(summaries.map(({ data }) => data['timezone_offset'] ?? 19_800)).toEqual(summaries.map(() => 19_800));
    expect(samplesOf(records, 'steps')).toMatchObject([{ ts: ms('2026-03-09T18:30:00Z'), end: ms('2026-03-10T18:30:00Z'), value: 4321 }]);
    expect(samplesOf(records, 'vo2_max')).toMatchObject([{ ts: ms('2026-03-09T18:30:00Z'), value: 41 }]);
  });

  it('replaces the daily figure that was stored at another midnight', () => {
    const removals = read(answer, null).filter((record) => record.kind === 'sample_removal');
    expect(removals).toMatchObject([{ resource: 'vo2_max', ts: [ms('2026-03-10T00:00:00Z')] }]);
    expect(read(answer, 'Asia/Kolkata').filter((record) => record.kind === 'sample_removal')).toEqual([]);
  });

  it('at midnight UTC proves nothing against a known zone', () => {
    const body = {
      data: { metric_data: [{ type: 'vo2_max', object: { value: 41, day_start_timestamp: ms('2026-03-10T00:00:00Z') / 1000 } }] },
    };
    expect(samplesOf(read(body, 'Asia/Kolkata'), 'vo2_max')).toMatchObject([{ timezoneOffset: 19_800 }]);
    expect(samplesOf(read(body, null), 'vo2_max')).toMatchObject([{ timezoneOffset: 0 }]);
  });

  it('ends a day later when nothing tells its midnight', () => {
    const steps = { type: 'steps', object: { total: 9, values: [{ value: 9, timestamp: ms('2026-03-10T05:00:00Z') / 1000 }] } };
    const [sample] = samplesOf(read({ data: { metric_data: [steps] } }, null), 'steps');
    expect(sample).toMatchObject({ end: ms('2026-03-11T05:00:00Z'), timezoneOffset: null });
  });
});

it('reads the seconds of sleep, and never a percentage beside them', () => {
  const sleep = read(answer, null).find((record) => record.kind === 'summary' && record.resource === 'sleep');
  expect(sleep).toMatchObject({ data: { light: 14_100, rem: 5700, deep: 4200, total: 24_000 } });
});

it('sets a series of an unknown unit aside', () => {
  const object = { unit: '°F', values: [{ value: 97, timestamp: ms('2026-03-10T05:00:00Z') / 1000 }] };
  const ids = { userId: 'b3f0c1de-0000-4000-8000-000000000001', providerUserId: '42', grantedScopes: [], account: {} };
  const mapped = mapDay(
    { data: { metric_data: [{ type: 'temp', object }] } },
    '2026-03-10',
    createContext({ ...ids, fallbackTimeZone: null }),
  );
  expect(mapped).toEqual({
    records: [],
    quarantined: [{ resource: 'body_temperature', reason: 'unknown_shape', pointer: '/data/metric_data/0/object/unit' }],
  });
});
