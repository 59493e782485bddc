import { isAppError, dayMs, hourMs } from '@pulsewire/kernel';
import { addDays, utcMidnight } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { ObjectContext, PullContext, PulledPage, PullSpec } from '../kit/types/connector.ts';
import { collections, historicalExport, mapSummaries, type GarminCollection } from './collections.ts';

/** Garmin accepts 30 days per request for activities, 90 for other types. */
export const requestDays = 30;
export const historyDays = 90;

const nothing: readonly PulledPage[] = [];

/** The end of a window's request, in full hours, so that a repeated request is identical. */
function endOf({ window, now }: Pick<PullContext, 'window' | 'now'>): number {
  const nextDay = utcMidnight(addDays(window.endDate, 1));
  const latest = nextDay + 2 * dayMs;
  // Later times belong to the next window: Garmin refuses a request that overlaps with an earlier one.
  return now === undefined || now.getTime() >= latest ? nextDay : Math.floor(now.getTime() / hourMs) * hourMs;
}

/** The first full hour that Garmin provides, from its refusal; null when the refusal had another reason. */
function earliestIn(error: unknown): number | null {
  const earliest = isAppError(error) ? error.details['earliestMs'] : undefined;
  return typeof earliest === 'number' ? Math.ceil(earliest / hourMs) * hourMs : null;
}

/**
 * Requests the summaries that started in the window; they are pushed later. The newest window extends to now, because its last local day
 * may end on the next UTC day, and the hours before the link are in no other window. When a window begins before Garmin's reach, the rest
 * is requested; a window entirely before it has no history, which is not an error.
 */
async function* requestOf(backfill: string, { http, window, now }: PullContext): AsyncGenerator<PulledPage> {
  const endMs = endOf({ window, ...(now && { now }) });
  const ask = async (startMs: number): Promise<void> => {
    try {
      await http.get(`/wellness-api/rest/backfill/${backfill}`, {
        summaryStartTimeInSeconds: String(startMs / 1000),
        summaryEndTimeInSeconds: String(endMs / 1000),
      });
    } catch (error) {
      // Requested before: the data is on its way or has already arrived.
      if (!isAppError(error) || error.details['status'] !== 409) throw error;
    }
  };
  const startMs = utcMidnight(window.startDate);
  try {
    await ask(startMs);
  } catch (error) {
    const earliestMs = earliestIn(error);
    if (earliestMs === null || earliestMs <= startMs) throw error;
    if (earliestMs < endMs) await ask(earliestMs);
  }
  yield* nothing;
}

/** This user's summaries at the URL of a ping. The HTTP client follows it only to the API's own host. */
async function* follow(key: string, { http, user, objectId }: ObjectContext): AsyncGenerator<PulledPage> {
  const { body, version } = await http.get(objectId);
  const list = Array.isArray(body) ? body : new JsonNode(body).at(key).value;
  const isOurs = (item: unknown) => {
    const owner = new JsonNode(item).at('userId').value;
    return owner === undefined || owner === user.providerUserId;
  };
  yield { version, ...mapSummaries(key, Array.isArray(list) ? list.filter(isOurs) : (list ?? []), user) };
}

const unseen = 'Everything is pushed, and Garmin reports no deletions.';
const spans = { rereadDays: 1, backfillDays: historyDays, deletions: { unseen } } as const;

/** The history pull for one kind of summary. */
function historyOf({ key, backfill, resources, scope }: GarminCollection): PullSpec[] {
  if (backfill === null) return [];
  return [
    {
      ...spans,
      name: `history-${backfill}`,
      resources,
      requiredScopes: [scope, historicalExport],
      lanes: ['backfill'],
      // The newest window requests up to two more days.
      chunkDays: requestDays - 2,
      collections: [],
      fulfilledBy: [key],
      pull: (context) => requestOf(backfill, context),
    },
  ];
}

/** Reads the URL of a ping. Garmin forbids requests without one. */
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
