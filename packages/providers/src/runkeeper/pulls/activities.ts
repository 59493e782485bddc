import type { Quarantined } from '@pulsewire/contract';
import { pullDefaults } from '../../kit/pull-presets.ts';
import { isWithin } from '../../kit/records/left-out.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { readUnlessMissing } from '../../kit/http/read-optional.ts';
import { summariesOn } from '../../kit/records/complete-ranges.ts';
import { JsonNode, readEach, UnreadableError } from '../../kit/values/json-node.ts';
import type { ProviderHttp, PulledPage, PullSpec, PullUser, PullWindow, SummaryName } from '../../kit/types/connector.ts';
import { openToAll } from '../open-to-all.ts';
import { mapActivity } from '../mappers/map-activity.ts';
import { app, createContext, mediaType, readId, readStart, type RunkeeperContext } from '../runkeeper.ts';
import { daysBefore, editedIn, rangeOf, readFeed } from './read-feed.ts';

async function readActivity(http: ProviderHttp, uri: string, user: PullUser, window: PullWindow): Promise<PulledPage | null> {
  const response = await readUnlessMissing(http, uri, undefined, { headers: mediaType('FitnessActivity') });
  return response && { version: response.version, ...mapActivity(response.body, createContext(user), window) };
}

/** Items of the feed within the window, by their paths. */
function urisWithin(body: unknown, window: PullWindow, context: RunkeeperContext, quarantined: Quarantined[]): string[] {
  return readEach('workouts', new JsonNode(body).at('items'), quarantined, (item) => {
    const { day } = readStart(item, context);
    const id = readId(item);
    return isWithin(day, window) ? `/fitnessActivities/${id}` : undefined;
  });
}

/** Which workouts the feed lists, also those that cannot be read. */
function namesOf(body: unknown, context: RunkeeperContext): SummaryName[] {
  const items = new JsonNode(body).at('items');
  if (!Array.isArray(items.value)) return [];
  return items.items().flatMap((item) => {
    try {
      return [{ resource: 'workouts', id: context.idOf('workouts', app, readId(item)) }];
    } catch (error) {
      if (error instanceof UnreadableError) return [];
      throw error;
    }
  });
}

export const activitiesPull: PullSpec = {
  ...pullDefaults,
  name: 'activities',
  resources: ['workouts', 'workout_stream'],
  chunkDays: 30,
  backfillDays: 90,
  reachDays: historyDaysMax,
  rereadDays: 7,
  deletions: 'by_absence',
  async *pull({ http, user, window }) {
    const context = createContext(user);
    let isFirst = true;
    for await (const { body, version } of readFeed(http, '/fitnessActivities', 'FitnessActivityFeed', rangeOf(window), openToAll)) {
      const quarantined: Quarantined[] = [];
      const uris = urisWithin(body, window, context, quarantined);
      const { value: next } = new JsonNode(body).at('next');
      // Pages may shift while they are read: only a feed of one page shows what is gone.
      const isWhole = isFirst && (typeof next !== 'string' || next === '');
      isFirst = false;
      yield {
        version,
        records: [],
        quarantined,
        partOf: isWhole ? summariesOn(window, app, 'workouts') : [],
        named: namesOf(body, context),
      };
      for (const uri of uris) {
        const page = await readActivity(http, uri, user, window);
        if (page) yield page;
      }
    }
  },
};

/**
 * Older workouts that were changed in the last days. The feed of changes only adds to what the other pull stores: whether it is complete
 * is not known, so nothing counts as deleted by its absence.
 */
export const editedActivitiesPull: PullSpec = {
  ...pullDefaults,
  name: 'edited-activities',
  resources: ['workouts', 'workout_stream'],
  lanes: ['live'],
  chunkDays: 30,
  backfillDays: 1,
  rereadDays: 7,
  deletions: { unseen: 'A feed of changes lists no deleted workouts.' },
  async *pull({ http, user, window }) {
    const context = createContext(user);
    for await (const { body, version } of readFeed(http, '/fitnessActivities', 'FitnessActivityFeed', editedIn(window), openToAll)) {
      const quarantined: Quarantined[] = [];
      const uris = urisWithin(body, daysBefore(window), context, quarantined);
      yield { version, records: [], quarantined };
      for (const uri of uris) {
        const page = await readActivity(http, uri, user, window);
        if (page) yield page;
      }
    }
  },
};
