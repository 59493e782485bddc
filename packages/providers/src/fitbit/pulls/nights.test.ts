import { describe, expect, it } from 'vitest';
import { providerError } from '../../kit/http/provider-error.ts';
import { createFakeHttp } from '../../kit/testing/fake-http.ts';
import type { PulledPage, PullUser } from '../../kit/types/connector.ts';
import { hrvPull } from './nights.ts';

const user: PullUser = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: null,
  providerUserId: 'ABC123',
  grantedScopes: ['heartrate'],
  account: { time_zone: 'UTC' },
};
const scopeMissing = (): Error => providerError('provider_scope_missing', { status: 403 });

/** Pulls the days from 1 May 2025 on. */
async function run(endDate: string, responses: (path: string) => unknown): Promise<{ pages: PulledPage[]; paths: string[] }> {
  const http = createFakeHttp(({ path }) => {
    const body = responses(path);
    if (body instanceof Error) throw body;
    return body;
  });
  const pages: PulledPage[] = [];
  const window = { startDate: '2025-05-01', endDate };
  for await (const page of hrvPull.pull({ http, user, window, signal: AbortSignal.timeout(10_000) })) pages.push(page);
  return { pages, paths: http.paths };
}

describe('heart rate variability within nights', () => {
  const minutes = { hrv: [{ dateTime: '2025-05-02', minutes: [{ minute: '2025-05-02T02:10:00.000', value: { rmssd: 26.6 } }] }] };
  const nights = { hrv: [{ dateTime: '2025-05-02', value: { dailyRmssd: 34.9 } }] };
  const valuesOf = (pages: readonly PulledPage[]) =>
    pages
      .flatMap(({ records }) => records)
      .flatMap((record) => (record.kind === 'samples' ? record.samples.map(({ value }) => value) : []));

  it('is read by minute, 30 days per call, without reading the nightly values', async () => {
    const { pages, paths } = await run('2025-05-31', () => minutes);
    expect(paths).toEqual(['/1/user/-/hrv/date/2025-05-01/2025-05-30/all.json', '/1/user/-/hrv/date/2025-05-31/2025-05-31/all.json']);
    expect(valuesOf(pages)).toEqual([26.6, 26.6]);
  });

  it.each([
    ['refused', scopeMissing()],
    ['omitted', { hrv: [{ dateTime: '2025-05-02' }] }],
  ])('is one value per night when minutes are %s', async (_how, response) => {
    const { pages, paths } = await run('2025-05-02', (path) => (path.endsWith('/all.json') ? response : nights));
    expect(paths.at(-1)).toBe('/1/user/-/hrv/date/2025-05-01/2025-05-02.json');
    expect(valuesOf(pages)).toEqual([34.9]);
  });
});
