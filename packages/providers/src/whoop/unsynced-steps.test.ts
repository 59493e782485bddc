import { describe, expect, it } from 'vitest';
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
const at = (clock: string) => Date.parse(`2026-03-11T${clock}:00Z`);

interface Given {
  /** Clock to count, every ten minutes. */
  readonly steps: Readonly<Record<string, number>>;
  readonly heart?: Readonly<Record<string, number>>;
  readonly cycleEnd?: string;
  readonly now?: string;
}

/** The stored ten-minute step counts, by the time at which they begin. */
async function stored({ steps, heart = {}, cycleEnd, now = '23:59' }: Given) {
  const during = `['2026-03-11T03:00:00Z',${cycleEnd === undefined ? '' : `'2026-03-11T${cycleEnd}:00Z'`})`;
  const cycle = { id: 1, days: "['2026-03-11','2026-03-12')", during, timezone_offset: '+0000' };
  const listOf = (given: Readonly<Record<string, number>>) => Object.entries(given).map(([clock, data]) => ({ time: at(clock), data }));
  const http = createFakeHttp(({ query }) => {
    if (query?.['name'] === 'steps') return { values: listOf(steps) };
    return query?.['name'] === 'heart_rate' ? { values: listOf(heart) } : { records: [{ cycle }] };
  });
  const window = { startDate: '2026-03-11', endDate: '2026-03-11' };
  const pull = whoopPulls.find(({ name }) => name === 'metrics');
  const pages: PulledPage[] = [];
  const context = { http, user, window, signal: AbortSignal.timeout(60_000), now: new Date(at(now)) };
  for await (const page of pull?.pull(context) ?? []) pages.push(page);
  const records = pages.flatMap((page) => page.records);
  return records.flatMap((record) =>
    record.kind === 'samples' && record.resource === 'steps'
      ? record.samples.map(({ ts, value }) => `${new Date(ts).toISOString().slice(11, 16)} ${value}`)
      : [],
  );
}

const steps = { '08:00': 0, '08:10': 40, '08:20': 0, '08:30': 0, '08:40': 0 };

describe('zero steps of a cycle', () => {
  it('are stored up to the last heartbeat while the cycle lasts', async () => {
    expect(await stored({ steps, heart: { '08:00': 60, '08:30': 61 } })).toEqual(['08:00 0', '08:10 40', '08:20 0']);
  });

  it('are stored only before the last counted steps when there is no heartbeat', async () => {
    expect(await stored({ steps })).toEqual(['08:00 0', '08:10 40']);
  });

  it('are not confirmed by a heart rate of zero', async () => {
    expect(await stored({ steps, heart: { '08:00': 60, '08:50': 0 } })).toEqual(['08:00 0', '08:10 40']);
  });

  it('are all stored once the cycle has ended', async () => {
    expect(await stored({ steps, cycleEnd: '08:50' })).toEqual(['08:00 0', '08:10 40', '08:20 0', '08:30 0', '08:40 0']);
  });

  it('are never stored in the future', async () => {
    expect(await stored({ steps, cycleEnd: '08:50', now: '08:35' })).toEqual(['08:00 0', '08:10 40', '08:20 0']);
    expect(await stored({ steps: { '08:00': 0, '08:10': 0, '08:20': 7 }, now: '08:15' })).toEqual(['08:00 0', '08:20 7']);
  });
});
