import { completeDays } from '../../kit/pull-presets.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { oldestOf, readCollection } from '../collections.ts';
import { mapCycles, readWakeUpDays } from '../mappers/map-cycles.ts';
import { createContext, namedIn, strap } from '../whoop.ts';

/** Cycles are not pushed: they are read when the night that ends one is announced, and by polls while they run. */
export const cyclesPull: PullSpec = {
  ...completeDays,
  name: 'cycles',
  resources: ['activity'],
  requiredScopes: ['read:cycles'],
  chunkDays: 30,
  backfillDays: 180,
  collections: ['sleep'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const days = new Map<string, string>();
    let version: bigint | null = null;
    if (user.grantedScopes.includes('read:sleep')) {
      for await (const response of readCollection(http, '/v2/activity/sleep', window)) {
        for (const [cycleId, day] of readWakeUpDays(response.body, context)) days.set(cycleId, day);
        version = oldestOf(response.version, version);
      }
    }
    for await (const response of readCollection(http, '/v2/cycle', window)) {
      const complete = { partOf: summariesOn(window, strap, 'activity'), named: namedIn(response.body, 'activity', context) };
      yield { version: oldestOf(response.version, version), ...mapCycles(response.body, days, window, context), ...complete };
    }
  },
};
