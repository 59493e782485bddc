import { ofKind, samplesInside, summariesOn } from '../kit/records/complete-ranges.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { readUnlessMissing } from '../kit/http/read-optional.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { readPages } from '../kit/http/read-pages.ts';
import { addDays, msToDay } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import type { ObjectContext, ProviderHttp, ProviderResponse, PullContext, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { app, createContext, recorder } from './kardia.ts';
import { idsOfIncomplete, mapRecordings } from './map-recordings.ts';
import { leadTypes } from './read-leads.ts';

/** The collection that callbacks announce. */
export const recordings = 'recordings';
/** Stands for the id of the recording in a callback that names none. */
export const latest = 'latest';
/** Recordings are uploaded some days late. */
const rereadDays = 7;

/** A recording of half a minute with six leads has 600 kB, and responses may have 20 MB. */
const recordingsPerPage = 10;
/** After a page whose recordings were short or had no signal: the next ones may still all have 600 kB. */
const recordingsPerLargePage = 30;
const shortBytes = 100_000;
/** Recordings read alone in one reading; of further ones what the list has is stored, and they are reported. */
const aloneMax = 500;

const allDays: PullWindow = { startDate: '0000-01-01', endDate: '9999-12-31' };

interface Place {
  readonly start: string;
  readonly limit: number;
}

function limitAfter({ bytes }: ProviderResponse, { limit }: Place): number {
  return bytes.length / limit < shortBytes ? recordingsPerLargePage : recordingsPerPage;
}

/** The order of the list is not stated, so it is read to its end. */
function readRecordings(http: ProviderHttp, patientId: string): AsyncGenerator<ProviderResponse> {
  const path = `/v1/patients/${encodeURIComponent(patientId)}/recordings`;
  return readPages<Place>({
    first: { start: '', limit: recordingsPerPage },
    read: ({ start, limit }) => http.get(path, { limit: String(limit), ...(start !== '' && { start }) }),
    next(response, place) {
      const page = new JsonNode(response.body).at('pageInfo');
      const { value: start } = page.at('endCursor');
      if (page.at('hasNextPage').value !== true || typeof start !== 'string' || start === '') return null;
      if (start === place.start) throw providerError('provider_transient', { reason: 'endless_pages' });
      return { start, limit: limitAfter(response, place) };
    },
  });
}

/** The page with the recordings in whole that were read alone. */
function completed(body: unknown, whole: ReadonlyMap<string, unknown>): unknown {
  const list = new JsonNode(body).at('data').value;
  if (whole.size === 0 || !Array.isArray(list)) return body;
  const data = list.map((item: unknown) => whole.get(String(new JsonNode(item).at('id').value)) ?? item);
  return { ...(body as object), data };
}

async function readAlone(http: ProviderHttp, ids: readonly string[]): Promise<ReadonlyMap<string, unknown>> {
  const whole = new Map<string, unknown>();
  for (const id of ids) {
    // A recording that was deleted in the meantime keeps what the list has of it.
    const response = await readUnlessMissing(http, `/v1/recordings/${encodeURIComponent(id)}`);
    if (response !== null && new JsonNode(response.body).at('id').value === id) whole.set(id, response.body);
  }
  return whole;
}

function rangesOf(window: PullWindow, now: Date | undefined) {
  const voltages = samplesInside(window, now, recorder, ['electrocardiogram_voltage']);
  return [
    ...summariesOn(window, recorder, 'electrocardiogram'),
    ...samplesInside(window, now, recorder, ['heartrate']),
    ...samplesInside(window, now, app, ['note']),
    ...leadTypes.flatMap((lead) => ofKind(lead, voltages)),
  ];
}

async function* pull({ http, user, window, now }: PullContext) {
  const context = createContext(user);
  let left = aloneMax;
  for await (const { body, version } of readRecordings(http, user.providerUserId)) {
    const incomplete = idsOfIncomplete(body, window);
    const ids = incomplete.slice(0, left);
    left -= ids.length;
    const { records, quarantined } = mapRecordings(completed(body, await readAlone(http, ids)), window, context);
    const unread = incomplete.length > ids.length ? [{ resource: 'electrocardiogram', reason: 'too_many', pointer: '/data' }] : [];
    yield { version, records, quarantined: [...quarantined, ...unread], partOf: rangesOf(window, now) };
  }
}

/** A recording that a callback names, if it is this patient's; the recent ones after a callback that names none. */
async function* pullObject({ objectId, ...call }: ObjectContext) {
  const { http, user, now = new Date() } = call;
  if (objectId === latest) {
    const today = msToDay(now.getTime());
    yield* pull({ ...call, window: { startDate: addDays(today, -rereadDays), endDate: addDays(today, 1) } });
    return;
  }
  const response = await readUnlessMissing(http, `/v1/recordings/${encodeURIComponent(objectId)}`);
  // A callback that names no patient is about any patient of the clinic.
  if (response === null || new JsonNode(response.body).at('patientID').value !== user.providerUserId) return;
  yield { version: response.version, ...mapRecordings({ data: [response.body] }, allDays, createContext(user)) };
}

export const kardiaPulls: readonly PullSpec[] = [
  {
    name: recordings,
    resources: ['electrocardiogram', 'electrocardiogram_voltage', 'heartrate', 'note'],
    requiredScopes: [],
    // The list has no dates: one reading covers every window.
    chunkDays: historyDaysMax,
    backfillDays: historyDaysMax,
    rereadDays,
    deletions: 'by_absence',
    collections: [recordings],
    pull,
    pullObject,
  },
];
