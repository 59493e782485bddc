import { samplesInside, summariesOn } from '../../kit/records/complete-ranges.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullWindow } from '../../kit/types/connector.ts';
import { dayOfDocument, readDays, readDocument } from '../collections.ts';
import { mapSleep, readSleepScores, removeSleep } from '../mappers/map-sleep.ts';
import { createContext, dataTypeOf, documentIdOf, namedIn, ring, type OuraContext } from '../oura.ts';
import { daysPerCall, historyDays, rereadDays } from './days-pull.ts';

/** Sleeps with the scores of their days. A page of several responses has the version of the oldest. */
async function* pullSleeps(http: ProviderHttp, window: PullWindow, context: OuraContext): AsyncGenerator<PulledPage> {
  const scores = new Map<string, number>();
  let oldest: bigint | null = null;
  for await (const response of readDays(http, 'daily_sleep', window, 'day,score')) {
    oldest ??= response.version;
    for (const [day, score] of readSleepScores(response.body)) scores.set(day, score);
  }
  for await (const response of readDays(http, 'sleep', window)) {
    const named = namedIn(response, context, 'sleep', 'sleep_cycle');
    yield { ...mapSleep(response.body, scores, window, context), version: oldest ?? response.version, named };
  }
}

export const sleepPull: PullSpec = {
  name: 'sleep',
  resources: ['sleep', 'sleep_cycle', 'hrv', 'respiratory_rate'],
  requiredScopes: ['daily'],
  chunkDays: daysPerCall,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays,
  deletions: 'by_absence',
  collections: ['sleep', 'daily_sleep'],
  async *pull({ http, user, window, now }) {
    // RMSSD also comes with sessions.
    const samples = samplesInside(window, now, ring, ['respiratory_rate'], 1);
    const partOf = [...summariesOn(window, ring, 'sleep', 'sleep_cycle'), ...samples];
    for await (const page of pullSleeps(http, window, createContext(user))) yield { ...page, partOf };
  },
  /** For a sleep or a score the whole day is read, because the summary combines both. */
  async *pullObject({ http, user, objectId }) {
    const day = dayOfDocument(await readDocument(http, dataTypeOf(objectId), documentIdOf(objectId)));
    if (day !== null) yield* pullSleeps(http, { startDate: day, endDate: day }, createContext(user));
  },
  removeObject: ({ user, objectId }) => (dataTypeOf(objectId) === 'sleep' ? removeSleep(documentIdOf(objectId), createContext(user)) : []),
};
