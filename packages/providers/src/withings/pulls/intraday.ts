import type { CompleteRange } from '@pulsewire/contract';
import { samplesBetween } from '../../kit/records/complete-ranges.ts';
import { addDays, eachDay } from '../../kit/time/days.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { MappedRecords, PullSpec } from '../../kit/types/connector.ts';
import { readService } from '../call.ts';
import { intradayFields, mapIntraday } from '../mappers/map-intraday.ts';
import { anySource, createContext } from '../withings.ts';
import { dailyPieces, historyDays } from './depths.ts';

/** Heart rate, oxygen and temperature also come with measures and nights. */
const readHereAlone = ['steps', 'distance', 'calories_active', 'floors_climbed'];

/** A response without any entry does not prove a deletion. Whether the first requested instant is included is not known. */
function allOf(piece: { readonly startdate: string; readonly enddate: string }, mapped: MappedRecords, now?: Date): CompleteRange[] {
  if (mapped.records.length === 0) return [];
  const stretch = { fromMs: Number(piece.startdate) * 1000 + 1, toMs: Number(piece.enddate) * 1000 };
  return samplesBetween(stretch, now, anySource, readHereAlone);
}

/** A day at a time; one that is longer than 24 hours takes two calls. */
export const intradayPull: PullSpec = {
  name: 'intraday',
  resources: ['steps', 'distance', 'calories_active', 'floors_climbed', 'heartrate', 'blood_oxygen', 'body_temperature'],
  requiredScopes: ['user.activity'],
  chunkDays: 1,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays: 1,
  deletions: 'by_absence',
  collections: ['16'],
  async *pull({ http, user, window, now }) {
    const context = createContext(user);
    for (const day of eachDay(window)) {
      const [fromMs, toMs] = [context.zoneOn(day).startOfDay(day).ms, context.zoneOn(day).startOfDay(addDays(day, 1)).ms];
      for (const piece of dailyPieces(fromMs, toMs)) {
        const requested = { action: 'getintradayactivity', ...piece, data_fields: intradayFields };
        const { body, version } = await readService(http, '/v2/measure', requested);
        const mapped = mapIntraday(body, context);
        yield { ...mapped, version, allOf: allOf(piece, mapped, now) };
      }
    }
  },
};
