import { pullDefaults, profileDefaults } from '../../kit/pull-presets.ts';
import { addDays } from '../../kit/time/days.ts';
import { historyDaysMax } from '../../kit/history-depth.ts';
import { samplesBetween, summariesOn } from '../../kit/records/complete-ranges.ts';
import type { JsonNode } from '../../kit/values/json-node.ts';
import type { MappedRecords, PullSpec } from '../../kit/types/connector.ts';
import { mapBackground, mapMeasurements, mapWeights } from '../mappers/map-measurements.ts';
import { mapProfile } from '../mappers/map-profile.ts';
import { app, createContext, mediaType, type RunkeeperContext } from '../runkeeper.ts';
import { rangeOf, readItems } from './read-feed.ts';

interface HealthFeed {
  readonly path: string;
  /** Of the media type. */
  readonly type: string;
  readonly summaries: readonly string[];
  readonly series: readonly string[];
  map(items: readonly JsonNode[], context: RunkeeperContext): MappedRecords;
}

/** The health sets, each of which the vendor opens for an application or not. */
function healthPull({ path, type, summaries, series, map }: HealthFeed): PullSpec {
  return {
    ...pullDefaults,
    name: path.slice(1),
    resources: [...summaries, ...series],
    chunkDays: 90,
    backfillDays: 90,
    reachDays: historyDaysMax,
    rereadDays: 7,
    deletions: 'by_absence',
    async *pull({ http, user, window, now }) {
      const context = createContext(user);
      const { items, version, isWhole } = await readItems(http, path, type, rangeOf(window));
      const startOf = (day: string) => context.zoneOn(day).startOfDay(day).ms;
      const stretch = { fromMs: startOf(window.startDate), toMs: startOf(addDays(window.endDate, 1)) };
      const allOf = [...summariesOn(window, app, ...summaries), ...samplesBetween(stretch, now, app, series)];
      yield { version, ...map(items, context), allOf: isWhole ? allOf : [] };
    },
  };
}

const profilePull: PullSpec = {
  ...profileDefaults,
  async *pull({ http, user }) {
    const response = await http.get('/profile', undefined, { headers: mediaType('Profile') });
    yield { version: response.version, ...mapProfile(response.body, createContext(user)) };
  },
};

export const healthPulls: readonly PullSpec[] = [
  healthPull({
    path: '/weight',
    type: 'WeightSetFeed',
    summaries: ['body'],
    series: ['weight', 'fat', 'body_mass_index', 'lean_body_mass'],
    map: mapWeights,
  }),
  healthPull({
    path: '/backgroundActivities',
    type: 'BackgroundActivitySetFeed',
    summaries: ['activity'],
    series: ['steps'],
    map: mapBackground,
  }),
  healthPull({
    path: '/generalMeasurements',
    type: 'GeneralMeasurementSetFeed',
    summaries: [],
    series: ['blood_pressure'],
    map: mapMeasurements,
  }),
  profilePull,
];
