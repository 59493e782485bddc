import { historyDaysMax } from '../../kit/history-depth.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullWindow } from '../../kit/types.ts';
import { dayOfDocument, readDays, readDocument } from '../collections.ts';
import { mapSleep, readSleepScores, removeSleep } from '../map-sleep.ts';
import { createContext, type OuraContext } from '../oura.ts';
import { dataTypeOf, documentIdOf } from '../push-objects.ts';
import { daysPerCall, historyDays, rereadDays } from './days-pull.ts';

/** Sleeps with the scores of their days. A page is made of several answers: it has the version of the oldest one. */
async function* pullSleeps(http: ProviderHttp, window: PullWindow, context: OuraContext): AsyncGenerator<PulledPage> {
  const scores = new Map<string, number>();
  let oldest: bigint | null = null;
  for await (const answer of readDays(http, 'daily_sleep', window, 'day,score')) {
    oldest ??= answer.version;
    for (const [day, score] of readSleepScores(answer.body)) scores.set(day, score);
  }
  for await (const answer of readDays(http, 'sleep', window)) {
    yield { ...mapSleep(answer.body, scores, window, context), version: oldest ?? answer.version };
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
  deletions: { unseen: 'Oura pushes what is deleted, document by document.' },
  collections: ['sleep', 'daily_sleep'],
  pull: ({ http, user, window }) => pullSleeps(http, window, createContext(user)),
  /** Of either kind the day is read whole: the summary is made of both. */
  async *pullObject({ http, user, objectId }) {
    const day = dayOfDocument(await readDocument(http, dataTypeOf(objectId), documentIdOf(objectId)));
    if (day !== null) yield* pullSleeps(http, { startDate: day, endDate: day }, createContext(user));
  },
  removeObject: ({ user, objectId }) => (dataTypeOf(objectId) === 'sleep' ? removeSleep(documentIdOf(objectId), createContext(user)) : []),
};
