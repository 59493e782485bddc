import { completeDays } from '../../kit/pull-presets.ts';
import { oldestVersion } from '../../kit/http/collect-pages.ts';
import { samplesBetween, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec, ProviderResponse } from '../../kit/types/connector.ts';
import { ifReadable } from '../classify.ts';
import { readTotals, stretchOf, type Aggregated } from '../data-sets.ts';
import { createContext, fitScopes, mergedSource, mergedStream } from '../google-fit.ts';
import { mapActivity, type ActivityBodies } from '../mappers/map-activity.ts';

const { activity, location, heartRate } = fitScopes;

/**
 * What makes up a day. Steps and the resting heart rate name a stream, because the default one of the type is another; the others name
 * the type, as in Google's own examples.
 */
const totals: readonly { readonly key: keyof ActivityBodies; readonly by: Aggregated; readonly scope: string }[] = [
  { key: 'steps', by: { dataSourceId: mergedStream('step_count.delta', 'estimated_steps') }, scope: activity },
  { key: 'expended', by: { dataTypeName: 'com.google.calories.expended' }, scope: activity },
  { key: 'basal', by: { dataTypeName: 'com.google.calories.bmr' }, scope: activity },
  { key: 'distance', by: { dataTypeName: 'com.google.distance.delta' }, scope: location },
  { key: 'heartRate', by: { dataTypeName: 'com.google.heart_rate.bpm' }, scope: heartRate },
  {
    key: 'resting',
    by: { dataSourceId: mergedStream('heart_rate.bpm', 'resting_heart_rate<-merge_heart_rate_bpm') },
    scope: heartRate,
  },
];

export const activityPull: PullSpec = {
  ...completeDays,
  name: 'activity',
  resources: ['activity', 'calories_basal'],
  requiredScopes: [activity],
  // A call covers 90 days at most, and those of autumn are an hour longer.
  chunkDays: 60,
  backfillDays: 90,
  collections: [],
  async *pull({ http, user, window, now }) {
    const context = createContext(user);
    const stretch = stretchOf(window, context);
    const timeZoneId = context.zoneOn(window.startDate).name ?? 'UTC';
    const responses: ProviderResponse[] = [];
    const bodies: Record<string, unknown> = {};
    for (const { key, by, scope } of totals) {
      if (!user.grantedScopes.includes(scope)) continue;
      const response = await ifReadable(() => readTotals(http, by, stretch, { timeZoneId }));
      if (response === null) continue;
      responses.push(response);
      bodies[key] = response.body;
    }
    const [first, ...others] = responses;
    if (first === undefined) return;
    const mapped = mapActivity(bodies, window, context);
    const partOf = [
      ...summariesOn(window, mergedSource, 'activity'),
      // Where either is unreadable, no day states its basal energy.
      ...(bodies['expended'] && bodies['basal'] ? samplesBetween(stretch, now, mergedSource, ['calories_basal']) : []),
    ];
    yield { version: oldestVersion([first, ...others]), ...mapped, partOf };
  },
};
