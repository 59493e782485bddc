import { historyDaysMax } from '../../kit/history-depth.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import { cycleDaysMax } from '../../kit/records/menstrual-cycles.ts';
import { addDays } from '../../kit/time/days.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints, stretchOf } from '../data-sets.ts';
import { appSource, createContext, fitScopes, mergedStream } from '../google-fit.ts';
import { mapCycles } from '../mappers/map-cycles.ts';

const types = { flow: 'menstruation', mucus: 'cervical_mucus', ovulation: 'ovulation_test', spotting: 'vaginal_spotting' } as const;

/** Every entry belongs to the cycle that began up to two months earlier: as much is read on both sides, and again with each poll. */
export const cyclesPull: PullSpec = {
  name: 'cycles',
  resources: ['menstrual_cycle'],
  requiredScopes: [fitScopes.reproductive],
  chunkDays: 365,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: cycleDaysMax,
  collections: [],
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const wide = { startDate: addDays(window.startDate, -cycleDaysMax), endDate: addDays(window.endDate, cycleDaysMax + 1) };
    const stretch = stretchOf(wide, context);
    const readType = (type: string) => collectPages(readPoints(http, mergedStream(type, 'merged'), stretch));
    const flow = await readType(types.flow);
    if (flow === null) return;
    const [mucus, ovulation, spotting] = [await readType(types.mucus), await readType(types.ovulation), await readType(types.spotting)];
    const pages = {
      flow: flow.bodies,
      mucus: mucus?.bodies ?? [],
      ovulation: ovulation?.bodies ?? [],
      spotting: spotting?.bodies ?? [],
    };
    yield { version: flow.version, ...mapCycles(pages, window, context), partOf: summariesOn(window, appSource, 'menstrual_cycle') };
  },
};
