import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createContext } from '../google-health.ts';
import { mapSleep } from './map-sleep.ts';

const context = createContext({
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '1',
  grantedScopes: [],
  account: { time_zone: 'Europe/Berlin' },
});
const nested = JSON.parse(await readFile(new URL('sleep-nested.json', import.meta.url), 'utf8')) as {
  readonly calls: readonly { readonly answer: { readonly dataPoints: readonly { readonly sleep: object }[] } }[];
  readonly right: { readonly efficiency_max: number } & Readonly<Record<string, number>>;
};
const [point] = nested.calls[0]?.answer.dataPoints ?? [];
const recordsOf = (sleep: object) =>
  mapSleep([{ dataPoints: [{ ...point, sleep: { ...point?.sleep, ...sleep } }] }], new Map(), context).records;

it('counts deep and REM stages inside a light one, with an efficiency of at most 100', () => {
  const { efficiency_max: most, ...seconds } = nested.right;
  const [night, cycle] = recordsOf({});
  expect(night).toMatchObject({ data: { ...seconds, efficiency: most } });
  expect(cycle).toMatchObject({ data: { stage_type: [2, 1, 2, 3, 2], stage_start_offset_second: [0, 3600, 7200, 14_400, 18_000] } });
});

it('cuts short awakenings out of the stages, and stages at the ends of the night', () => {
  const stage = (type: string, from: string, to: string) => ({ type, startTime: `2026-11-${from}:00Z`, endTime: `2026-11-${to}:00Z` });
  const [night] = recordsOf({
    stages: [stage('ASLEEP', '19T21:00', '20T07:00'), stage('DEEP', '19T23:00', '20T00:00')],
    shortAwakenings: [stage('AWAKE', '19T23:58', '20T00:02')],
  });
  expect(night).toMatchObject({ data: { deep: 58 * 60, awake: 240, light: 8 * 3600 - 58 * 60 - 240, total: 28_560 } });
});
