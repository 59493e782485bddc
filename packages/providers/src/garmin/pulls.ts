import { isAppError } from '@pulsewire/kernel';
import { addDays, utcMidnight } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { ObjectContext, PullContext, PulledPage, PullSpec } from '../kit/types/connector.ts';
import { collections, historicalExport, mapSummaries, type GarminCollection } from './collections.ts';

/** Garmin takes 30 days of activities in one request, 90 of the rest. */
export const requestDays = 30;
export const historyDays = 90;

const hourMs = 3_600_000;
const dayMs = 86_400_000;
const nothing: readonly PulledPage[] = [];

/** Until when a window asks: full hours, so that a request that is made again is the same one. */
function endOf({ window, now }: Pick<PullContext, 'window' | 'now'>): number {
  const nextDay = utcMidnight(addDays(window.endDate, 1));
  const latest = nextDay + 2 * dayMs;
  // What lies behind any other window is the next one's: Garmin refuses what overlaps with what was asked for before.
  return now === undefined || now.getTime() >= latest ? nextDay : Math.floor(now.getTime() / hourMs) * hourMs;
}

/** The first full hour that Garmin gives, as its refusal tells; null when it was about something else. */
function earliestIn(error: unknown): number | null {
  const earliest = isAppError(error) ? error.details['earliestMs'] : undefined;
  return typeof earliest === 'number' ? Math.ceil(earliest / hourMs) * hourMs : null;
}

/**
 * Asks for the summaries that started in the window; they are pushed later. The newest window reaches until now: its last local day may
 * end in the next day of UTC, and the hours before the link are in nobody's window. Of a window that begins before Garmin's reach, the
 * rest is asked for; one that lies before it as a whole has no history, which is no failure.
 */
async function* askFor(backfill: string, { http, window, now }: PullContext): AsyncGenerator<PulledPage> {
  const endMs = endOf({ window, ...(now && { now }) });
  const ask = async (startMs: number): Promise<void> => {
    try {
      await http.get(`/wellness-api/rest/backfill/${backfill}`, {
        summaryStartTimeInSeconds: String(startMs / 1000),
        summaryEndTimeInSeconds: String(endMs / 1000),
      });
    } catch (error) {
      // Asked for before: it is on its way, or has come already.
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

const unseen = 'Everything is pushed, and Garmin tells of no deletions.';
const spans = { rereadDays: 1, backfillDays: historyDays, deletions: { unseen } } as const;

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
      // The newest window asks for up to two days more.
      chunkDays: requestDays - 2,
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
