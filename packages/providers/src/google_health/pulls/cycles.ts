import { historyDaysMax } from '../../kit/history-depth.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import { cycleDaysMax } from '../../kit/records/menstrual-cycles.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { collectTypes, widen } from '../data-points.ts';
import { createContext, reproductiveScope } from '../google-health.ts';
import { mapCycles, ovulationType, periodType } from '../mappers/map-cycles.ts';

/** A cycle ends where the next period begins: as much is read on both sides of the window, and again with each poll. */
export const cyclesPull: PullSpec = {
  name: periodType,
  resources: ['menstrual_cycle'],
  requiredScopes: [reproductiveScope],
  chunkDays: 365,
  backfillDays: 365,
  reachDays: historyDaysMax,
  rereadDays: cycleDaysMax,
  deletions: 'by_absence',
  collections: [periodType, ovulationType],
  async *pull({ http, user, window }) {
    const types = [
      { type: periodType, kind: 'interval' },
      { type: ovulationType, kind: 'sample' },
    ] as const;
    const found = await collectTypes(http, types, widen(window, cycleDaysMax + 1));
    if (found === null) return;
    const partOf = summariesOn(window, 'app', 'menstrual_cycle');
    yield { version: found.version, ...mapCycles(found.bodies, window, createContext(user)), partOf };
  },
};
