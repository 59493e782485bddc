import type { ProviderHttp, ProviderResponse, PullSpec, PullWindow } from '../kit/types/connector.ts';
import { historyDaysMax } from '../kit/history-depth.ts';
import { providerError } from '../kit/http/provider-error.ts';
import { readPages } from '../kit/http/read-pages.ts';
import { utcMidnight } from '../kit/time/days.ts';
import { JsonNode } from '../kit/values/json-node.ts';
import { createContext, type IhealthValues } from './ihealth.ts';
import { mapActivity } from './map-activity.ts';
import type { ListMapper } from './list-mapper.ts';
import { mapBloodPressure, mapGlucose, mapOxygen, mapWeight } from './map-readings.ts';
import { mapSleep } from './map-sleep.ts';
import { mapWorkouts } from './map-workouts.ts';

export const historyDays = 90;
const rereadDays = 5;
const daySeconds = 86_400;
const itemsPerPage = 50;
/** Lists are requested by local time; a list of workouts ends a day early. */
const marginDays = 2;

interface ListPull {
  readonly file: string;
  readonly secret: string;
  readonly listKey: string;
  readonly scope: string;
  readonly resources: readonly string[];
  readonly map: ListMapper;
}

function readList(
  http: ProviderHttp,
  path: string,
  query: Readonly<Record<string, string>>,
  listKey: string,
): AsyncGenerator<ProviderResponse> {
  return readPages<number>({
    first: 1,
    read: (page) => http.get(path, { ...query, page_index: String(page) }),
    // The counters contradict the lists in recorded responses, so only the lists are used.
    next({ body }, page) {
      const list = new JsonNode(body).at(listKey).value;
      const items = Array.isArray(list) ? list.length : 0;
      const link = new JsonNode(body).at('NextPageUrl').value;
      const hasMore = items >= itemsPerPage || (items > 0 && typeof link === 'string' && link !== '');
      return hasMore ? page + 1 : null;
    },
  });
}

function listPull({ file, secret, listKey, scope, resources, map }: ListPull): PullSpec {
  return {
    name: file,
    resources,
    requiredScopes: [scope],
    chunkDays: 90,
    backfillDays: historyDays,
    reachDays: historyDaysMax,
    rereadDays,
    deletions: { unseen: 'Recorded lists hold fewer items than they count, so a missing one proves nothing.' },
    collections: [],
    async *pull({ http, user, window }) {
      // Without its secret iHealth refuses a list to everyone, so it is not asked.
      if (secret === '') throw providerError('provider_configuration', { reason: 'secret_of_list_missing' });
      const context = createContext(user);
      const query = { sv: secret, locale: 'default', ...secondsOf(window) };
      const path = `/openapiv2/user/${encodeURIComponent(user.providerUserId)}/${file}.json/`;
      for await (const { body, version } of readList(http, path, query, listKey)) yield { ...map(body, window, context), version };
    },
  };
}

function secondsOf({ startDate, endDate }: PullWindow): Readonly<Record<string, string>> {
  const start = utcMidnight(startDate) / 1000 - marginDays * daySeconds;
  const end = utcMidnight(endDate) / 1000 + (marginDays + 1) * daySeconds;
  return { start_time: String(start), end_time: String(end) };
}

/** Most valuable per request first. */
function listsOf(values: IhealthValues): readonly ListPull[] {
  return [
    {
      file: 'bp',
      secret: values.svBp,
      listKey: 'BPDataList',
      scope: 'OpenApiBP',
      resources: ['blood_pressure', 'heartrate', 'note'],
      map: mapBloodPressure,
    },
    {
      file: 'glucose',
      secret: values.svGlucose,
      listKey: 'BGDataList',
      scope: 'OpenApiBG',
      resources: ['glucose', 'note'],
      map: mapGlucose,
    },
    {
      file: 'weight',
      secret: values.svWeight,
      listKey: 'WeightDataList',
      scope: 'OpenApiWeight',
      resources: ['body', 'weight', 'fat', 'body_mass_index', 'note'],
      map: mapWeight,
    },
    {
      file: 'spo2',
      secret: values.svSpo2,
      listKey: 'BODataList',
      scope: 'OpenApiSpO2',
      resources: ['blood_oxygen', 'heartrate', 'note'],
      map: mapOxygen,
    },
    {
      file: 'activity',
      secret: values.svActivity,
      listKey: 'ARDataList',
      scope: 'OpenApiActivity',
      resources: ['activity', 'steps', 'distance'],
      map: mapActivity,
    },
    { file: 'sleep', secret: values.svSleep, listKey: 'SRDataList', scope: 'OpenApiSleep', resources: ['sleep'], map: mapSleep },
    { file: 'sport', secret: values.svSport, listKey: 'SPORTDataList', scope: 'OpenApiSport', resources: ['workouts'], map: mapWorkouts },
  ];
}

/** The lists whose secrets the operator has set; all of them while none is set, as in the catalogue of an installation without keys. */
function usedLists(values: IhealthValues): readonly ListPull[] {
  const lists = listsOf(values);
  const used = lists.filter(({ secret }) => secret !== '');
  return used.length === 0 ? lists : used;
}

export const createPulls = (values: IhealthValues): readonly PullSpec[] => usedLists(values).map(listPull);

/** What the lists without a secret would bring. */
export function resourcesWithoutSecret(values: IhealthValues): readonly string[] {
  const fed = usedLists(values).flatMap(({ resources }) => resources);
  const all = new Set(listsOf(values).flatMap(({ resources }) => resources));
  return [...all].filter((resource) => !fed.includes(resource));
}
