import type { CompleteRange } from '@pulsewire/contract';
import type { ProviderHttp, ProviderResponse, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { readPages } from '../kit/http/read-pages.ts';
import { innerDays, ofKind, samplesInside, summariesOn } from '../kit/records/complete-ranges.ts';
import { addDays } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { mapList, type MeasurementMapper } from './measured.ts';
import { mapActivity } from './map-activity.ts';
import { irregular, mapBloodPressure } from './map-blood-pressure.ts';
import { createWeightMapper } from './map-weight.ts';
import { createContext, sources, type MeasurementType, type OmronValues } from './omron.ts';

export const historyDays = 90;
const rereadDays = 5;
const itemsPerPage = 100;

type Form = Readonly<Record<string, string>>;

/** Names of the lists in responses. */
const listKeys = { bloodpressure: 'bloodPressure', weight: 'weight', activity: 'activity' } as const satisfies Record<
  MeasurementType,
  string
>;

/** The form for the next page: by a key, or from the last date on when a list was cut without a key. */
function nextForm({ body }: ProviderResponse, form: Form, type: MeasurementType, last: string | null): Form | null {
  const result = new JsonNode(body).at('result');
  const field = `${type}PaginationKey`;
  const own = result.at('paginationKey').at(field).value;
  if (typeof own === 'string' && own !== '') return { ...form, [field]: own };
  const plain = result.at('nextPaginationKey').value;
  if (typeof plain === 'string' && plain !== '') return { ...form, paginationKey: plain };
  const isCut = result.at('truncated').value === true;
  return isCut && last !== null && last > (form['since'] ?? '') ? { ...form, since: last } : null;
}

/** A request has no end date: pages are read, oldest first, until one contains nothing new. */
async function* readList(http: ProviderHttp, type: MeasurementType, { startDate }: PullWindow): AsyncGenerator<ProviderResponse> {
  const seen = new Set<string>();
  yield* readPages<Form>({
    // Omron compares it with local times, so it is a day earlier.
    first: { since: addDays(startDate, -1), type, limit: String(itemsPerPage), sortOrder: 'asc' },
    read: (form) => http.post('/measurement', { form, isRead: true }),
    next(response, form) {
      const list = new JsonNode(response.body).at('result').at(listKeys[type]).value;
      const items = Array.isArray(list) ? new JsonNode(list).items() : [];
      const ids = items.map((item) => JSON.stringify(item.at('id').value));
      const isNew = ids.some((id) => !seen.has(id));
      for (const id of ids) seen.add(id);
      const last =
        items
          .flatMap((item) => dayOfItem(item) ?? [])
          .toSorted()
          .at(-1) ?? null;
      return isNew ? nextForm(response, form, type, last) : null;
    },
  });
}

function dayOfItem(item: JsonNode): string | null {
  const text = item.at('dateTimeLocal').value ?? item.at('dateTime').value;
  return typeof text === 'string' && /^\d{4}-\d{2}-\d{2}/.test(text) ? text.slice(0, 10) : null;
}

/** An empty list proves nothing: a missing permission empties a list too. */
function hasItems(body: unknown, type: MeasurementType): boolean {
  const list = new JsonNode(body).at('result').at(listKeys[type]).value;
  return Array.isArray(list) && list.length > 0;
}

interface ListPull {
  readonly type: MeasurementType;
  readonly resources: readonly string[];
  readonly map: MeasurementMapper;
  complete(days: PullWindow, now: Date | undefined): readonly CompleteRange[];
}

function listPull({ type, resources, map, complete }: ListPull): PullSpec {
  return {
    name: type,
    resources,
    requiredScopes: [type],
    // A call returns everything since a day, so smaller chunks would only be read twice.
    chunkDays: historyDaysMax,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays,
    deletions: 'by_absence',
    collections: [type],
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      let isFirst = true;
      for await (const { body, version } of readList(http, type, window)) {
        // Pages follow each other by keys or dates, so they cannot shift.
        const partOf = isFirst && hasItems(body, type) ? complete(innerDays(window), now) : [];
        isFirst = false;
        yield { ...mapList(body, { key: listKeys[type], resource: resources[0] ?? type, map }, window, context), version, partOf };
      }
    },
  };
}

export function createPulls(values: OmronValues): readonly PullSpec[] {
  return [
    listPull({
      type: 'bloodpressure',
      resources: ['blood_pressure', 'heartrate', 'heart_rate_alert'],
      map: mapBloodPressure,
      complete: (days, now) => [
        ...samplesInside(days, now, sources.cuff, ['blood_pressure', 'heartrate']),
        ...ofKind(irregular, samplesInside(days, now, sources.cuff, ['heart_rate_alert'])),
      ],
    }),
    listPull({
      type: 'weight',
      resources: ['body', 'weight', 'fat', 'body_mass_index'],
      map: createWeightMapper(values),
      complete: (days, now) => [
        ...summariesOn(days, sources.scale, 'body'),
        ...samplesInside(days, now, sources.scale, ['weight', 'fat', 'body_mass_index']),
      ],
    }),
    listPull({
      type: 'activity',
      resources: ['activity', 'steps'],
      map: mapActivity,
      complete: (days) => summariesOn(days, sources.tracker, 'activity'),
    }),
  ];
}
