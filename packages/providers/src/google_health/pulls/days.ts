import type { Quarantined } from '@pulsewire/contract';
import { completeDays } from '../../kit/pull-presets.ts';
import { collectPages, oldestVersion } from '../../kit/http/collect-pages.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import type { ProviderHttp, ProviderResponse, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { ifOffered, readDailyTotals, readPoints, totalDaysMax } from '../data-points.ts';
import { createContext, googleScopes, listedSources, mergedSource } from '../google-health.ts';
import { mapActivity, restingType, totalTypes, type ActivityBodies } from '../mappers/map-activity.ts';
import { mapSleep } from '../mappers/map-sleep.ts';
import { nightTypes, readNightFacts, type NightFacts } from '../mappers/night-facts.ts';

interface ReadTotals {
  readonly bodies: ActivityBodies;
  readonly responses: readonly ProviderResponse[];
  /** Every type of totals was offered, and none may have been cut. */
  readonly isWhole: boolean;
}

/** A window has at most 14 days, so that its daily values are on one page. */
async function readResting(http: ProviderHttp, window: PullWindow): Promise<ProviderResponse | null> {
  for await (const page of readPoints(http, { type: restingType, kind: 'daily', window })) return page;
  return null;
}

async function readTotals(http: ProviderHttp, window: PullWindow, { grantedScopes }: PullUser): Promise<ReadTotals> {
  const found: (readonly [string, readonly ProviderResponse[]])[] = [];
  let whole = 0;
  for (const type of totalTypes) {
    const totals = await ifOffered(() => readDailyTotals(http, type, window));
    if (totals === null) continue;
    found.push([type, totals.pages]);
    if (totals.isWhole) whole += 1;
  }
  const resting = grantedScopes.includes(googleScopes.metrics) ? await ifOffered(() => readResting(http, window)) : null;
  if (resting !== null) found.push([restingType, [resting]]);
  return {
    bodies: Object.fromEntries(found.map(([type, pages]) => [type, pages.map(({ body }) => body)])),
    responses: found.flatMap(([, pages]) => pages),
    isWhole: whole === totalTypes.length,
  };
}

export const activityPull: PullSpec = {
  ...completeDays,
  name: 'activity',
  resources: ['activity'],
  requiredScopes: [googleScopes.activity],
  chunkDays: totalDaysMax,
  backfillDays: 365,
  collections: ['steps', 'distance', 'floors', 'total-calories', 'active-minutes', 'daily-resting-heart-rate'],
  async *pull({ http, user, window }) {
    const { bodies, responses, isWhole } = await readTotals(http, window, user);
    const [first, ...others] = responses;
    if (first === undefined) return;
    const allOf = isWhole ? summariesOn(window, mergedSource, 'activity') : [];
    yield { version: oldestVersion([first, ...others]), ...mapActivity(bodies, window, createContext(user)), allOf };
  },
};

interface FoundFacts {
  readonly facts: NightFacts;
  readonly quarantined: readonly Quarantined[];
  /** null: nothing was read. */
  readonly version: bigint | null;
}

async function findFacts(http: ProviderHttp, window: PullWindow, { grantedScopes }: PullUser): Promise<FoundFacts> {
  const pages: { type: string; body: unknown }[] = [];
  let version: bigint | null = null;
  const readType = async (type: string) => {
    for await (const response of readPoints(http, { type, kind: 'daily', window })) {
      pages.push({ type, body: response.body });
      if (version === null || response.version < version) version = response.version;
    }
  };
  if (grantedScopes.includes(googleScopes.metrics)) for (const type of Object.keys(nightTypes)) await ifOffered(() => readType(type));
  const quarantined: Quarantined[] = [];
  return { facts: readNightFacts(pages, quarantined), quarantined, version };
}

/** The daily values are read first: one that appears between the two reads waits for the next pull. */
export const sleepPull: PullSpec = {
  ...completeDays,
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle'],
  requiredScopes: [googleScopes.sleep],
  chunkDays: 30,
  backfillDays: 365,
  collections: ['sleep', ...Object.keys(nightTypes)],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const { facts, quarantined, version } = await findFacts(http, window, user);
    const found = await collectPages(readPoints(http, { type: 'sleep', kind: 'sleep', window }));
    if (found === null) return;
    const { records, quarantined: unread } = mapSleep(found.bodies, facts, context);
    yield {
      version: version !== null && version < found.version ? version : found.version,
      records,
      quarantined: [...unread, ...quarantined],
      partOf: summariesOn(window, listedSources, 'sleep', 'sleep_cycle'),
    };
  },
};
