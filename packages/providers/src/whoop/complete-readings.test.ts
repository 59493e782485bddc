import { expect, it } from 'vitest';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import type { PulledPage } from '../kit/types/connector.ts';
import { whoopPulls } from './pulls.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: '1234567',
  grantedScopes: [],
  account: {},
};
const at = (clock: string) => `2026-03-11T${clock}:00Z`;
const ms = (clock: string) => Date.parse(at(clock));
const cycleOf = (id: number, from: string, to: string | null) => ({
  cycle: {
    id,
    days: "['2026-03-11','2026-03-12')",
    during: `['${at(from)}',${to === null ? '' : `'${at(to)}'`})`,
    timezone_offset: '+0000',
  },
});

async function read(cycles: readonly object[], readings: readonly string[], now = new Date('2026-03-12T12:00:00Z')) {
  const requested: string[] = [];
  const http = createFakeHttp(({ query = {} }) => {
    if (query['name'] === undefined) return { records: cycles };
    requested.push(`${query['name']} ${query['start']?.slice(11, 16)} ${query['end']?.slice(11, 16)}`);
    return { values: readings.map((clock) => ({ time: ms(clock), data: 60 })) };
  });
  const window = { startDate: '2026-03-11', endDate: '2026-03-11' };
  const pull = whoopPulls.find(({ name }) => name === 'metrics');
  const pages: PulledPage[] = [];
  for await (const page of pull?.pull({ http, user, window, signal: AbortSignal.timeout(60_000), now }) ?? []) pages.push(page);
  return { asked: requested, ranges: pages.flatMap(({ allOf }) => allOf ?? []) };
}

const range = (resource: string, from: string, to: string) => ({
  kind: 'samples',
  resource,
  sourceTypes: ['watch'],
  fromMs: ms(from),
  toMs: ms(to),
});

it('holds all readings of a cycle from its start up to the last of them', async () => {
  const { ranges } = await read([cycleOf(1, '03:00', '22:00')], ['08:00', '09:00']);
  expect(ranges).toEqual([range('heartrate', '03:00', '09:00')]);
});

it('excludes the last hours, which may be synced only in part', async () => {
  const { ranges } = await read([cycleOf(1, '03:00', '22:00')], ['08:00', '09:00'], new Date(at('14:30')));
  expect(ranges).toEqual([range('heartrate', '03:00', '08:30')]);
});

it('is empty when a response has no readings', async () => {
  expect((await read([cycleOf(1, '03:00', '22:00')], [])).ranges).toEqual([]);
});

it('reads an open cycle no further than the start of the next one', async () => {
  const { asked } = await read([cycleOf(1, '03:00', null), cycleOf(2, '12:00', '22:00')], ['08:00']);
  expect(asked).toEqual(['heart_rate 03:00 12:00', 'heart_rate 12:00 22:00']);
});
