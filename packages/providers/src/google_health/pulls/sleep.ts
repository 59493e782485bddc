import type { Quarantined } from '@pulsewire/contract';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import type { ProviderHttp, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { readPoints } from '../data-points.ts';
import { createContext, googleScopes, listedSources } from '../google-health.ts';
import { mapSleep } from '../mappers/map-sleep.ts';
import { nightTypes, readNightFacts, type NightFacts } from '../mappers/night-facts.ts';
import { ifOffered } from './if-offered.ts';

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
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle'],
  requiredScopes: [googleScopes.sleep],
  chunkDays: 30,
  backfillDays: 365,
  reachDays: historyDaysMax,
  rereadDays: 5,
  deletions: 'by_absence',
  collections: ['sleep', ...Object.keys(nightTypes)],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const { facts, quarantined, version } = await findFacts(http, window, user);
    const partOf = summariesOn(window, listedSources, 'sleep', 'sleep_cycle');
    let isFirst = true;
    for await (const response of readPoints(http, { type: 'sleep', kind: 'sleep', window })) {
      const mapped = mapSleep(response.body, facts, context);
      const oldest = version !== null && version < response.version ? version : response.version;
      yield {
        version: oldest,
        records: mapped.records,
        quarantined: isFirst ? [...mapped.quarantined, ...quarantined] : mapped.quarantined,
        partOf,
      };
      isFirst = false;
    }
  },
};
