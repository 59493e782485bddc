import type { Quarantined } from '@pulsewire/contract';
import { completeDays } from '../../kit/pull-presets.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import type { ObjectContext, ProviderHttp, PulledPage, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { asPage, oldestOf, readCollection, readObject } from '../collections.ts';
import { mapSleep, removeSleep } from '../mappers/map-sleep.ts';
import { bySleep, readRecoveries, type Recoveries } from '../recoveries.ts';
import { createContext, namedIn, strap } from '../whoop.ts';

const recoveryScope = 'read:recovery';

interface FoundRecoveries {
  readonly recoveries: Recoveries;
  readonly quarantined: readonly Quarantined[];
  /** null: nothing was requested. */
  readonly version: bigint | null;
}

const nothing: FoundRecoveries = { recoveries: new Map(), quarantined: [], version: null };

/** They are requested before the sleeps: a recovery that is created between the two requests is read by the next pull. */
async function findRecoveries(http: ProviderHttp, window: PullWindow, { grantedScopes }: PullUser): Promise<FoundRecoveries> {
  if (!grantedScopes.includes(recoveryScope)) return nothing;
  const quarantined: Quarantined[] = [];
  const found = [];
  let version: bigint | null = null;
  for await (const response of readCollection(http, '/v2/recovery', window)) {
    found.push(...readRecoveries(response.body, quarantined));
    version = oldestOf(response.version, version);
  }
  return { recoveries: bySleep(found), quarantined, version };
}

async function findRecovery(http: ProviderHttp, cycleId: unknown, { grantedScopes }: PullUser): Promise<FoundRecoveries> {
  const isRequested = grantedScopes.includes(recoveryScope) && (typeof cycleId === 'number' || typeof cycleId === 'string');
  const response = isRequested ? await readObject(http, `/v2/cycle/${encodeURIComponent(cycleId)}/recovery`) : null;
  if (response === null) return nothing;
  const quarantined: Quarantined[] = [];
  return { recoveries: bySleep(readRecoveries(asPage(response), quarantined)), quarantined, version: response.version };
}

/** A push names a night by its UUID; pushes of the older model name a recovery by its cycle's integer id. */
async function* pullNight({ http, user, objectId }: ObjectContext): AsyncGenerator<PulledPage> {
  const isCycle = /^\d+$/.test(objectId);
  const path = isCycle ? `/v2/cycle/${objectId}/sleep` : `/v2/activity/sleep/${encodeURIComponent(objectId)}`;
  const response = await readObject(http, path);
  if (response === null) return;
  const cycleId: unknown = isCycle ? objectId : (response.body as { readonly cycle_id?: unknown } | null)?.cycle_id;
  const found = await findRecovery(http, cycleId, user);
  const mapped = mapSleep(asPage(response), found.recoveries, null, createContext(user));
  const version = oldestOf(response.version, found.version);
  yield { version, records: mapped.records, quarantined: [...mapped.quarantined, ...found.quarantined] };
}

export const sleepPull: PullSpec = {
  ...completeDays,
  name: 'sleep',
  resources: ['sleep', 'respiratory_rate', 'hrv', 'blood_oxygen', 'body_temperature'],
  requiredScopes: ['read:sleep'],
  chunkDays: 30,
  backfillDays: 180,
  collections: ['sleep', 'recovery'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const found = await findRecoveries(http, window, user);
    let unreadable = found.quarantined;
    for await (const response of readCollection(http, '/v2/activity/sleep', window)) {
      const mapped = mapSleep(response.body, found.recoveries, window, context);
      const version = oldestOf(response.version, found.version);
      // Their samples are not removed: a night that loses its score would otherwise lose its values.
      const complete = { partOf: summariesOn(window, strap, 'sleep'), named: namedIn(response.body, 'sleep', context) };
      yield { version, records: mapped.records, quarantined: [...unreadable, ...mapped.quarantined], ...complete };
      unreadable = [];
    }
  },
  pullObject: pullNight,
  removeObject: ({ user, objectId }) => removeSleep(objectId, createContext(user)),
};
