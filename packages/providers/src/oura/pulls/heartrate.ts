import { dayMs } from '@pulsewire/kernel';
import { addDays, utcMidnight } from '../../kit/time/days.ts';
import { samplesInside } from '../../kit/records/complete-ranges.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { dayOfDocument, readDocument, readInstants } from '../collections.ts';
import { readDayOffsets } from '../day-offsets.ts';
import { mapHeartrate } from '../mappers/map-heartrate.ts';
import { createContext, dataTypeOf, documentIdOf, ring } from '../oura.ts';
import { historyDays, rereadDays } from './days-pull.ts';

/** The largest UTC offset: the local days of a window lie within the window extended by it on both sides. */
const marginMs = 14 * 3_600_000;

async function* pullHeartrate(http: ProviderHttp, user: PullUser, window: PullWindow, now?: Date): AsyncGenerator<PulledPage> {
  const context = createContext(user);
  const offsets = await readDayOffsets(http, window, user.grantedScopes);
  const fromMs = utcMidnight(window.startDate) - marginMs;
  const toMs = utcMidnight(window.endDate) + dayMs + marginMs;
  const partOf = samplesInside(window, now, ring, ['heartrate']);
  for await (const response of readInstants(http, 'heartrate', fromMs, toMs)) {
    yield { ...mapHeartrate(response.body, window, offsets, context), version: response.version, partOf };
  }
}

/** Oura does not push it: it is read by polls and with every sleep that is announced. */
export const heartratePull: PullSpec = {
  name: 'heartrate',
  resources: ['heartrate'],
  requiredScopes: ['heartrate'],
  // Thirty days at most in one call, margins included.
  chunkDays: 28,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays,
  deletions: 'by_absence',
  collections: ['daily_sleep'],
  pollEveryMs: 3_600_000,
  pull: ({ http, user, window, now }) => pullHeartrate(http, user, window, now),
  /**
   * A ring that was out of reach syncs several days at once: the day of the sleep and the day before are read, however old they
   * are.
   */
  async *pullObject({ http, user, objectId }) {
    const day = dayOfDocument(await readDocument(http, dataTypeOf(objectId), documentIdOf(objectId)));
    if (day !== null) yield* pullHeartrate(http, user, { startDate: addDays(day, -1), endDate: day });
  },
};
