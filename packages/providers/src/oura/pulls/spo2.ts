import { historyDaysMax } from '../../kit/history-depth.ts';
import type { PullSpec } from '../../kit/types.ts';
import { asList, dayOfDocument, readDays, readDocument } from '../collections.ts';
import { readDayOffsets } from '../day-offsets.ts';
import { mapSpo2 } from '../map-daily.ts';
import { createContext, pageOf } from '../oura.ts';
import { documentIdOf } from '../push-objects.ts';
import { daysPerCall, historyDays, rereadDays } from './days-pull.ts';

export const spo2Pull: PullSpec = {
  name: 'spo2',
  resources: ['blood_oxygen'],
  requiredScopes: ['spo2'],
  chunkDays: daysPerCall,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays,
  collections: ['daily_spo2'],
  async *pull({ http, user, window }) {
    const context = createContext(user);
    const offsets = await readDayOffsets(http, window, user.grantedScopes);
    for await (const answer of readDays(http, 'daily_spo2', window)) yield pageOf(answer, mapSpo2(answer.body, window, offsets, context));
  },
  async *pullObject({ http, user, objectId }) {
    const answer = await readDocument(http, 'daily_spo2', documentIdOf(objectId));
    const day = dayOfDocument(answer);
    if (day === null) return;
    const window = { startDate: day, endDate: day };
    const offsets = await readDayOffsets(http, window, user.grantedScopes);
    yield pageOf(answer, mapSpo2(asList(answer), window, offsets, createContext(user)));
  },
};
