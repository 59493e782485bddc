import { addDays, eachDay } from '../../kit/days.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { readService } from '../call.ts';
import { intradayFields, mapIntraday } from '../map-intraday.ts';
import { createContext } from '../withings.ts';
import { dailyPieces, historyDays } from './depths.ts';

/** A day at a time; one that is longer than 24 hours takes two calls. */
export const intradayPull: PullSpec = {
  name: 'intraday',
  resources: ['steps', 'distance', 'calories_active', 'floors_climbed', 'heartrate', 'blood_oxygen', 'body_temperature'],
  requiredScopes: ['user.activity'],
  chunkDays: 1,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays: 1,
  deletions: { unseen: 'Devices of several kinds share a day, and an answer does not say which of them it is complete for.' },
  collections: ['16'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for (const day of eachDay(window)) {
      const [fromMs, toMs] = [context.zoneOn(day).startOfDay(day).ms, context.zoneOn(day).startOfDay(addDays(day, 1)).ms];
      for (const piece of dailyPieces(fromMs, toMs)) {
        const asked = { action: 'getintradayactivity', ...piece, data_fields: intradayFields };
        const { body, version } = await readService(http, '/v2/measure', asked);
        yield { ...mapIntraday(body, context), version };
      }
    }
  },
};
