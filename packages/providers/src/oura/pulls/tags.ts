import { collectPages } from '../../kit/http/collect-pages.ts';
import { samplesInside } from '../../kit/records/complete-ranges.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullUser, PullWindow } from '../../kit/types/connector.ts';
import { dayOfDocument, readDays, readDocument } from '../collections.ts';
import { mapTags } from '../mappers/map-tags.ts';
import { app, createContext, documentIdOf } from '../oura.ts';
import { daysPerCall, historyDays, rereadDays } from './days-pull.ts';

const collection = 'enhanced_tag';

/** All pages together, because tags of the same moment are one note. */
async function* pullTags(http: ProviderHttp, user: PullUser, window: PullWindow, now?: Date): AsyncGenerator<PulledPage> {
  const read = await collectPages(readDays(http, collection, window));
  if (read === null) return;
  const partOf = samplesInside(window, now, app, ['note']);
  yield { version: read.version, ...mapTags(read.bodies, window, createContext(user)), partOf };
}

export const tagsPull: PullSpec = {
  name: 'tags',
  resources: ['note'],
  requiredScopes: ['tag'],
  chunkDays: daysPerCall,
  backfillDays: historyDays,
  reachDays: historyDaysMax,
  rereadDays,
  deletions: 'by_absence',
  collections: [collection],
  pull: ({ http, user, window, now }) => pullTags(http, user, window, now),
  /** The whole day of an announced tag is read, because its note may hold several. */
  async *pullObject({ http, user, objectId }) {
    const day = dayOfDocument(await readDocument(http, collection, documentIdOf(objectId)), 'start_day');
    if (day !== null) yield* pullTags(http, user, { startDate: day, endDate: day });
  },
};
