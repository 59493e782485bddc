import { expect, it } from 'vitest';
import { createFakeHttp } from '../kit/testing/fake-http.ts';
import type { PulledPage } from '../kit/types/connector.ts';
import { editedActivitiesPull } from './pulls/activities.ts';

const user = {
  userId: 'b3f0c1de-0000-4000-8000-000000000001',
  fallbackTimeZone: 'UTC',
  providerUserId: '7',
  grantedScopes: [],
  account: {},
};
const window = { startDate: '2026-03-05', endDate: '2026-03-12' };
const run = { type: 'Running', start_time: 'Sat, 3 Jan 2026 07:00:00', utc_offset: 0, duration: 1800, total_distance: 5000 };

it('reads workouts from before the window that were edited in it, and removes nothing', async () => {
  const edited = { ...run, uri: '/fitnessActivities/11' };
  const recent = { ...run, uri: '/fitnessActivities/12', start_time: 'Fri, 6 Mar 2026 07:00:00' };
  const http = createFakeHttp(({ path }) =>
    path === '/fitnessActivities' ? { size: 2, items: [recent, edited] } : { ...edited, userID: 7, is_live: false, share: 'Just Me' },
  );
  const pages: PulledPage[] = [];
  for await (const page of editedActivitiesPull.pull({ http, user, window, signal: AbortSignal.timeout(5000) })) pages.push(page);
  expect(http.calls.map(({ path }) => path)).toEqual(['/fitnessActivities', '/fitnessActivities/11']);
  expect(http.calls[0]).toMatchObject({
    query: {
      noEarlierThan: '2025-03-05',
      noLaterThan: '2026-03-04',
      modifiedNoEarlierThan: '2026-03-05',
      modifiedNoLaterThan: '2026-03-12',
    },
  });
  expect(pages.flatMap(({ records }) => records)).toMatchObject([{ resource: 'workouts', data: { provider_id: '11' } }]);
  expect(pages.flatMap(({ allOf = [], partOf = [] }) => [...allOf, ...partOf])).toEqual([]);
});
