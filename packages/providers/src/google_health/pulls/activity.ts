import { historyDaysMax } from '../../kit/history-depth.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import { oldestVersion } from '../../kit/http/collect-pages.ts';
import type { ProviderHttp, ProviderResponse, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { readDailyTotals, readPoints } from '../data-points.ts';
import { createContext, googleScopes, mergedSource } from '../google-health.ts';
import { mapActivity, restingType, totalTypes, type ActivityBodies } from '../mappers/map-activity.ts';
import { ifOffered } from './if-offered.ts';

interface ReadTotals {
  readonly bodies: ActivityBodies;
  readonly responses: readonly ProviderResponse[];
}

/** A window has at most 14 days, so that its daily values are on one page. */
async function readResting(http: ProviderHttp, window: PullWindow): Promise<ProviderResponse | null> {
  for await (const page of readPoints(http, { type: restingType, kind: 'daily', window })) return page;
  return null;
}

async function readTotals(http: ProviderHttp, window: PullWindow, { grantedScopes }: PullUser): Promise<ReadTotals> {
  const found: (readonly [string, ProviderResponse])[] = [];
  for (const type of totalTypes) {
    const response = await ifOffered(() => readDailyTotals(http, type, window));
    if (response !== null) found.push([type, response]);
  }
  const resting = grantedScopes.includes(googleScopes.metrics) ? await ifOffered(() => readResting(http, window)) : null;
  if (resting !== null) found.push([restingType, resting]);
  return {
    bodies: Object.fromEntries(found.map(([type, { body }]) => [type, body])),
    responses: found.map(([, response]) => response),
  };
}

export const activityPull: PullSpec = {
  name: 'activity',
  resources: ['activity'],
  requiredScopes: [googleScopes.activity],
  // Totals of calories and active minutes are limited to 14 days.
  chunkDays: 14,
  backfillDays: 365,
  reachDays: historyDaysMax,
  rereadDays: 5,
  deletions: 'by_absence',
  collections: ['steps', 'distance', 'floors', 'total-calories', 'active-minutes', 'daily-resting-heart-rate'],
  async *pull({ http, user, window }) {
    const { bodies, responses } = await readTotals(http, window, user);
    const [first, ...others] = responses;
    if (first === undefined) return;
    const isWhole = totalTypes.every((type) => type in bodies);
    const allOf = isWhole ? summariesOn(window, mergedSource, 'activity') : [];
    yield { version: oldestVersion([first, ...others]), ...mapActivity(bodies, window, createContext(user)), allOf };
  },
};
