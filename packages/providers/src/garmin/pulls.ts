import { isAppError } from '@pulsewire/kernel';
import { addDays, utcMidnight } from '../kit/days.ts';
import { JsonNode } from '../kit/json-node.ts';
import type { ObjectContext, PullContext, PulledPage, PullSpec } from '../kit/types.ts';
import { collections, historicalExport, mapSummaries, type GarminCollection } from './collections.ts';

/** Garmin takes 30 days of activities in one request, 90 of the rest. */
export const requestDays = 30;
export const historyDays = 90;

const hourMs = 3_600_000;
const nothing: readonly PulledPage[] = [];

/**
 * Asks for the summaries that started in the window; they are pushed later. The window's last local day may end in the next day of UTC,
 * and the hours before the link are in nobody's window: so a day more is asked for, as far as it has passed.
 */
async function* askFor(backfill: string, { http, window, now }: PullContext): AsyncGenerator<PulledPage> {
  const lastMs = utcMidnight(addDays(window.endDate, 2));
  // Full hours: a request that is made again is the same one.
  const endMs = now === undefined ? lastMs : Math.min(lastMs, Math.floor(now.getTime() / hourMs) * hourMs);
  try {
    await http.get(`/wellness-api/rest/backfill/${backfill}`, {
      summaryStartTimeInSeconds: String(utcMidnight(window.startDate) / 1000),
      summaryEndTimeInSeconds: String(endMs / 1000),
    });
  } catch (error) {
    // Asked for before: it is on its way, or has come already.
    if (!isAppError(error) || error.details['status'] !== 409) throw error;
  }
  yield* nothing;
}

/** Summaries of this user at the address that a ping gave. The way out follows it to the API's own host and nowhere else. */
async function* follow(key: string, { http, user, objectId }: ObjectContext): AsyncGenerator<PulledPage> {
  const { body, version } = await http.get(objectId);
  const list = Array.isArray(body) ? body : new JsonNode(body).at(key).value;
  const isOurs = (item: unknown) => {
    const owner = new JsonNode(item).at('userId').value;
    return owner === undefined || owner === user.providerUserId;
  };
  yield { version, ...mapSummaries(key, Array.isArray(list) ? list.filter(isOurs) : (list ?? []), user) };
}

const spans = { rereadDays: 1, backfillDays: historyDays };

/** History of one kind of summary. */
function historyOf({ key, backfill, resources, scope }: GarminCollection): PullSpec[] {
  if (backfill === null) return [];
  return [
    {
      ...spans,
      name: `history-${backfill}`,
      resources,
      requiredScopes: [scope, historicalExport],
      lanes: ['backfill'],
      chunkDays: requestDays - 1,
      collections: [],
      answeredBy: [key],
      pull: (context) => askFor(backfill, context),
    },
  ];
}

/** What a ping points to. Garmin forbids to ask without one. */
function callbackOf({ key, resources, scope }: GarminCollection): PullSpec {
  return {
    ...spans,
    name: `callback-${key}`,
    resources,
    requiredScopes: [scope],
    lanes: [],
    chunkDays: requestDays,
    collections: [key],
    async *pull() {
      yield* nothing;
    },
    pullObject: (context) => follow(key, context),
  };
}

export const garminPulls: readonly PullSpec[] = [...collections.flatMap(historyOf), ...collections.map(callbackOf)];
