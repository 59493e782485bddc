import { dayMs } from '@pulsewire/kernel';
import { completeDays } from '../../kit/pull-presets.ts';
import { collectPages } from '../../kit/http/collect-pages.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import type { PullSpec } from '../../kit/types/connector.ts';
import { readPoints, readSessions, stretchOf } from '../data-sets.ts';
import { appSource, createContext, fitScopes, mergedStream } from '../google-fit.ts';
import { mapSleep } from '../mappers/map-sleep.ts';
import { sleepCode } from '../sports.ts';

/** A day more is read on both sides, so that a night in several parts is joined alike in every window. */
export const sleepPull: PullSpec = {
  ...completeDays,
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle'],
  requiredScopes: [fitScopes.sleep],
  chunkDays: 30,
  backfillDays: 90,
  collections: [],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const { fromMs, toMs } = stretchOf(window, context);
    const around = { fromMs: fromMs - dayMs, toMs: toMs + dayMs };
    const list = await readSessions(http, around, sleepCode);
    const segments = await collectPages(readPoints(http, mergedStream('sleep.segment', 'merged'), around));
    const mapped = mapSleep(list.body, segments?.bodies ?? [], window, context);
    yield { version: list.version, ...mapped, allOf: summariesOn(window, appSource, 'sleep', 'sleep_cycle') };
  },
};
